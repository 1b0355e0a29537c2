package law

// RenderLaws are the laws of prompts and masks.
func RenderLaws() []Law { return nil }
