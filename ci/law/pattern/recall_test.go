package pattern

import (
	"context"
	"fmt"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

// asked asks an engine.
type asked struct{ engine.Engine }

func (a asked) Ask(ctx context.Context, op engine.Op, cases []corpus.Case) ([]corpus.Outcome, error) {
	out := make([]corpus.Outcome, len(cases))
	fuzz.InFlight(len(cases), 16, func(i int) func() {
		return func() { out[i] = a.Do(ctx, engine.Request{Op: op, Case: cases[i].Input}) }
	})
	return out, ctx.Err()
}

// recall is what came of cutting replies of a template by chance.
type recall struct {
	pairs, unstable, predicted int
	missed                     []string
}

// recallOf cuts n replies of a template, and looks whether each that the reference
// then reads otherwise is one that a prediction names the pattern of.
func recallOf(t *testing.T, a asked, template *fuzz.Template, n int, next func(i int) *fuzz.Input) (r recall) {
	taken := Read(template.Spec)
	causes := map[string]bool{}
	for _, part := range taken.Parts {
		for _, p := range taken.cuts(part) {
			causes[part.Path+" "+p.Cause] = true
		}
	}
	var inputs []*fuzz.Input
	var cases []corpus.Case
	for i := range n {
		in := next(i)
		if len(in.Cut.At) == 0 || in.Cut.Inside(in.Reply) {
			continue
		}
		inputs = append(inputs, in)
		cases = append(cases, corpus.Case{Kind: corpus.Parse, Input: in.Case(nil)}, corpus.Case{Kind: corpus.Parse, Input: in.Case(in.Cut.At)})
	}
	got, err := a.Ask(t.Context(), engine.OpParse, cases)
	if err != nil {
		t.Fatal(err)
	}
	for i, in := range inputs {
		whole, cut := got[2*i], got[2*i+1]
		if whole.Kind == corpus.Failed || cut.Kind == corpus.Failed {
			t.Errorf("the reference did not answer: %s%s", whole.Why, cut.Why)
			continue
		}
		r.pairs++
		if Told(whole) == Told(cut) {
			continue
		}
		r.unstable++
		part, cause := taken.Blame(in.Prefix, in.Reply, in.Cut.At)
		if part != nil && causes[part.Path+" "+cause] {
			r.predicted++
			continue
		}
		by := "no part"
		if part != nil {
			by = part.Path + " " + part.Source + " " + cause
		}
		r.missed = append(r.missed, fmt.Sprintf("%s: %s\n  %s\n  %s\n  %s", template.Name, by, value.Dumps(cases[2*i+1].Input.Value()), Told(whole), Told(cut)))
	}
	return r
}

// Whatever cutting by chance finds in a template was predicted of it, with the
// pattern and the cause.
func TestRecall(t *testing.T) {
	public, err := fuzz.Public(t.Context(), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the public templates are not there: %v", err)
	}
	a, n := asked{suite.Reference(t)}, suite.Pairs(t)/2
	var total recall
	for _, template := range append(public, fuzz.Templates()...) {
		r := recallOf(t, a, template, n, func(i int) *fuzz.Input {
			s := fuzz.FromSeed(suite.Seed(template.Name, i))
			in := fuzz.Generate(s, template)
			if s.OneIn(2) {
				in = fuzz.RandomInput(s, template)
			}
			in.Cut = fuzz.CutOf(s, in)
			return in
		})
		t.Logf("%-22s %4d pairs %4d unstable %4d predicted", template.Name, r.pairs, r.unstable, r.predicted)
		for _, m := range r.missed[:min(2, len(r.missed))] {
			t.Errorf("not predicted: %s", m)
		}
		total.pairs, total.unstable, total.predicted = total.pairs+r.pairs, total.unstable+r.unstable, total.predicted+r.predicted
	}
	t.Logf("%d pairs, %d unstable, %d predicted", total.pairs, total.unstable, total.predicted)
	if total.unstable < 20 {
		t.Errorf("cutting by chance found %d: too few to show anything", total.unstable)
	}
}

// Of templates made by chance, too, with every construct that the engine reads.
func TestRecallRandom(t *testing.T) {
	a, n := asked{suite.Reference(t)}, suite.Pairs(t)/10
	var total recall
	for i := range n {
		name := fmt.Sprintf("random-%d", i)
		template, err := fuzz.RandomTemplate(fuzz.FromSeed(suite.Seed("recall", i)), name)
		if err != nil {
			continue // a construct that is not supported
		}
		r := recallOf(t, a, template, 20, func(j int) *fuzz.Input { return fuzz.RandomInput(fuzz.FromSeed(suite.Seed(name, j)), template) })
		total.pairs, total.unstable, total.predicted = total.pairs+r.pairs, total.unstable+r.unstable, total.predicted+r.predicted
		total.missed = append(total.missed, r.missed...)
	}
	t.Logf("%d templates, %d pairs, %d unstable, %d predicted", n, total.pairs, total.unstable, total.predicted)
	if total.predicted*20 < total.unstable*19 {
		t.Error("less than 19 of 20 are predicted")
	}
	for _, m := range total.missed[:min(12, len(total.missed))] {
		t.Log("not predicted: ", m)
	}
}
