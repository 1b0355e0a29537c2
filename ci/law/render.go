package law

// RenderLaws are the laws of prompts and masks. Whether a template repeats itself is
// asked early: of one that does not, no two prompts are compared.
func RenderLaws() []Law {
	return []Law{
		renders, repeats, unprepared, balanced, noPython, appends, ordered, kept, reasoningKept, resultsTold, toolsTold,
		nullAlike, argumentsAlike, opening, dateless, forged, maskPresent, maskOnly, maskStop,
	}
}
