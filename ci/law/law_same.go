package law

import (
	"context"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

var dateless = Law{
	Rule: rule("render/date", report.Warning, "The same conversation gives the same prompt on another day"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		if !strings.Contains(s.ChatTemplate, "strftime_now") || s.random { // the only clock there is
			return nil
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
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		var again []corpus.Case
		var first []string
		for _, r := range shapes {
			if p, ok := r.last(); ok && r.Core {
				first = append(first, p)
				// The default, said: the same request in other words, which is asked anew.
				again = append(again, with(r.Last().Prompt, "again", member("add_generation_prompt", value.Bool(true))))
			}
		}
		got, err := s.Asker.Ask(ctx, engine.OpRender, again)
		if err != nil {
			return err
		}
		for i, c := range again {
			second, _ := promptOf(got[i])
			s.random = s.random || second != first[i]
			if second == first[i] {
				found(c)
				continue
			}
			at := common(first[i], second)
			found(c, Trouble{
				Cause:   "not repeatable",
				Message: "a second rendering of the same request gives another prompt",
				Advice:  "use no filter that chooses at random, and print no object of Python's",
				Witness: report.Witness{At: "the prompt", Sides: []report.Side{{Name: "first", Text: window(first[i], at)}, {Name: "second", Text: window(second, at)}}},
				wrote:   wrote(at),
			})
		}
		return nil
	},
}
