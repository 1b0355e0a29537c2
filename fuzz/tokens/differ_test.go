package tokens

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The first difference of two encodings of "aé b", in which é is two ids.
func TestCompare(t *testing.T) {
	v, err := value.Loads(`{"text": "aé b", "spans": [[1, 2], [3, 4]], "input_ids": [7, 8, 9, 3], "offsets": [[0, 1], [1, 2], [1, 2], [2, 4]],
		"assistant_masks": [0, 1, 1, 1]}`)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(change func(*token.Encoding)) token.Encoding {
		e := token.Encoding{IDs: []token.ID{7, 8, 9, 3}, Offsets: []harmony.Span{{Start: 0, End: 1}, {Start: 1, End: 3}, {Start: 1, End: 3}, {Start: 3, End: 5}}}
		change(&e)
		return e
	}
	for _, c := range []struct {
		what   string
		index  int
		change func(*token.Encoding)
		mask   int // the id of the reference's mask that is wrong, less one
	}{
		{"", 0, func(*token.Encoding) {}, 0},
		{"ids", 2, func(e *token.Encoding) { e.IDs[2] = 0 }, 0},
		{"offsets", 3, func(e *token.Encoding) { e.Offsets[3].Start-- }, 0},
		{"offsets", 1, func(e *token.Encoding) { e.Offsets[1].End--; e.IDs[2] = 0 }, 0},
		{"number", 3, func(e *token.Encoding) { e.IDs, e.Offsets = e.IDs[:3], e.Offsets[:3] }, 0},
		{"mask", 0, func(*token.Encoding) {}, 1},
		{"mask", 3, func(*token.Encoding) {}, 4},
	} {
		want := readAnswer(v)
		if c.mask > 0 {
			want.mask[c.mask-1] = !want.mask[c.mask-1]
		}
		d := want.compare(encode(c.change))
		if d == nil && c.what != "" || d != nil && (d.What != c.what || d.Index != c.index) {
			t.Errorf("%s at %d: got %v", c.what, c.index, d)
		}
	}
}

func TestJudge(t *testing.T) {
	c := value.NewObject(0)
	var r Report
	d := &Differ{}
	noIDs := value.Members(value.Member{Name: "text", Value: value.String("\xed\xa0\x80")})
	for _, out := range []corpus.Outcome{{Kind: corpus.Raised}, {Kind: corpus.Failed, Why: "x"}, {Kind: corpus.Cannot}, {Kind: corpus.OK, Value: noIDs}} {
		d.judge(&r, c, out)
	}
	if want := "0 same with 0 ids, 0 of them masked; 1 raised, 1 without ids, 2 failed, 0 different"; r.String() != want {
		t.Errorf("got %s, want %s", &r, want)
	}
}

// Texts are valid, of every kind, and their cases hold all of them.
func TestTextsReach(t *testing.T) {
	added := []string{"<|start|>", "</s>"}
	seen := map[string]bool{}
	for i := range 2000 {
		s := fuzz.FromSeed(uint64(i))
		text := Text(s, added)
		if !utf8.ValidString(text) {
			t.Fatalf("%q", text)
		}
		messages, _ := Case(s, text).Get("messages")
		whole := ""
		for i, m := range list(messages) {
			content, _ := m.Get("content").AsString()
			role, _ := m.Get("role").AsString()
			whole += content
			seen[role] = true
			seen["empty turn"] = seen["empty turn"] || content == ""
			seen["many turns"] = seen["many turns"] || i == 4
		}
		if whole != text {
			t.Fatalf("the turns hold %q, not %q", whole, text)
		}
		seen["long"] = seen["long"] || len(text) > 2000
		for _, r := range text {
			seen[string(r)] = true
		}
		for _, a := range added {
			for n := 1; n <= len(a); n++ {
				seen[a[:n]] = seen[a[:n]] || strings.Contains(text, a[:n])
			}
		}
	}
	for _, want := range []string{"user", "assistant", "empty turn", "many turns", "long", "\x00", "\u0301", "\u3000", "\ufdd0", "<|start", "<|start|>", "</s>", "\r"} {
		if !seen[want] {
			t.Errorf("no text has %q", want)
		}
	}
	if len(seen) < 3000 {
		t.Errorf("only %d characters", len(seen))
	}
}
