package law

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
)

var opening = Law{
	Rule: rule("render/generation-prompt", report.Warning, "The generation prompt is added at the end, and opens the model's turn"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		m, shapes, err := s.compared(ctx)
		if err != nil {
			return err
		}
		for _, r := range shapes {
			open, ok := r.last()
			closed, ok2 := promptOf(r.closed)
			last := r.Last().Messages[len(r.Last().Messages)-1]
			if !ok || !ok2 || text(last.Get("role")) != "user" || !r.Core {
				continue
			}
			c := r.Last().Prompt
			switch at := common(open, closed); {
			case open == closed && !strings.Contains(s.ChatTemplate, "add_generation_prompt"):
				b := balance{m: m, r: r, prompt: closed, withdrawn: closed}
				if b.pairs(0); !slices.ContainsFunc(b.troubles, func(t Trouble) bool { return strings.HasPrefix(t.Cause, "left open") }) {
					found(c) // a format in which the user's end is the model's beginning
					continue
				}
				found(c, Trouble{Cause: "always", Message: "the model's turn is opened whether or not add_generation_prompt is set: a finished conversation, for training say, cannot be written",
					Advice: "open the model's turn where add_generation_prompt is set", wrote: wrote(len(closed) - 1)})
			case open == closed:
				found(c, Trouble{Cause: "none", Message: "add_generation_prompt changes nothing", Advice: "write what opens the model's turn where it is set"})
			case at < lastText(closed, r.Last()): // behind it, what ends a conversation may stand instead
				found(c, Trouble{Cause: "not at the end", Message: fmt.Sprintf("%s: add_generation_prompt changes the prompt before its end", r.ID),
					Advice:  "write the generation prompt after everything else",
					Witness: report.Witness{At: "the prompt", Sides: []report.Side{{Name: "with", Text: window(open, at)}, {Name: "without", Text: window(closed, at)}}}, wrote: wrote(at)})
			default:
				found(c)
			}
		}
		return nil
	},
}
