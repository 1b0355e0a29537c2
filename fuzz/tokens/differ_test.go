package tokens

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

func loads(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const whole = `{"text": "aé b", "spans": [[1, 2], [3, 4]], "input_ids": [7, 8, 9, 3], "offsets": [[0, 1], [1, 2], [1, 2], [2, 4]], "assistant_masks": [0, 1, 1, 1]}`

// Two answers, of which one was changed: what differs first, and where.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		old, new, what string
		index          int
		native         string
	}{
		{"", "", "", 0, ""},
		{"aé b", "aé  b", "text", 0, `"a\u00e9  b"`},
		{"[3, 4]", "[2, 4]", "spans", 1, "[2, 4]"},
		{"[7, 8, 9, 3]", "[7, 8, 0, 3]", "input_ids", 2, "0"},
		{"[7, 8, 9, 3]", "[7, 8, 9]", "input_ids", 3, "3 in all"},
		{`"input_ids": [7, 8, 9, 3], `, "", "input_ids", 0, "null"},
		{"[0, 1], [1, 2]", "[0, 1], [0, 2]", "offsets", 1, "[0, 2]"},
		{"[0, 1, 1, 1]", "[0, 1, 1, 0]", "assistant_masks", 3, "0"},
	} {
		native := corpus.Outcome{Kind: corpus.OK, Value: loads(t, strings.Replace(whole, c.old, c.new, 1))}
		d := compare(native, corpus.Outcome{Kind: corpus.OK, Value: loads(t, whole)})
		switch {
		case d == nil && c.what != "":
			t.Errorf("%s for %s: not seen", c.new, c.old)
		case d != nil && (d.What != c.what || d.Index != c.index || d.Native != c.native):
			t.Errorf("%s for %s: got %v", c.new, c.old, d)
		}
	}
}

func TestReport(t *testing.T) {
	ok := func(text string) corpus.Outcome { return corpus.Outcome{Kind: corpus.OK, Value: loads(t, text)} }
	raised := corpus.Outcome{Kind: corpus.Raised, Class: "ValueError", Message: "no"}
	noIDs := ok(`{"text": "\ud800", "spans": []}`)
	var r Report
	for _, pair := range [][2]corpus.Outcome{
		{ok(whole), ok(whole)},
		{raised, raised},
		{noIDs, noIDs},
		{raised, ok(whole)},
		{ok(whole), raised},
		{{Kind: corpus.Raised, Class: "TypeError", Message: "no"}, raised},
		{{Kind: corpus.Cannot}, ok(whole)},
		{ok(whole), {Kind: corpus.Failed, Why: "died"}},
		{ok(whole), {Kind: corpus.Cannot}},
	} {
		r.add(engine.Request{Case: value.NewObject(0)}, pair[0], pair[1])
	}
	if want := "1 same with 4 ids, 3 of them masked; 1 raised, 1 without ids, 2 failed, 4 different"; r.String() != want {
		t.Errorf("got %s, want %s", &r, want)
	}
	for _, d := range r.Differences {
		if d.What != "outcome" {
			t.Error(d)
		}
	}
}

// halves gives every character two ids.
type halves struct{}

func (halves) Close() error { return nil }
func (halves) Encode(text string) (e token.Encoding, err error) {
	for i, r := range text {
		s := harmony.Span{Start: int64(i), End: int64(i + utf8.RuneLen(r))}
		e.IDs, e.Offsets = append(e.IDs, 1, 2), append(e.Offsets, s, s)
	}
	return e, nil
}

func TestPlain(t *testing.T) {
	c, _ := loads(t, `{"messages": [{"role": "user", "content": "é"}, {"role": "assistant", "content": "b"}]}`).AsObject()
	got := Plain{halves{}}.Do(context.Background(), engine.Request{Op: engine.OpMask, Case: c})
	want := `{"text": "\u00e9b", "spans": [[1, 2]], "input_ids": [1, 2, 1, 2], "offsets": [[0, 1], [0, 1], [1, 2], [1, 2]], "assistant_masks": [0, 0, 1, 1]}`
	if s := value.Dumps(got.Value); s != want {
		t.Errorf("got %s, want %s", s, want)
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
		c := Case(s, text)
		messages, _ := c.Get("messages")
		turns := ""
		for i, m := range list(messages) {
			content, _ := m.Get("content").AsString()
			role, _ := m.Get("role").AsString()
			turns += content
			seen[role] = true
			seen["empty turn"] = seen["empty turn"] || content == ""
			seen["many turns"] = seen["many turns"] || i == 4
		}
		if turns != text {
			t.Fatalf("the turns hold %q, not %q", turns, text)
		}
		for name := range Lengths(s, c, true).All() {
			seen[name] = true
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
	for _, want := range []string{"user", "assistant", "empty turn", "many turns", "long", "\x00", "\u0301", "\u3000", "\ufdd0", "<|start", "<|start|>", "</s>", "\r",
		"messages", "chat_template", "truncation", "padding", "max_length", "sanitize_control_tokens"} {
		if !seen[want] {
			t.Errorf("no text has %q", want)
		}
	}
	if len(seen) < 3000 {
		t.Errorf("only %d characters", len(seen))
	}
}
