package beam

// The markers of Beam Harmony (the page, "Messages"). Each is one token of
// Beam's vocabulary; of the seven only Return is a special token.
const (
	MarkStart     = "<|start|>"     // starts a message; the speaker follows
	MarkChannel   = "<|channel|>"   // names the channel
	MarkConstrain = "<|constrain|>" // names the form of a call's arguments
	MarkMessage   = "<|message|>"   // starts the body
	MarkEnd       = "<|end|>"       // ends a message; the turn goes on
	MarkCall      = "<|call|>"      // ends a call and hands over to the tool
	MarkReturn    = "<|return|>"    // ends the final answer
)

// Markers gives the seven markers.
func Markers() []string {
	return []string{MarkStart, MarkChannel, MarkConstrain, MarkMessage, MarkEnd, MarkCall, MarkReturn}
}

// StopTokens gives the tokens at which a server stops generating.
func StopTokens() []string { return []string{MarkReturn, MarkCall} }

// What stands between the texts of a prompt.
const (
	assistantHead = MarkStart + "assistant"
	analysisHead  = MarkChannel + "analysis" + MarkMessage
	finalHead     = MarkChannel + "final" + MarkMessage
	callHead      = MarkChannel + "analysis " + MarkConstrain + "xml" + MarkMessage
	resultHead    = " to=assistant" + MarkChannel + "analysis" + MarkMessage

	closeParameter = "</rfl:parameter>"
)
