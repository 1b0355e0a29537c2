package law

import "context"

// RenderLaws are the laws of prompts and masks, none of them asked where there is
// no chat template. Whether a template repeats itself is asked early: of one that
// does not, no two prompts are compared.
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
