package reference_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// scanScript gives the ids of added tokens, and their offsets, that a tokenizer
// whose model knows nothing finds in texts.
const scanScript = `
import json
from tokenizers import Tokenizer
work = json.loads(WORK)
tokenizer = Tokenizer.from_str(work["tokenizer"])
added = set(tokenizer.get_added_tokens_decoder())
def found(text):
    e = tokenizer.encode(text, add_special_tokens=False)
    return [[i, *o] for i, o in zip(e.ids, e.offsets) if i in added]
print(json.dumps([found(text) for text in work["texts"]]))
`

// Added tokens are found where tokenizers finds them, with all their flags.
func TestScanTokens(t *testing.T) {
	words := []string{"<|end|>", "<|end|", "|>", "<|", "<", ">", "end", "end|>", "<b>", "<b", "<bb>", "b", " ", "  ", "\n", "é", "_", "7", "▁", "x", "\u00a0", "\u0301", "-", "<|END|>", "E"}
	r := rand.New(rand.NewPCG(3, 9))
	var texts, asked []value.Value
	for range 1500 {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteString(words[r.IntN(len(words))])
		}
		texts = append(texts, value.String(b.String()))
		asked = append(asked, value.String(b.String()))
	}
	normalizers := []string{
		`null`,
		`{"type": "Prepend", "prepend": "▁"}`,
		`{"type": "Replace", "pattern": {"String": " "}, "content": "▁"}`,
		`{"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]}`,
		`{"type": "Replace", "pattern": {"String": "bb"}, "content": "b"}`,
		`{"type": "Lowercase"}`,
	}
	for round := range 48 {
		normalizer := normalizers[round%len(normalizers)]
		var added []string
		for i, text := range []string{"<|end|>", "<|END|>", "<b>", "end", "<|", "b"} {
			if round >= 12 && r.IntN(4) == 0 {
				continue
			}
			flag := func() bool { return round >= 6 && r.IntN(3) == 0 }
			added = append(added, fmt.Sprintf(`{"id": %d, "content": %q, "single_word": %v, "lstrip": %v, "rstrip": %v, "normalized": %v, "special": %v}`,
				i+1, text, flag(), flag(), flag(), flag(), flag()))
		}
		if strings.Contains(normalizer, "Lowercase") {
			// Two normalized tokens that are the same in lower case are one too many.
			added = added[min(1, len(added)):]
		}
		text := `{"version": "1.0", "added_tokens": [` + strings.Join(added, ", ") + `], "normalizer": ` + normalizer +
			`, "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0}}}`
		v, err := token.Load([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		answers, _ := askPython(t, scanScript, value.Members(
			value.Member{Name: "tokenizer", Value: value.String(text)}, value.Member{Name: "texts", Value: value.List(asked...)})).AsArray()
		unsupported := 0
		for i, item := range texts {
			s, _ := item.AsString()
			found, err := v.Scan(s)
			if err != nil { // lower case of more than ASCII
				unsupported++
				continue
			}
			var got []value.Value
			index := corpus.NewIndex(s)
			for _, m := range found {
				start, _ := index.Char(int(m.Span.Start))
				end, _ := index.Char(int(m.Span.End))
				got = append(got, value.List(value.Int(int64(m.ID)), value.Int(int64(start)), value.Int(int64(end))))
			}
			if want := answers.At(i); value.Dumps(value.List(got...)) != value.Dumps(want) {
				t.Fatalf("%q in\n%s\n native    %s\n reference %s", s, text, value.Dumps(value.List(got...)), value.Dumps(want))
			}
		}
		if unsupported > 0 && !strings.Contains(normalizer, "Lowercase") || unsupported == len(texts) {
			t.Errorf("%d texts could not be looked at, with %s", unsupported, normalizer)
		}
	}
}
