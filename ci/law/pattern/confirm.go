package pattern

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Asker answers cases with the reference.
type Asker interface {
	Ask(ctx context.Context, op engine.Op, cases []corpus.Case) ([]corpus.Outcome, error)
}

// Predict gives what the patterns of the template will do, in the order of its
// parts. Nothing is confirmed yet.
func (t *Template) Predict() (out []*Prediction) {
	for _, p := range t.Parts {
		out = append(out, t.cuts(p)...)
		held := t.held(p)
		out = append(out, held...)
		slow := t.slow(p)
		out = append(out, slow...)
		growth := 1.0 // of one search
		for _, s := range slow {
			growth = max(growth, s.Growth)
		}
		for _, h := range held {
			if !h.Mild {
				out = append(out, t.searchedAgain(h, 1+growth))
			}
		}
	}
	return out
}

// searchedAgain is what follows from text that is kept back: the reference looks
// through all of it with every piece that comes. growth is the exponent of it all.
func (t *Template) searchedAgain(h *Prediction, growth float64) *Prediction {
	w := h.candidates[0]
	begin := w.reply[:w.at]
	o := &Prediction{Kind: Slow, Part: h.Part, Cause: heldRate, Engine: "reference", Growth: growth, stream: true,
		Reason: "while it may still match nothing is given away, and what is kept back is searched from its beginning with every piece that comes"}
	o.sizes = func(n int) string { return begin + strings.Repeat(prose, max(n/8, 1)) }
	o.Witness = t.parseCase(o.sizes(8))
	o.Witness.Set("chunks", value.Int(pieces))
	return o
}

// Confirm asks whether the witnesses do what is predicted, and fills Confirmed,
// Shown and Witness. The error is the asker's.
func (t *Template) Confirm(ctx context.Context, asker Asker, predictions []*Prediction) error {
	timed := 0
	for _, p := range predictions {
		var err error
		switch {
		case p.Kind == Cut:
			err = t.confirmCut(ctx, asker, p)
		case p.Kind == Withheld:
			err = t.confirmHeld(ctx, asker, p)
		case p.Engine == "native":
			t.confirmSteps(p)
		case timed == maxTimed:
			p.Reason += ". It was not timed: so many patterns of the template may take long"
		default:
			timed++
			if math.IsInf(p.Growth, 1) {
				err = t.confirmExplosion(ctx, asker, p)
			}
			if err == nil && !p.Confirmed {
				err = t.confirmTime(ctx, asker, p)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// confirmCut reads replies whole and cut. The first that is read otherwise is the
// witness.
func (t *Template) confirmCut(ctx context.Context, asker Asker, p *Prediction) error {
	var cases []corpus.Case
	for i, c := range p.candidates[:min(len(p.candidates), maxCandidates)] {
		id := fmt.Sprintf("%s/%d", p.Case().ID, i)
		cases = append(cases, corpus.Case{ID: id, Kind: corpus.Parse, Input: t.parseCase(c.reply)},
			corpus.Case{ID: id + "-cut", Kind: corpus.Parse, Input: cutAt(t.parseCase(c.reply), c.reply, c.at)})
	}
	got, err := asker.Ask(ctx, engine.OpParse, cases)
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(got); i += 2 {
		whole, cut := Told(got[i]), Told(got[i+1])
		if whole != cut && got[i].Kind != corpus.Failed && got[i+1].Kind != corpus.Failed {
			p.Confirmed, p.Witness = true, cases[i+1].Input
			p.Shown = []Shown{{"whole", whole}, {"in pieces", cut}}
			return nil
		}
	}
	return nil
}

// Told is an outcome of a parse on one line; errors by their class, as parse errors
// are compared.
func Told(o corpus.Outcome) string {
	switch o.Kind {
	case corpus.OK:
		return value.Dumps(o.Value)
	case corpus.Raised:
		return "raises " + o.Class
	}
	return o.Kind.String() + ": " + o.Why
}

// confirmHeld streams the witness, one character at a time, or for a late close in
// one piece, and looks at what the end brings.
func (t *Template) confirmHeld(ctx context.Context, asker Asker, p *Prediction) error {
	w := p.candidates[0]
	in := t.parseCase(w.reply)
	if p.Cause != lateClose {
		in.Set("chunks", value.Int(1))
	}
	got, err := asker.Ask(ctx, engine.OpStream, []corpus.Case{{ID: p.Case().ID, Kind: corpus.Parse, Input: in}})
	if err != nil {
		return err
	}
	if got[0].Kind != corpus.OK {
		return nil
	}
	early, late := Heard(got[0].Value)
	if p.Cause == lateClose {
		p.Confirmed = early.Closes == 0 && late.Closes > 0
	} else {
		p.Confirmed = late.Chars >= len(prose) || t.implicit() == nil && p.Part.Use == Open && late.Opens > 0 && early.Opens == 0
		native := t.native(w.reply)
		if native.Chars >= len(prose) || late.Chars < len(prose) && native.Opens > 0 {
			p.Reason += ". Native Go waits as long"
		} else {
			p.Reason += ". Native Go does not wait"
		}
	}
	p.Witness = in
	p.Shown = []Shown{{"while it comes", early.String()}, {"at its end", late.String()}}
	return nil
}

// Events counts what events tell: regions that open, characters, regions that close.
type Events struct{ Opens, Chars, Closes int }

// Heard counts what the answer to a stream tells while the reply comes, with what
// the prefix gave, and what its end brings.
func Heard(stream value.Value) (early, late Events) {
	early.hear(stream.Get("initial"))
	feeds, _ := stream.Get("feeds").AsArray()
	for _, feed := range feeds.All() {
		early.hear(feed)
	}
	late.hear(stream.Get("final"))
	return early, late
}

func (h *Events) hear(events value.Value) {
	list, _ := events.AsArray()
	for _, e := range list.All() {
		switch kind, _ := e.Get("type").AsString(); kind {
		case "region_open":
			h.Opens++
		case "region_chunk":
			text, _ := e.Get("text").AsString()
			h.Chars += len([]rune(text))
		case "region_close":
			h.Closes++
		}
	}
}

func (h Events) String() string {
	return fmt.Sprintf("%d regions opened, %d characters, %d regions closed", h.Opens, h.Chars, h.Closes)
}

// native gives what native Go tells only at the end of a reply that comes one
// character at a time.
func (t *Template) native(reply string) (late Events) {
	compiled, err := response.Compile(t.Spec)
	if err != nil {
		return late
	}
	prefix := ""
	p, err := compiled.NewParser(response.Options{Prefix: &prefix})
	if err != nil {
		return late
	}
	for _, r := range reply {
		if _, err := p.Feed(string(r)); err != nil {
			return late
		}
	}
	events, _, _ := p.Finalize(harmony.StopUnknown())
	for _, e := range events {
		switch e.Type {
		case harmony.RegionOpen:
			late.Opens++
		case harmony.RegionChunk:
			late.Chars += len([]rune(e.Text))
		case harmony.RegionClose:
			late.Closes++
		}
	}
	return late
}
