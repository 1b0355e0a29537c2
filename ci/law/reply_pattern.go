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
	"github.com/beamdiff/beamdiff/reference/engine"
)

// predictions are those of a subject's patterns, made and confirmed once for the
// laws that tell them.
type predictions struct {
	mu    sync.Mutex
	of    *Subject
	parts []*pattern.Part
	all   []*pattern.Prediction
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
		p.of, p.parts, p.all = s, t.Parts, all
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
	for _, part := range p.parts {
		harmless := true
		for _, one := range all {
			if one.Part == part && one.Kind == kind {
				harmless = false
				t := trouble(one)
				if kind == pattern.Cut && t.Level == "" && inToken(s, one.Case()) {
					t.Level, t.Message = report.Warning, t.Message+" (only where a token of the vocabulary is cut, which comes whole from most servers)"
				}
				found(one.Case(), t)
			}
		}
		if harmless {
			found(corpus.Case{ID: "pattern/" + part.Path + "/" + string(kind)})
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
	case p.Kind == pattern.Slow && p.Growth < 2.5:
		t.Level = report.Warning
	}
	for _, side := range p.Shown {
		t.Witness.Sides = append(t.Witness.Sides, report.Side{Name: side.Side, Text: side.Text})
	}
	return t
}

func (p *predictions) askStreams(ctx context.Context, s *Subject, found Found) error {
	if err := p.tell(ctx, s, pattern.Withheld, found); err != nil {
		return err
	}
	return streamTurns(ctx, s, found)
}

func (p *predictions) askLinear(ctx context.Context, s *Subject, found Found) error {
	return p.tell(ctx, s, pattern.Slow, found)
}

// streamTurns streams turns one character at a time, and looks whether some text of
// them is shown before they end.
func streamTurns(ctx context.Context, s *Subject, found Found) error {
	all, _, err := turns(ctx, s)
	if err != nil {
		return err
	}
	var cases []corpus.Case
	for i := range all {
		t := &all[i]
		if content := flat(t.message.Get("content")); t.quotes || len(content) < 12 || !t.wrote(content) {
			continue // nothing that a person would wait for
		}
		c := t.read("streamed", t.prompt, t.text)
		c.Input.Set("chunks", value.Int(1))
		cases = append(cases, c)
	}
	got, err := s.Asker.Ask(ctx, engine.OpStream, cases)
	if err != nil {
		return err
	}
	for i, o := range got {
		if o.Kind != corpus.OK {
			continue // reply/reads-back tells what cannot be read
		}
		early, late := pattern.Heard(o.Value)
		if early.Chars > 0 || late.Chars == 0 {
			found(cases[i])
			continue
		}
		found(cases[i], Trouble{Cause: "a turn", Message: "nothing of the turn is shown before it has ended", Places: templatePlace,
			Witness: report.Witness{At: "the events", Sides: []report.Side{{Name: "while it comes", Text: early.String()}, {Name: "at its end", Text: late.String()}}}})
	}
	return nil
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
	for i, c := range cuts {
		whole, cut := pattern.Told(want[i]), pattern.Told(got[i])
		if whole == cut {
			found(c.cut)
			continue
		}
		t := p.explain(c)
		t.Witness = report.Witness{At: "the message", Sides: []report.Side{{Name: "whole", Text: whole}, {Name: "in pieces", Text: cut}}}
		if inToken(s, c.cut) {
			t.Level, t.Message = report.Warning, t.Message+" (only where a token of the vocabulary is cut, which comes whole from most servers)"
			t.Cause += ", inside a token"
		}
		found(c.cut, t)
	}
	return nil
}

// explain is the trouble of a reply that is read otherwise in pieces: that of the
// pattern that was predicted to do it, where there is only one.
func (p *predictions) explain(c cutReply) Trouble {
	var by []*pattern.Prediction
	for _, one := range p.all {
		if one.Kind == pattern.Cut && one.Confirmed {
			by = append(by, one)
		}
	}
	switch len(by) {
	case 1:
		return trouble(by[0])
	case 0:
		return Trouble{Cause: c.source, Message: c.source + " is read otherwise in pieces than whole", Places: templatePlace,
			Advice: "no pattern of the template was seen to do it: look at the anchors that stand where the reply is cut"}
	}
	return Trouble{Cause: "one of several patterns", Message: c.source + " is read otherwise in pieces than whole", Places: templatePlace,
		Advice: "the other findings of this rule name the patterns that do it"}
}

// inToken tells whether every cut of a reply is inside an added token.
func inToken(s *Subject, c corpus.Case) bool {
	reply, _ := c.Input.Get("reply")
	chunks, _ := c.Input.Get("chunks")
	list, ok := chunks.AsArray()
	if !ok || list.Len() == 0 {
		return false
	}
	index := corpus.NewIndex(text(reply))
	for _, v := range list.All() {
		n, _ := v.AsInt()
		at, _ := index.Byte(int(n))
		if !slices.ContainsFunc(s.Added, func(token string) bool { return within(text(reply), token, at) }) {
			return false
		}
	}
	return true
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
