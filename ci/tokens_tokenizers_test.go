//go:build tokenizers

package ci

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// What the native engine encodes is compared id by id: one that is wrong, in any
// place of an answer, is found.
func TestPlantedTokens(t *testing.T) {
	const text = `{"id": "x", "kind": "mask", "messages": [{"role": "user", "content": "é"}, {"role": "assistant", "content": "4"}]}`
	for _, key := range []string{"", "input_ids", "offsets", "assistant_masks"} {
		planted := likeNative("reference", func(_ engine.Request, o corpus.Outcome) corpus.Outcome {
			v := o.Value.Clone()
			list, _ := v.Get(key).AsArray()
			if key == "" {
				return okValue(v)
			}
			last := list.At(list.Len() - 1)
			if pair, ok := last.AsArray(); ok {
				start, _ := pair.At(0).AsInt()
				last = value.List(value.Int(start-1), pair.At(1))
			} else {
				n, _ := last.AsInt()
				last = value.Int(1 - n)
			}
			items := []value.Value{}
			for i, item := range list.All() {
				if i == list.Len()-1 {
					item = last
				}
				items = append(items, item)
			}
			answer, _ := v.AsObject()
			answer.Set(key, value.List(items...))
			return okValue(v)
		})
		planted.info.Abilities = append(planted.info.Abilities, engine.AbleTokens)
		res, err := (&Runner{Engines: []engine.Engine{native(), planted}, Cases: casesOf(t, text)}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c := res.Cases[0]
		if got := verdictsOf(c); (got == "") != (key == "") || !strings.HasPrefix(got, map[bool]string{true: "native/reference: value differs at $." + key}[key != ""]) {
			t.Errorf("%s: %q", key, got)
		}
		if c.IDsCompared != (key == "") {
			t.Errorf("%s: compared %t", key, c.IDsCompared)
		}
	}
}
