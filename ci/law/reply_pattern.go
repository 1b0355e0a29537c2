package law

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/beamdiff/beamdiff/ci/law/pattern"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// predictions are those of a subject's patterns, made and confirmed once for the
// laws that tell them.
type predictions struct {
	mu  sync.Mutex
	of  *Subject
	all []*pattern.Prediction
}

func (p *predictions) get(ctx context.Context, s *Subject) ([]*pattern.Prediction, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of != s {
		t := pattern.Read(s.ResponseTemplate)
		all := t.Predict()
		if err := t.Confirm(ctx, s.Asker, all); err != nil {
			return nil, err
		}
		p.of, p.all = s, all
	}
	return p.all, nil
}

// tell tells the predictions of a kind. What its witness did not do is possible at
// most.
func (p *predictions) tell(ctx context.Context, s *Subject, kind pattern.Kind, found Found) error {
	all, err := p.get(ctx, s)
	if err != nil {
		return err
	}
	for _, one := range all {
		if one.Kind == kind {
			found(one.Case(), trouble(one))
		}
	}
	return nil
}

// advice is what to do, by kind.
var advice = map[pattern.Kind]string{
	pattern.Cut:      "write the anchor as texts of which none begins or holds another, or so that what follows a complete match cannot change it",
	pattern.Withheld: "let the pattern begin with a text of its own, and bound what it takes before it is certain",
	pattern.Slow:     "bound the run, or let what it takes and what follows it have no character in common",
}

func trouble(p *pattern.Prediction) Trouble {
	t := Trouble{Cause: p.Part.Path + ": " + p.Cause, Advice: advice[p.Kind], Places: templatePlace}
	t.Message = fmt.Sprintf("%s: %s (%s)", p.Part.Path, p.Reason, p.Part.Source)
	switch {
	case !p.Confirmed:
		t.Level, t.Message = report.Note, "possible: "+t.Message
	case p.Mild:
		t.Level = report.Note
	case p.Kind == pattern.Cut && len(p.Shown) > 0:
		t.Level = report.Error
	}
	for _, side := range p.Shown {
		t.Witness.Sides = append(t.Witness.Sides, report.Side{Name: side.Side, Text: side.Text})
	}
	return t
}

func (p *predictions) askStreams(ctx context.Context, s *Subject, found Found) error {
	return p.tell(ctx, s, pattern.Withheld, found)
}

func (p *predictions) askLinear(ctx context.Context, s *Subject, found Found) error {
	return p.tell(ctx, s, pattern.Slow, found)
}

const (
	everyCut   = 120 // characters up to which a reply is cut at each place
	someCuts   = 24  // else so many of them
	cutTurns   = 10  // turns that are cut
	chanceCuts = 200 // replies that are made by chance
	cutSeed    = 20261201
)

func (p *predictions) askCuts(ctx context.Context, s *Subject, found Found) error {
	if err := p.tell(ctx, s, pattern.Cut, found); err != nil {
		return err
	}
	cuts, err := turnCuts(ctx, s)
	if err != nil {
		return err
	}
	more, err := chance(s)
	if err != nil {
		return err
	}
	cuts = append(cuts, more...)
	var wholes, cases []corpus.Case
	for _, c := range cuts {
		wholes, cases = append(wholes, c.whole), append(cases, c.cut)
	}
	want, err := parse(ctx, s, "reply/cuts", wholes)
	if err != nil {
		return err
	}
	got, err := parse(ctx, s, "reply/cuts", cases)
	if err != nil {
		return err
	}
	predicted := slices.ContainsFunc(p.all, func(one *pattern.Prediction) bool { return one.Kind == pattern.Cut && one.Confirmed })
	for i, c := range cuts {
		whole, cut := pattern.Told(want[i]), pattern.Told(got[i])
		if whole == cut {
			found(c.cut)
			continue
		}
		t := Trouble{Cause: c.source, Message: c.source + " is read otherwise in pieces than whole", Places: templatePlace,
			Witness: report.Witness{At: "the message", Sides: []report.Side{{Name: "whole", Text: whole}, {Name: "in pieces", Text: cut}}}}
		if predicted {
			t.Advice = "the findings above name the patterns that do it"
		} else {
			t.Advice = "no pattern of the template was seen to do it: look at the anchors that stand where the reply is cut"
		}
		found(c.cut, t)
	}
	return nil
}

// cutReply is a reply, whole and in pieces.
type cutReply struct {
	whole, cut corpus.Case
	source     string
}

// turnCuts cuts turns that the chat template writes: short ones at each place, long
// ones at some.
func turnCuts(ctx context.Context, s *Subject) (out []cutReply, err error) {
	all, _, err := turns(ctx, s)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t turn) bool { return t.quotes })
	rng := rand.New(rand.NewPCG(cutSeed, 1))
	for i := range min(len(all), cutTurns) {
		t := &all[i*len(all)/min(len(all), cutTurns)]
		n := len([]rune(t.text))
		var at []int
		if n <= everyCut {
			for k := 1; k < n; k++ {
				at = append(at, k)
			}
		} else {
			for range someCuts {
				at = append(at, 1+rng.IntN(n-1))
			}
		}
		for _, k := range at {
			out = append(out, cutReply{t.read("read", t.prompt, t.text), cutCase(t.read(fmt.Sprintf("cut-%d", k), t.prompt, t.text), k), "a turn that the chat template writes"})
		}
		one := t.read("one-by-one", t.prompt, t.text)
		one.Input.Set("chunks", value.Int(1))
		out = append(out, cutReply{t.read("read", t.prompt, t.text), one, "a turn that the chat template writes"})
	}
	return out, nil
}

func cutCase(c corpus.Case, at ...int) corpus.Case {
	list := value.List()
	a, _ := list.AsArray()
	for _, k := range at {
		a.Append(value.Int(int64(k)))
	}
	c.Input.Set("chunks", list)
	return c
}

// chance makes replies by chance from the template's own anchors, and cuts them by
// chance. None where the generators cannot read the template.
func chance(s *Subject) (out []cutReply, err error) {
	t, err := fuzz.NewTemplate(s.Name, s.ResponseTemplate)
	if err != nil {
		return nil, nil
	}
	for i := range uint64(chanceCuts) {
		source := fuzz.FromSeed(cutSeed + i)
		in := fuzz.Generate(source, t)
		in.Cut = fuzz.CutOf(source, in)
		if len(in.Cut.At) == 0 || strings.ContainsRune(in.Reply, 0) {
			continue
		}
		whole, cut := in.Case(nil), in.Case(in.Cut.At)
		for _, o := range []*value.Object{whole, cut} {
			o.Delete("response_template")
			o.Delete("stop")
		}
		id := fmt.Sprintf("check/chance/%d", i)
		out = append(out, cutReply{corpus.Case{ID: id, Kind: corpus.Parse, Input: whole}, corpus.Case{ID: id + "-cut", Kind: corpus.Parse, Input: cut}, "a reply made by chance"})
	}
	return out, nil
}
