package render

import (
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Answer is a reply of the model to a prompt of one message, with tools.
type Answer struct {
	Reply string
	Tools []value.Value
}

// conversation is the conversation that the reply answers.
func (a *Answer) conversation() *conversation.Conversation {
	in := value.NewObject(2)
	in.Set("messages", value.List(value.Members(value.Member{Name: "role", Value: value.String("user")}, value.Member{Name: "content", Value: value.String("Hi")})))
	if a.Tools != nil {
		in.Set("tools", value.List(a.Tools...))
	}
	return &conversation.Conversation{Input: in}
}

// spellings are two ways of writing the same turn: as the template does, and as a
// model may.
var spellings = [][2]string{
	{"\n</rfl:parameter>", "</rfl:parameter>"}, {"\">\n", "\">"}, {"</rfl:parameter>\n<rfl", "</rfl:parameter><rfl"}, {"</rfl:parameter>\n<rfl", "</rfl:parameter> \n<rfl"},
	{": ", ":"}, {", ", ","}, {"1", "1.0"}, {beam.MarkEnd, beam.MarkReturn}, {beam.MarkEnd, ""}, {beam.MarkCall, beam.MarkEnd}, {assistantHead, ""},
	{beam.MarkEnd + assistantHead, assistantHead}, {assistantHead, assistantHead + assistantHead}, {" <|constrain|>xml", ""}, {"analysis", "final"},
}

// AnswerOf makes a reply of a turn of a conversation: as it is written there, cut
// anywhere, or spelled in another way. nil where there is no turn to take.
func AnswerOf(s *fuzz.Source, c *conversation.Conversation) *Answer {
	req := c.Request()
	if req.Continue != "" {
		return nil
	}
	made, err := beam.RenderSpans(req)
	if err != nil || len(made.Spans) == 0 {
		return nil
	}
	span := made.Spans[s.N(len(made.Spans))]
	a := &Answer{Reply: made.Text[span.Start:span.End]}
	for _, t := range req.Tools {
		a.Tools = append(a.Tools, t.Def)
	}
	switch s.N(4) {
	case 1:
		at := s.N(len(a.Reply) + 1)
		for at > 0 && at < len(a.Reply) && !utf8.RuneStart(a.Reply[at]) {
			at--
		}
		a.Reply = a.Reply[:at]
	case 2, 3:
		for n := s.N(2); n >= 0; n-- {
			pair := spellings[s.N(len(spellings))]
			a.Reply = strings.Replace(a.Reply, pair[0], pair[1], fuzz.Pick(s, 1, -1))
		}
	}
	return a
}
