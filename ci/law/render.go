package law

// RenderLaws are the laws of prompts and masks.
func RenderLaws() []Law {
	return []Law{renders, balanced, noPython, appends, ordered, kept, dateless, repeats, toolsTold, nullAlike, argumentsAlike, reasoningKept, resultsTold, opening, forged, maskPresent, maskOnly, maskStop}
}
