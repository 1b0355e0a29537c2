package law

import (
	"context"
	"fmt"

	"github.com/beamdiff/beamdiff/ci/law/pattern"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// predictions are those of a subject's patterns, made and confirmed once for the
// laws that tell them.
type predictions struct {
	*pattern.Template
	all []*pattern.Prediction
}

// predicted makes the predictions of the response template, once.
func (s *Subject) predicted(ctx context.Context) (*predictions, error) {
	if s.patterns == nil {
		t := pattern.Read(s.ResponseTemplate)
		all := t.Predict()
		if err := t.Confirm(ctx, s.Asker, all); err != nil {
			return nil, err
		}
		s.patterns = &predictions{t, all}
	}
	return s.patterns, nil
}

// tellPredicted tells the predictions of a kind. What its witness did not do is
// possible at most, and of what was not looked at that is told.
func tellPredicted(ctx context.Context, s *Subject, kind pattern.Kind, found Found) error {
	p, err := s.predicted(ctx)
	if err != nil {
		return err
	}
	for _, part := range p.Parts {
		harmless := true
		for _, one := range p.all {
			if one.Part == part && one.Kind == kind {
				harmless = false
				t := trouble(one)
				if kind == pattern.Cut && t.Level == "" && inToken(s, one.Case()) {
					t.Level, t.Message = report.Warning, t.Message+onlyInToken
				}
				found(one.Case(), t)
			}
		}
		if harmless {
			found(corpus.Case{ID: "pattern/" + part.Path + "/" + string(kind)})
		}
	}
	for _, unread := range p.Unread {
		found(corpus.Case{ID: "pattern/unread/" + string(kind)}, Trouble{Level: report.Note, Cause: "not predicted " + unread, Places: templatePlace,
			Message: "nothing is predicted of " + unread})
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
	t := Trouble{Cause: p.Part.Path + ": " + p.Cause, Advice: advice[p.Kind],
		Places: []report.Place{{File: "response_template", Text: p.Part.Path + ": " + p.Part.Source}}}
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

func askStreams(ctx context.Context, s *Subject, found Found) error {
	if err := tellPredicted(ctx, s, pattern.Withheld, found); err != nil {
		return err
	}
	return streamTurns(ctx, s, found)
}

func askLinear(ctx context.Context, s *Subject, found Found) error {
	return tellPredicted(ctx, s, pattern.Slow, found)
}

// streamTurns streams turns one character at a time, and looks whether some text of
// them is shown before they end.
func streamTurns(ctx context.Context, s *Subject, found Found) error {
	written, err := s.turns(ctx)
	if err != nil {
		return err
	}
	var cases []corpus.Case
	for i := range written.turns {
		t := &written.turns[i]
		if content := flat(t.message.Get("content")); t.quotes || len(content) < 12 || !t.wrote(content) {
			continue // nothing that a person would wait for
		}
		c := t.read("streamed", t.prompt, t.text)
		c.Input.Set("chunks", value.Int(1))
		cases = append(cases, c)
	}
	got, err := s.answered(ctx, "reply/streams", engine.OpStream, cases)
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
