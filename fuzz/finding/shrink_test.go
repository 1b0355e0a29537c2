package finding

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

func parse(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func caseOf(t *testing.T, text string) corpus.Case {
	t.Helper()
	cases, err := corpus.Decode([]byte(text), "case.json")
	if err != nil {
		t.Fatal(err)
	}
	return cases[0]
}

// differing is a judge by which a case differs where wrong tells of its input.
func differing(kind corpus.Verdict, chunks bool, wrong func(in value.Value) bool) Judge {
	return func(_ context.Context, _ []engine.Engine, c corpus.Case) ([]Verdict, error) {
		in := c.Input.Value()
		if !wrong(in) {
			return nil, nil
		}
		v := Verdict{Kind: kind, Left: "native", Right: "reference", Path: "$.content", Fails: true}
		if chunks {
			v.Chunks = in.Get("chunks")
		}
		return []Verdict{v}, nil
	}
}

// Each sort of particular is taken away: what is left is what the judge needs.
func TestShrink(t *testing.T) {
	holds := func(parts ...string) func(value.Value) bool {
		return func(in value.Value) bool {
			text := value.Dumps(in)
			for _, p := range parts {
				if !strings.Contains(text, p) {
					return false
				}
			}
			return true
		}
	}
	const talk = `{"id": "x", "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "a long text with NEEDLE in it", "name": "n"},
		{"role": "assistant", "content": "yes"}], "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object",
		"properties": {"city": {"anyOf": [{"type": "string"}, {"type": "NUMBER"}]}, "days": {"type": "integer"}}}}}], "reasoning_effort": "low"}`
	const read = `{"id": "x", "reply": "<|channel|>final<|message|>some words XY and more<|return|>", "prefix": "", "chunks": [3, 30, 40]}`
	for _, tt := range []struct {
		name, text string
		wrong      func(value.Value) bool
		want       string
	}{
		{"messages, keys and words", talk, holds("NEEDLE"), `{"messages": [{"a": "NEEDLE"}]}`},
		{"a schema of several", talk, holds("NUMBER", "properties"), `{"messages": [], "tools": [{"properties": "NUMBER"}]}`},
		{"a name that stands twice", talk, func(in value.Value) bool {
			tools, _ := in.Get("tools").AsArray()
			if tools.Len() == 0 {
				return false
			}
			name, ok := tools.At(0).Get("function").Get("name").AsString()
			return ok && len(name) > 0
		}, `{"messages": [], "tools": [{"function": {"name": "a"}}]}`},
		{"markers before characters", read, holds("XY"), `{"reply": "XY"}`},
		{"any letters", read, func(in value.Value) bool {
			text, _ := in.Get("reply").AsString()
			return len(text) >= 3
		}, `{"reply": "aaa"}`},
		{"a cut at its place", read, func(in value.Value) bool {
			text, _ := in.Get("reply").AsString()
			cuts, _ := in.Get("chunks").AsArray()
			for _, c := range cuts.All() {
				if n, _ := c.AsInt(); int(n) < len(text) && text[n-1:min(int(n)+1, len(text))] == "or" {
					return true
				}
			}
			return false
		}, `{"reply": "or", "chunks": [1]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := caseOf(t, tt.text)
			if tt.name == "a cut at its place" {
				c.Input.Set("chunks", parse(t, "[5, 34, 40]"))
			}
			judge := differing(corpus.ValueDiffers, false, tt.wrong)
			f := &Finding{Case: c, Found: c}
			var err error
			if f.Verdict, f.Signature, err = f.Ask(t.Context(), judge, nil); err != nil || f.Signature == "" {
				t.Fatalf("the case as given: %q %v", f.Signature, err)
			}
			if err := f.Shrink(t.Context(), judge, nil, 0); err != nil {
				t.Fatal(err)
			}
			if got := value.Dumps(f.Case.Input.Value()); got != tt.want {
				t.Errorf("got  %s\nwant %s (%d tries)", got, tt.want, f.Tries)
			}
			if !f.Shrunk || f.Found.Input != c.Input {
				t.Errorf("shrunk %v; the case as it was met must stay", f.Shrunk)
			}
		})
	}
}

// A case must not slip to another verdict on its way.
func TestShrinkKeepsSignature(t *testing.T) {
	judge := func(_ context.Context, _ []engine.Engine, c corpus.Case) ([]Verdict, error) {
		text, _ := c.Input.Value().Get("reply").AsString()
		v := Verdict{Kind: corpus.ErrorDiffers, Left: "native", Right: "reference", Path: "$error", Fails: true}
		if strings.Contains(text, "XY") {
			v.Kind, v.Path = corpus.ValueDiffers, "$.content"
		}
		return []Verdict{v}, nil // anything differs in some way
	}
	c := caseOf(t, `{"id": "x", "reply": "some XY words"}`)
	f := &Finding{Case: c, Found: c}
	f.Verdict, f.Signature, _ = f.Ask(t.Context(), judge, nil)
	if err := f.Shrink(t.Context(), judge, nil, 0); err != nil {
		t.Fatal(err)
	}
	if got := value.Dumps(f.Case.Input.Value()); got != `{"reply": "XY"}` || f.Verdict.Kind != corpus.ValueDiffers {
		t.Errorf("%s, %s", got, f.Verdict.Kind)
	}
}

// What made a signature a particular one goes where the family stays: two
// signatures of one fault become one.
func TestShrinkJoins(t *testing.T) {
	judge := func(_ context.Context, _ []engine.Engine, c corpus.Case) ([]Verdict, error) {
		in := c.Input.Value()
		text, _ := in.Get("reply").AsString()
		if !strings.Contains(text, "XY") {
			return nil, nil
		}
		left := corpus.Outcome{Kind: corpus.Raised, Class: "ValueError"}
		if strings.Contains(text, "Q") {
			left.Class = "KeyError"
		}
		return []Verdict{{Kind: corpus.ErrorDiffers, Left: "native", Right: "reference", Path: "$error", Fails: true, LeftOutcome: left,
			RightOutcome: corpus.Outcome{Kind: corpus.OK}}}, nil
	}
	c := caseOf(t, `{"id": "x", "reply": "Q some XY words"}`)
	f := &Finding{Case: c, Found: c}
	f.Verdict, f.Signature, _ = f.Ask(t.Context(), judge, nil)
	first := f.Signature
	if err := f.Shrink(t.Context(), judge, nil, 0); err != nil {
		t.Fatal(err)
	}
	if value.Dumps(f.Case.Input.Value()) != `{"reply": "XY"}` || f.Signature == first || len(f.Also) != 1 || f.Also[0] != first {
		t.Errorf("%s is %q, also %q", value.Dumps(f.Case.Input.Value()), f.Signature, f.Also)
	}
}

// Tries bound the work, and an error of the judge ends it with the best so far.
func TestShrinkStops(t *testing.T) {
	c := caseOf(t, `{"id": "x", "reply": "a b c d e f g h NEEDLE i j k l m n o p"}`)
	wrong := func(in value.Value) bool { return strings.Contains(value.Dumps(in), "NEEDLE") }
	judge := differing(corpus.ValueDiffers, false, wrong)
	f := &Finding{Case: c, Found: c}
	f.Verdict, f.Signature, _ = f.Ask(t.Context(), judge, nil)
	asked := 0
	counting := func(ctx context.Context, e []engine.Engine, c corpus.Case) ([]Verdict, error) {
		asked++
		return judge(ctx, e, c)
	}
	if err := f.Shrink(t.Context(), counting, nil, 5); err != nil || asked != 5 || f.Shrunk {
		t.Errorf("%d asked, shrunk %v, %v", asked, f.Shrunk, err)
	}
	broken := errors.New("broken")
	failing := func(context.Context, []engine.Engine, corpus.Case) ([]Verdict, error) { return nil, broken }
	if err := f.Shrink(t.Context(), failing, nil, 0); err != broken || f.Shrunk {
		t.Errorf("%v, shrunk %v", err, f.Shrunk)
	}
}
