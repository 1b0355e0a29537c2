package law

// ReplyLaws are the laws of reading.
func ReplyLaws() []Law { return nil }
