package law

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/law/pattern"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

const (
	everyCut   = 120 // characters up to which a reply is cut at each place
	someCuts   = 24  // else so many of them
	cutTurns   = 10  // turns that are cut
	chanceCuts = 200 // replies that are made by chance
	cutSeed    = 20261201
)

// onlyInToken says what makes a cut that misleads milder.
const onlyInToken = " (only where a token of the vocabulary is cut, which comes whole from most servers)"

func askCuts(ctx context.Context, s *Subject, found Found) error {
	p, err := s.predicted(ctx)
	if err != nil {
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
	for i, c := range cuts {
		whole, cut := pattern.Told(want[i]), pattern.Told(got[i])
		if whole == cut {
			found(c.cut)
			continue
		}
		shown := []report.Side{{Name: "whole", Text: whole}, {Name: "in pieces", Text: cut}}
		t := p.explain(c, shown)
		t.Witness = report.Witness{At: "the message", Sides: shown}
		if inToken(s, c.cut) {
			t.Level, t.Message = report.Warning, t.Message+onlyInToken
			t.Cause += ", inside a token"
		}
		found(c.cut, t)
	}
	return tellPredicted(ctx, s, pattern.Cut, found)
}

// explain is the trouble of a reply that is read otherwise in pieces: that of the
// prediction which it bears out, where there is one.
func (p *predictions) explain(c cutReply, shown []report.Side) Trouble {
	prefix, _ := c.cut.Input.Get("prefix")
	reply, _ := c.cut.Input.Get("reply")
	part, cause := p.Blame(text(prefix), text(reply), cutsOf(c.cut))
	for _, one := range p.all {
		if part != nil && one.Kind == pattern.Cut && one.Part.Path == part.Path && one.Cause == cause {
			if !one.Confirmed {
				one.Confirmed, one.Witness = true, c.cut.Input
				for _, side := range shown {
					one.Shown = append(one.Shown, pattern.Shown{Side: side.Name, Text: side.Text})
				}
			}
			return trouble(one)
		}
	}
	return Trouble{Cause: c.source, Message: c.source + " is read otherwise in pieces than whole", Places: templatePlace,
		Advice: "no pattern was predicted to do it: look at the anchors that stand where the reply is cut"}
}

// cutsOf are the places where a case is cut, in bytes.
func cutsOf(c corpus.Case) (at []int) {
	reply, _ := c.Input.Get("reply")
	chunks, _ := c.Input.Get("chunks")
	if n, ok := chunks.AsInt(); ok {
		for i := range text(reply) {
			if i > 0 && n == 1 {
				at = append(at, i)
			}
		}
		return at
	}
	index := corpus.NewIndex(text(reply))
	list, _ := chunks.AsArray()
	for _, v := range list.All() {
		n, _ := v.AsInt()
		if i, ok := index.Byte(int(n)); ok {
			at = append(at, i)
		}
	}
	return at
}

// inToken tells whether every cut of a reply is inside an added token.
func inToken(s *Subject, c corpus.Case) bool {
	reply, _ := c.Input.Get("reply")
	at := cutsOf(c)
	return len(at) > 0 && !slices.ContainsFunc(at, func(i int) bool {
		return !slices.ContainsFunc(s.Added, func(token string) bool { return within(text(reply), token, i) })
	})
}

// within tells whether a byte of a text is inside an occurrence of a token, not at
// its ends.
func within(text, token string, at int) bool {
	for from := max(0, at-len(token)+1); from < at && token != ""; from++ {
		if strings.HasPrefix(text[from:], token) {
			return true
		}
	}
	return false
}

// cutReply is a reply, whole and in pieces.
type cutReply struct {
	whole, cut corpus.Case
	source     string
}

// turnCuts cuts turns that the chat template writes: short ones at each place, long
// ones at some.
func turnCuts(ctx context.Context, s *Subject) (out []cutReply, err error) {
	written, err := s.turns(ctx)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(slices.Clone(written.turns), func(t turn) bool { return t.quotes })
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
