package reference_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// batchScript gives, of conversations, the plain encodings with their offsets and
// the spans that the model wrote, in characters; then the batches that
// apply_chat_template makes of them with some arguments.
const batchScript = `
import json
from transformers import AutoTokenizer
from transformers.utils.chat_template_utils import render_jinja_template
work = json.loads(WORK)
t = AutoTokenizer.from_pretrained(work["directory"])
t.pad_token = work["pad"]
rows = []
for c in work["conversations"]:
    texts, spans = render_jinja_template(conversations=[c], chat_template=t.chat_template, return_assistant_tokens_mask=True, **t.special_tokens_map)
    e = t(texts[0], add_special_tokens=False, return_offsets_mapping=True)
    rows.append([e["input_ids"], [list(o) for o in e["offset_mapping"]], [list(s) for s in spans[0]]])
batches = []
for a in work["arguments"]:
    t.padding_side, t.truncation_side = a.pop("pad_side"), a.pop("cut_side")
    try:
        b = t.apply_chat_template(work["conversations"], tokenize=True, return_dict=True, return_assistant_tokens_mask=True, tokenizer_kwargs={"pad_to_multiple_of": a.pop("multiple")} , **a)
        batches.append([b["input_ids"], b["attention_mask"], b["assistant_masks"]])
    except ValueError as e:
        batches.append(str(e))
print(json.dumps([t.pad_token_id, rows, batches]))
`

// Batches are cut, padded and masked as Transformers does, for every choice of
// sides and lengths.
func TestBatchTokens(t *testing.T) {
	conversations, err := value.Loads(`[
		[{"role": "user", "content": "Größe? 👋🏽"}, {"role": "assistant", "thinking": "界 ist groß.", "content": "Ça va."}, {"role": "user", "content": "?"}, {"role": "assistant", "content": "Nein, 12 €."}],
		[{"role": "user", "content": "Hi"}, {"role": "assistant", "thinking": "a", "content": "b"}],
		[{"role": "user", "content": "No answer."}]]`)
	if err != nil {
		t.Fatal(err)
	}
	type arguments struct {
		o       token.BatchOptions
		padding string
	}
	var all []arguments
	var asked []value.Value
	member := func(name string, v value.Value) value.Member { return value.Member{Name: name, Value: v} }
	for _, length := range []int{0, 24, 60, 61, 4000} {
		for _, cut := range []bool{false, true} {
			for _, padding := range []string{"no", "longest", "max_length"} {
				for sides := range 4 {
					for _, multiple := range []int{0, 8} {
						if length == 0 && (cut || padding == "max_length") {
							continue // the model's own length, which is an argument here
						}
						if length > 0 && !cut && padding == "no" {
							continue // the library then cuts, and says that it should not be asked so
						}
						a := arguments{padding: padding, o: token.BatchOptions{MaxLength: length, Truncate: cut, Multiple: multiple, PadSide: token.Side(sides & 1), TruncateSide: token.Side(sides >> 1)}}
						a.o.Padding = map[string]token.Padding{"no": token.NoPadding, "longest": token.PadLongest, "max_length": token.PadToLength}[padding]
						all = append(all, a)
						side := []value.Value{value.String("right"), value.String("left")}
						pad := value.String(padding)
						if padding == "no" {
							pad = value.Bool(false)
						}
						members := []value.Member{member("pad_side", side[sides&1]), member("cut_side", side[sides>>1]), member("truncation", value.Bool(cut)), member("padding", pad)}
						if multiple > 0 {
							members = append(members, member("multiple", value.Int(int64(multiple))))
						} else {
							members = append(members, member("multiple", value.Null()))
						}
						if length > 0 {
							members = append(members, member("max_length", value.Int(int64(length))))
						}
						asked = append(asked, value.Members(members...))
					}
				}
			}
		}
	}
	for _, c := range shippedCheckpoints() {
		t.Run(strings.Fields(c.Name)[0], func(t *testing.T) {
			dir := t.TempDir() + "/checkpoint"
			if err := c.Write(dir); err != nil {
				t.Fatal(err)
			}
			answer, _ := askPython(t, batchScript, value.Members(member("directory", value.String(dir)), member("pad", value.String("a")),
				member("conversations", conversations), member("arguments", value.List(asked...)))).AsArray()
			pad, _ := answer.At(0).AsInt()
			rows, _ := answer.At(1).AsArray()
			var encodings []token.Encoding
			var spans [][]harmony.Span
			for _, row := range rows.All() {
				parts, _ := row.AsArray()
				e := token.Encoding{Offsets: spanList(parts.At(1))}
				ids, _ := parts.At(0).AsArray()
				for _, id := range ids.All() {
					n, _ := id.AsInt()
					e.IDs = append(e.IDs, token.ID(n))
				}
				encodings = append(encodings, e)
				spans = append(spans, spanList(parts.At(2)))
			}
			batches, _ := answer.At(2).AsArray()
			refused := 0
			for i, a := range all {
				a.o.PadID = token.ID(pad)
				b, err := token.NewBatch(encodings, spans, a.o)
				want := value.Dumps(batches.At(i))
				if err != nil {
					refused++
					if !strings.Contains(want, "is not a multiple of pad_to_multiple_of") {
						t.Errorf("%+v: native refuses: %v, reference %.200s", a.o, err, want)
					}
					continue
				}
				got := value.Dumps(value.List(rowsOf(b.IDs), rowsOf(b.Attention), rowsOf(b.Mask)))
				if got != want {
					t.Fatalf("%+v:\n native    %.2000s\n reference %.2000s", a.o, got, want)
				}
			}
			if refused == 0 || len(all) < 100 {
				t.Errorf("%d batches, %d refused", len(all), refused)
			}
		})
	}
}

func spanList(v value.Value) []harmony.Span {
	var out []harmony.Span
	list, _ := v.AsArray()
	for _, pair := range list.All() {
		two, _ := pair.AsArray()
		start, _ := two.At(0).AsInt()
		end, _ := two.At(1).AsInt()
		out = append(out, harmony.Span{Start: start, End: end})
	}
	return out
}

// rowsOf writes rows of numbers, or of what is so or not, as Python does.
func rowsOf[T any](rows [][]T) value.Value {
	var out []value.Value
	for _, row := range rows {
		var items []value.Value
		for _, item := range row {
			switch item := any(item).(type) {
			case token.ID:
				items = append(items, value.Int(int64(item)))
			case bool:
				n := int64(0)
				if item {
					n = 1
				}
				items = append(items, value.Int(n))
			default:
				panic(fmt.Sprintf("%T", item))
			}
		}
		out = append(out, value.List(items...))
	}
	return value.List(out...)
}
