package law

import (
	"context"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

var dateless = Law{
	Rule: rule("render/date", report.Warning, "The same conversation gives the same prompt on another day"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		if !strings.Contains(s.ChatTemplate, "strftime_now") { // the only clock there is
			return nil
		}
		if random, err := s.random(ctx); err != nil || random {
			return err
		}
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		var days [2][]corpus.Case
		for _, r := range shapes {
			for i, day := range []string{"2024-02-29", "2031-11-08"} {
				days[i] = append(days[i], with(r.Last().Prompt, day, member("date", value.String(day))))
			}
		}
		var got [2][]corpus.Outcome
		for i := range days {
			if got[i], err = s.Asker.Ask(ctx, engine.OpRender, days[i]); err != nil {
				return err
			}
		}
		for i, c := range days[0] {
			one, ok := promptOf(got[0][i])
			other, ok2 := promptOf(got[1][i])
			if !ok || !ok2 {
				continue
			}
			if one == other {
				found(c)
				continue
			}
			at := common(one, other)
			found(c, Trouble{
				Cause:   "date",
				Message: "the prompt holds the day on which it was rendered: every kept prompt is of no use the next day",
				Advice:  "let the caller give the date, in a message or an argument of the template, and leave it out where none is given",
				Witness: report.Witness{At: "the prompt", Sides: []report.Side{{Name: "2024-02-29", Text: window(one, at)}, {Name: "2031-11-08", Text: window(other, at)}}},
				wrote:   wrote(at),
			})
		}
		return nil
	},
}

var repeats = Law{
	Rule: rule("render/repeatable", report.Error, "The same conversation gives the same prompt when it is rendered again"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		all, err := s.repetitions(ctx)
		if err != nil {
			return err
		}
		var failed error
		for _, r := range all {
			if err := unanswered("render/repeatable", r.of, r.again); err != nil {
				failed = err
				continue
			}
			if !r.differs() {
				found(r.of)
				continue
			}
			second, _ := promptOf(r.again)
			at := common(r.first, second)
			found(r.of, Trouble{
				Cause:   "not repeatable",
				Message: "a second rendering of the same request gives another prompt",
				Advice:  "use no filter that chooses at random, and print no object of Python's",
				Witness: report.Witness{At: "the prompt", Sides: []report.Side{{Name: "first", Text: window(r.first, at)}, {Name: "second", Text: window(second, at)}}},
				wrote:   wrote(at),
			})
		}
		return failed
	},
}

// repetition is a prompt and what a second rendering gave.
type repetition struct {
	of    corpus.Case
	first string
	again corpus.Outcome
}

// differs tells whether the template gave another prompt, or none; what the engine
// could not answer tells nothing.
func (r repetition) differs() bool {
	second, _ := promptOf(r.again)
	return second != r.first && unanswered("", r.of, r.again) == nil
}

// repetitions renders the core shapes once more.
func (s *Subject) repetitions(ctx context.Context) ([]repetition, error) {
	if s.repeated != nil {
		return s.repeated, nil
	}
	shapes, err := s.rendered(ctx)
	if err != nil {
		return nil, err
	}
	var again []corpus.Case
	all := []repetition{}
	for _, r := range shapes {
		if p, ok := r.last(); ok && r.Core {
			// The default, said: the same request in other words, which is asked anew.
			c := with(r.Last().Prompt, "again", member("add_generation_prompt", value.Bool(true)))
			again, all = append(again, c), append(all, repetition{of: c, first: p})
		}
	}
	got, err := s.Asker.Ask(ctx, engine.OpRender, again)
	if err != nil {
		return nil, err
	}
	for i, o := range got {
		all[i].again = o
	}
	s.repeated = all
	return all, nil
}

// compared are the markers and the shapes, for a law that compares prompts; none of
// a template that does not repeat itself.
func (s *Subject) compared(ctx context.Context) (*markers, []*rendered, error) {
	if random, err := s.random(ctx); err != nil || random {
		return nil, nil, err
	}
	m, err := s.findMarkers(ctx)
	if err != nil {
		return nil, nil, err
	}
	shapes, err := s.rendered(ctx)
	return m, shapes, err
}

// random tells whether the template does not repeat itself: then no two prompts can
// be compared.
func (s *Subject) random(ctx context.Context) (bool, error) {
	all, err := s.repetitions(ctx)
	return slices.ContainsFunc(all, repetition.differs), err
}
