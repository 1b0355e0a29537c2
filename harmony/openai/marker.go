package openai

// The markers of the format, each one special token of the model's tokenizer.
const (
	MarkStart     = "<|start|>"
	MarkEnd       = "<|end|>"
	MarkMessage   = "<|message|>"
	MarkChannel   = "<|channel|>"
	MarkConstrain = "<|constrain|>"
	MarkReturn    = "<|return|>"
	MarkCall      = "<|call|>"
)

// Markers are the markers of the format.
func Markers() []string {
	return []string{MarkStart, MarkEnd, MarkMessage, MarkChannel, MarkConstrain, MarkReturn, MarkCall}
}

// StopTokens are the markers at which the model stops: the end of an answer and
// that of a call.
func StopTokens() []string { return []string{MarkReturn, MarkCall} }
