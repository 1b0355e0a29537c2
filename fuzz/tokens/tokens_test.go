//go:build tokenizers && cgo

package tokens

import (
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

// sides are the two sides of a checkpoint.
type sides struct {
	reference Answerer
	native    Answerer // nil where the checkpoint's format is not rendered natively
	encoder   token.Encoder
	added     []string // the texts of its added tokens
}

func open(t testing.TB, name string) *sides {
	t.Helper()
	c := checkpoint.Default()
	if name != "" {
		c = named(t, name)
	}
	ref := suite.ReferenceOf(t, name)
	if in, err := ref.Info(t.Context()); err != nil || !slices.Contains(in.Abilities, engine.AbleTokens) {
		t.Fatalf("the reference has no tokenizer of %s's own: %v", name, err)
	}
	encoder, err := token.NewEncoder(c.Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { encoder.Close() })
	vocabulary, err := token.Load(c.Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	s := &sides{reference: ref, encoder: encoder}
	if c.Format() == "beam" {
		s.native = engine.NewNative(c, engine.NativeOptions{})
	}
	for _, a := range vocabulary.Added() {
		s.added = append(s.added, a.Text)
	}
	return s
}

// named gives a shipped or a public checkpoint.
func named(t testing.TB, name string) *checkpoint.Checkpoint {
	if c := checkpoint.Named(name); c != nil {
		return c
	}
	dir, err := reference.Assemble(t.Context(), reference.Recipes().Find(name), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the checkpoint %s is not there: %v", name, err)
	}
	c, err := checkpoint.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// show fails a test with the first differences of a report, and where less than
// least of n cases was compared.
func show(t *testing.T, r *Report, n int, least float64) {
	t.Helper()
	t.Log(r)
	for _, d := range r.Differences[:min(3, len(r.Differences))] {
		t.Error(d)
	}
	for _, f := range r.Failed[:min(3, len(r.Failed))] {
		t.Errorf("the reference did not answer: %s", f)
	}
	if compared := r.Same + len(r.Differences); float64(compared) < least*float64(n) {
		t.Errorf("only %d cases of %d were compared", compared, n)
	}
}

// names are the shipped checkpoints, the default one first, and a public one with
// the vocabulary of a real model.
func names() []string {
	names := []string{""}
	for _, v := range checkpoint.Variants() {
		names = append(names, v.Name)
	}
	return append(names, "gpt-oss-tokens")
}

// Texts, conversations, and every prompt of the corpus that the checkpoint renders.
func TestEncode(t *testing.T) {
	n := suite.Pairs(t)
	cases := slices.DeleteFunc(corpus.Embedded(), func(c corpus.Case) bool {
		return c.Kind != corpus.Render && c.Kind != corpus.Mask || c.Checkpoint != ""
	})
	if len(cases) < 300 {
		t.Errorf("only %d cases of the corpus", len(cases))
	}
	for _, name := range names() {
		t.Run("checkpoint="+name, func(t *testing.T) {
			both := open(t, name)
			run := func(what string, native Answerer, op engine.Op, n int, least float64, next func(i int) *value.Object) {
				t.Run(what, func(t *testing.T) {
					r := (&Differ{native, both.reference}).Run(t.Context(), op, n, next)
					show(t, r, n, least)
					if op == engine.OpMask && (r.Masked == 0 || r.Masked == r.IDs) {
						t.Errorf("%d of %d ids are masked", r.Masked, r.IDs)
					}
				})
			}
			run("texts", Plain{both.encoder}, engine.OpMask, n, 1, both.text)
			run("prompts as texts", Plain{both.encoder}, engine.OpMask, n/4, 1, prompt)
			if both.native == nil {
				return
			}
			run("conversations", both.native, engine.OpMask, n, 0.5, func(i int) *value.Object {
				return conversation.Generate(source("conversation", i)).Case(corpus.Mask, "x").Input
			})
			run("lengths", both.native, engine.OpMask, n/4, 0.3, lengths(false))
			run("safe", both.native, engine.OpEncode, n/4, 0.3, lengths(true))
			of := func(i int) *value.Object { return cases[i].Input }
			run("prompts", both.native, engine.OpEncode, len(cases), 0.5, of)
			run("masks", both.native, engine.OpMask, len(cases), 0.5, of)
		})
	}
}

// lengths makes conversations that truncate, pad and sanitise.
func lengths(safe bool) func(i int) *value.Object {
	return func(i int) *value.Object {
		s := source("lengths", i)
		return Lengths(s, conversation.GenerateOne(s).Input, safe)
	}
}

// prompt is the mask case of a text that is a Beam prompt.
func prompt(i int) *value.Object {
	s := source("prompt", i)
	for {
		if text, err := beam.Render(conversation.Generate(s).Request()); err == nil {
			return Case(s, text)
		}
	}
}

// text is the mask case of text i.
func (s *sides) text(i int) *value.Object {
	choices := source("text", i)
	return Case(choices, Text(choices, s.added))
}

// An encoder with a fault must differ, in the way that its fault is.
func TestPlanted(t *testing.T) {
	both := open(t, "")
	for what, fault := range map[string]func(*token.Encoding){
		"input_ids": func(e *token.Encoding) {
			if len(e.IDs) > 9 {
				e.IDs[9]++
			}
		},
		"offsets": func(e *token.Encoding) { // characters, not bytes
			for i := 1; i < len(e.Offsets); i++ {
				if e.Offsets[i] == e.Offsets[i-1] {
					e.Offsets[i].Start = e.Offsets[i].End - 1
				}
			}
		},
	} {
		native := Plain{faulty{both.encoder, fault}}
		r := (&Differ{native, both.reference}).Run(t.Context(), engine.OpMask, 100, both.text)
		if !slices.ContainsFunc(r.Differences, func(d *Difference) bool { return d.What == what }) {
			t.Errorf("%s: not seen: %v", what, r)
		}
	}
}

// The laws hold with the encoders of the shipped tokenizers.
func TestLawsOfEncoder(t *testing.T) {
	for name, p := range shipped(t) {
		t.Run("checkpoint="+name, func(t *testing.T) {
			encoder, err := token.NewEncoder(p.checkpoint.Tokenizer)
			if err != nil {
				t.Fatal(err)
			}
			defer encoder.Close()
			Laws{p.vocabulary, encoder, beam.RenderSpans}.holds(t, 4*suite.Pairs(t), name == "beam-byte-fallback", forger)
		})
	}
}
