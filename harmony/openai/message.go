package openai

import "github.com/beamdiff/beamdiff/harmony"

// The channels that the notes name.
const (
	Analysis   = "analysis"   // reasoning, not for the user
	Commentary = "commentary" // calls, and what the user is told before them
	Final      = "final"      // the answer
)

// ContentJSON is the content type of a body that the model was held to write as
// JSON, as [Message.ContentType] has it.
const ContentJSON = MarkConstrain + "json"

// Author is who a message is from: assistant, user:alice, or a tool by its name.
type Author struct {
	// Role is one of the roles of package harmony; [harmony.Tool] for every author
	// that is no role.
	Role string
	// Name stands behind the role and a colon; of a tool it is all that is written.
	Name string
}

func (a Author) String() string {
	switch {
	case a.Role == harmony.Tool && a.Name != "":
		return a.Name
	case a.Name != "":
		return a.Role + ":" + a.Name
	}
	return a.Role
}

// Message is one message of the format, as it was written:
//
//	<|start|>AUTHOR to=RECIPIENT<|channel|>CHANNEL CONTENT_TYPE<|message|>CONTENT END
//
// The zero value of a field means that it was not written.
type Message struct {
	Author    Author
	Recipient string // with its namespace: functions.f, browser.search, python, all
	Channel   string
	// ContentType is the type of the content: json, code, or with its marker,
	// <|constrain|>json.
	ContentType string
	// Content is the body byte for byte, but for markers that have no place in it
	// (a [harmony.Problem] tells each).
	Content string

	// End is the marker that closed the message: <|end|>, <|return|> or <|call|>; ""
	// where there was none.
	End string
	// Span is the whole message with its markers, Body what stands between
	// <|message|> and the end. Bytes of the reply, negative in the prefix.
	Span, Body harmony.Span
	// Misread tells that the header does not fit the grammar, so that nobody can say
	// what the content is: no view shows it.
	Misread bool
}

// use is what the message is to a chat client.
type use uint8

const (
	nothing use = iota
	reasoning
	answer
	calling
)

var useFields = [...]string{"", fieldThinking, fieldContent, fieldCalls}

// IsCall tells whether the message calls a tool: its recipient decides, whatever
// its channel is.
func (m *Message) IsCall() bool { return m.use() == calling }

// use tells what a chat client sees of the message.
func (m *Message) use() use {
	switch {
	case m.Misread || m.Author.Role != harmony.Assistant:
		return nothing
	case m.Recipient != "" && m.Recipient != harmony.Assistant && m.Recipient != harmony.User && m.Recipient != everyone:
		return calling
	case m.Channel == Analysis:
		return reasoning
	case m.Channel == Final, m.Channel == Commentary:
		return answer
	}
	return nothing
}

// everyone is the recipient of a message that is for all.
const everyone = "all"
