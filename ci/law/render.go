package law

import "context"

// RenderLaws are the laws of prompts and masks, none of them asked where there is
// no chat template. No two prompts are compared of a template that does not repeat
// itself.
func RenderLaws() []Law {
	laws := []Law{
		renders, repeats, unprepared, balanced, noPython, appends, ordered, kept, reasoningKept, resultsTold, toolsTold,
		nullAlike, argumentsAlike, opening, dateless, forged, maskPresent, maskOnly, maskStop,
	}
	for i, law := range laws {
		laws[i].Ask = func(ctx context.Context, s *Subject, found Found) error {
			if s.ChatTemplate == "" {
				return nil
			}
			return law.Ask(ctx, s, found)
		}
	}
	return laws
}
