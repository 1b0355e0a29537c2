package reference_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// decodeScript decodes lists of ids with the library itself, or with the
// tokenizer that Transformers makes of a directory: whole, without special
// tokens, and as the library's own stream, whose failure is null.
const decodeScript = `
import json
from tokenizers import Tokenizer
from tokenizers.decoders import DecodeStream
from transformers import AutoTokenizer
work = json.loads(WORK)
if work["directory"]:
    tokenizer = AutoTokenizer.from_pretrained(work["directory"])
    backend = tokenizer.backend_tokenizer
else:
    tokenizer = backend = Tokenizer.from_str(work["tokenizer"])
def stream(ids):
    s = DecodeStream(skip_special_tokens=False)
    try:
        return "".join(s.step(backend, i) or "" for i in ids)
    except Exception as e:
        return None
print(json.dumps([[tokenizer.decode(ids, skip_special_tokens=False), tokenizer.decode(ids, skip_special_tokens=True), stream(ids)] for ids in work["ids"]]))
`

// askPython runs a script in the reference's Python, which finds WORK as JSON, and
// gives the JSON that it prints.
func askPython(t *testing.T, script string, work value.Value) value.Value {
	t.Helper()
	e, err := shared()
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	// A JSON string in ASCII is a Python string, too.
	code := "WORK = " + value.Dumps(value.String(value.Dumps(work))) + "\n" + script
	c, _ := value.Members(value.Member{Name: "code", Value: value.String(code)}).AsObject()
	out := e.Do(t.Context(), engine.Request{Op: worker.OpExec, Case: c})
	text, _ := out.Value.Get("output").AsString()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatalf("%s", say(out))
	}
	return v
}

// decodeAll asks the reference for the texts of all lists of ids.
func decodeAll(t *testing.T, tokenizer, directory string, lists [][]token.ID) []value.Value {
	t.Helper()
	ids := make([]value.Value, len(lists))
	for i, list := range lists {
		var items []value.Value
		for _, id := range list {
			items = append(items, value.Int(int64(id)))
		}
		ids[i] = value.List(items...)
	}
	answers, _ := askPython(t, decodeScript, value.Members(
		value.Member{Name: "tokenizer", Value: value.String(tokenizer)},
		value.Member{Name: "directory", Value: value.String(directory)},
		value.Member{Name: "ids", Value: value.List(ids...)},
	)).AsArray()
	if answers.Len() != len(lists) {
		t.Fatalf("%d answers to %d questions", answers.Len(), len(lists))
	}
	var all []value.Value
	for _, a := range answers.All() {
		all = append(all, a)
	}
	return all
}

// randomIDs are lists of ids, some of them unknown and many that stand for bytes
// or are special.
func randomIDs(v *token.Vocabulary, n int) [][]token.ID {
	r := rand.New(rand.NewPCG(uint64(v.Size()), 7))
	added := v.Added()
	lists := make([][]token.ID, n)
	for i := range lists {
		list := make([]token.ID, r.IntN(14))
		low := v.Size()
		if r.IntN(2) == 0 {
			low = min(low, 300) // the single bytes of a vocabulary stand first
		}
		for k := range list {
			switch r.IntN(12) {
			case 0:
				list[k] = added[r.IntN(len(added))].ID
			case 1:
				list[k] = token.ID(v.Size() + r.IntN(3))
			default:
				list[k] = token.ID(r.IntN(low))
			}
		}
		lists[i] = list
	}
	return lists
}

// compareDecode compares the texts of ids with the reference's. It gives the
// number of texts without broken characters that the library's own stream does
// not give as the whole does.
func compareDecode(t *testing.T, v *token.Vocabulary, lists [][]token.ID, answers []value.Value) (others int) {
	t.Helper()
	streams, broken := 0, 0
	for i, ids := range lists {
		list, _ := answers[i].AsArray()
		for k, skip := range []bool{false, true} {
			want, _ := list.At(k).AsString()
			o := token.DecodeOptions{SkipSpecial: skip, SkipUnknown: true}
			got, err := v.Decode(ids, o)
			if got != want || err != nil {
				t.Fatalf("%d, skip %v:\n native    %q, %v\n reference %q", ids, skip, got, err, want)
			}
			d := v.NewDecoder(o)
			var b strings.Builder
			for _, id := range ids {
				text, _ := d.Push(id)
				b.WriteString(text)
			}
			if b.WriteString(d.Flush()); b.String() != want {
				t.Fatalf("%d, skip %v, one by one:\n native    %q\n reference %q", ids, skip, b.String(), want)
			}
		}
		whole, _ := list.At(0).AsString()
		stream, ok := list.At(2).AsString()
		switch {
		case ok && stream == whole:
			streams++
		case !strings.Contains(whole, "\uFFFD"):
			others++
		default:
			broken++
		}
	}
	t.Logf("%d lists; the library's own stream gives the text of the whole for %d of them, and not for %d with broken characters and %d others",
		len(lists), streams, broken, others)
	if streams == 0 {
		t.Error("no stream of the library gave its whole text")
	}
	return others
}

// Ids are decoded as tokenizers decodes them, by every decoder.
func TestDecodeTokens(t *testing.T) {
	data, err := os.ReadFile("../harmony/token/testdata/decoders.json")
	if err != nil {
		t.Fatal(err)
	}
	file, err := value.Loads(string(data))
	if err != nil {
		t.Fatal(err)
	}
	decoders, _ := file.Get("decoders").AsObject()
	normalizers := []string{
		`null`,
		`{"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]}`,
		`{"type": "Lowercase"}`,
		`{"type": "ByteLevel"}`,
	}
	for name, decoder := range decoders.All() {
		for n, normalizer := range normalizers {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				base, _ := file.Get("tokenizer").AsObject()
				o := &value.Object{}
				for key, member := range base.All() {
					o.Set(key, member)
				}
				o.Set("decoder", decoder)
				norm, err := value.Loads(normalizer)
				if err != nil {
					t.Fatal(err)
				}
				o.Set("normalizer", norm)
				text := value.Dumps(o.Value())
				if n > 0 { // the added tokens are normalized, and some are not lower case
					text = strings.ReplaceAll(strings.ReplaceAll(text, `"normalized": false`, `"normalized": true`), `<|end|>`, `<|END|>`)
					text = strings.ReplaceAll(text, `<\u00e9 x>`, `<e_x>`)
				}
				v, err := token.Load([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				lists := randomIDs(v, 300)
				compareDecode(t, v, lists, decodeAll(t, text, "", lists))
			})
		}
	}
}

// The shipped tokenizers decode as Transformers decodes with them.
func TestDecodeCheckpoints(t *testing.T) {
	for _, c := range shippedCheckpoints() {
		t.Run(strings.Fields(c.Name)[0], func(t *testing.T) {
			dir := t.TempDir() + "/checkpoint"
			if err := c.Write(dir); err != nil {
				t.Fatal(err)
			}
			v, err := token.Load(c.Tokenizer)
			if err != nil {
				t.Fatal(err)
			}
			for lists := range slices.Chunk(randomIDs(v, decodeLists(t)), 5000) {
				if others := compareDecode(t, v, lists, decodeAll(t, "", dir, lists)); others > 0 {
					t.Errorf("the library's own stream loses text of %d lists", others)
				}
			}
		})
	}
}

// decodeLists is how many lists of ids each tokenizer is compared on: those of
// BEAMDIFF_PAIRS at night.
func decodeLists(t *testing.T) int {
	text := os.Getenv("BEAMDIFF_PAIRS")
	if text == "" {
		return 3000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("BEAMDIFF_PAIRS must be a number, not %q", text)
	}
	return n
}

// shippedCheckpoints are the default one and its variants.
func shippedCheckpoints() []*checkpoint.Checkpoint {
	all := []*checkpoint.Checkpoint{checkpoint.Default()}
	for _, v := range checkpoint.Variants() {
		all = append(all, checkpoint.Named(v.Name))
	}
	return all
}
