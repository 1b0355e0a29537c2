package openai

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Chat makes messages of the chat form out of those of the format, as a reply's go
// back into a conversation: what an assistant writes between two other authors is
// one message, with reasoning, content and calls (ids as calls have them in the
// chat form, from next; nil is [harmony.NewCallID]). The format has no ids: a tool's
// result answers the first call of its name that has no result yet.
//
// Texts of several messages are joined with a line break, as in a [Reply]. Messages
// that no view shows are left out: those that were misread, and those on a channel
// that nobody knows. System and developer messages keep their text.
func Chat(messages []Message, next func() string) []harmony.Message {
	if next == nil {
		next = harmony.NewCallID
	}
	var out []harmony.Message
	open := map[string][]string{} // the ids of calls without a result, by recipient
	for i := range messages {
		m := &messages[i]
		switch {
		case m.Misread:
		case m.Author.Role == harmony.Tool:
			r := harmony.Message{Role: harmony.Tool, Name: ToolName(m.Author.Name), Content: m.Content}
			if ids := open[m.Author.Name]; len(ids) > 0 {
				r.ToolCallID, open[m.Author.Name] = ids[0], ids[1:]
			}
			out = append(out, r)
		case m.Author.Role != harmony.Assistant:
			out = append(out, harmony.Message{Role: m.Author.Role, Name: m.Author.Name, Content: m.Content})
		case m.use() != nothing:
			if n := len(out); n == 0 || out[n-1].Role != harmony.Assistant || i > 0 && messages[i-1].End == MarkReturn {
				out = append(out, harmony.Message{Role: harmony.Assistant, Name: m.Author.Name})
			}
			turn := &out[len(out)-1]
			if id := m.addTo(turn, next); id != "" {
				open[m.Recipient] = append(open[m.Recipient], id)
			}
		}
	}
	return out
}

// addTo adds a message to the turn that it is part of. It gives the id of a call.
func (m *Message) addTo(turn *harmony.Message, next func() string) (id string) {
	add := func(to *string) {
		if *to != "" {
			*to += joinLines
		}
		*to += m.Content
	}
	switch m.use() {
	case reasoning:
		add(&turn.Thinking)
	case answer:
		add(&turn.Content)
	case calling:
		args, _ := m.Arguments()
		id = next()
		turn.ToolCalls = append(turn.ToolCalls, harmony.ToolCall{ID: id, Type: "function", Name: ToolName(m.Recipient), Arguments: args})
	}
	return id
}

// FromChat makes messages of the format out of those of the chat form, as they stand
// in history: an answer ends with <|end|> and a call with <|call|>. Of an assistant's
// message its reasoning comes first, then its content (on the channel commentary
// where calls follow, else final), then its calls. A result is its tool's, which its
// name or the id of its call says.
//
// A tool's name that has a namespace of the built-in tools stays, any other is put
// into functions. The error is a *[harmony.DecodeError]: a content in parts that are
// not text, or a result of no call.
func FromChat(messages []harmony.Message) ([]Message, error) {
	var out []Message
	called := map[string]string{} // recipients by id
	last := ""
	for i := range messages {
		m := &messages[i]
		text, err := contentOf(m, fmt.Sprintf("messages[%d]", i))
		if err != nil {
			return nil, err
		}
		switch m.Role {
		case harmony.Assistant:
			from := Author{Role: harmony.Assistant, Name: m.Name}
			if m.Thinking != "" {
				out = append(out, Message{Author: from, Channel: Analysis, Content: m.Thinking, End: MarkEnd})
			}
			if text != "" || len(m.ToolCalls) == 0 && m.Thinking == "" {
				channel := Final
				if len(m.ToolCalls) > 0 {
					channel = Commentary
				}
				out = append(out, Message{Author: from, Channel: channel, Content: text, End: MarkEnd})
			}
			for j := range m.ToolCalls {
				c := callMessage(&m.ToolCalls[j])
				c.Author = from
				called[m.ToolCalls[j].ID], last = c.Recipient, c.Recipient
				out = append(out, c)
			}
		case harmony.Tool:
			name := called[m.ToolCallID]
			switch {
			case m.Name != "":
				name = recipient(m.Name)
			case name == "":
				name = last
			}
			if name == "" {
				return nil, &harmony.DecodeError{Path: fmt.Sprintf("messages[%d].tool_call_id", i), Want: "the id of a call before it", Got: fmt.Sprintf("%q", m.ToolCallID)}
			}
			out = append(out, Message{Author: Author{Role: harmony.Tool, Name: name}, Recipient: harmony.Assistant,
				Channel: channelOf(name), Content: text, End: MarkEnd})
		default:
			out = append(out, Message{Author: Author{Role: m.Role, Name: m.Name}, Content: text, End: MarkEnd})
		}
	}
	return out, nil
}

// callMessage is a call as a message.
func callMessage(c *harmony.ToolCall) Message {
	m := Message{Recipient: recipient(c.Name), ContentType: ContentJSON, End: MarkCall}
	m.Channel = channelOf(m.Recipient)
	switch text, is := c.Arguments.AsString(); {
	case is:
		m.Content = text
	case c.Arguments.IsNull():
		m.Content = "{}"
	default:
		m.Content = string(value.Append(nil, c.Arguments, value.ToJSON))
	}
	if m.Recipient == python {
		m.ContentType = ""
	}
	return m
}

// recipient is a tool's name with its namespace.
func recipient(name string) string {
	if isToolName(name) {
		return name
	}
	return functions + name
}

// channelOf is the channel on which a tool is called and answers: the built-in ones
// are part of the reasoning (the notes, on the built-in tools).
func channelOf(recipient string) string {
	if strings.HasPrefix(recipient, functions) {
		return Commentary
	}
	return Analysis
}

// contentOf is the text of a message.
func contentOf(m *harmony.Message, path string) (string, error) {
	if m.Parts == nil {
		return m.Content, nil
	}
	var b strings.Builder
	for i, p := range m.Parts {
		if p.Type != "text" {
			return "", &harmony.DecodeError{Path: fmt.Sprintf("%s.content[%d]", path, i), Want: "text", Got: fmt.Sprintf("%q", p.Type)}
		}
		b.WriteString(p.Text)
	}
	return b.String(), nil
}

// Append appends the message as the format has it, the recipient before the channel:
// what [Parse] of a conversation reads as the same message. A message that was cut
// has no end.
func (m *Message) Append(dst []byte) []byte {
	dst = append(append(dst, MarkStart...), m.Author.String()...)
	if m.Recipient != "" {
		dst = append(append(dst, " to="...), m.Recipient...)
	}
	if m.Channel != "" {
		dst = append(append(dst, MarkChannel...), m.Channel...)
	}
	if m.ContentType != "" {
		dst = append(append(dst, ' '), m.ContentType...)
	}
	dst = append(append(dst, MarkMessage...), m.Content...)
	return append(dst, m.End...)
}

// AppendHistory appends messages as history has them: with <|end|> where the model
// stopped with <|return|>, or was cut (the notes, on what is kept of a reply); a
// call keeps its end, or gets it.
func AppendHistory(dst []byte, messages []Message) []byte {
	for _, m := range messages {
		switch {
		case m.IsCall() && m.End == "":
			m.End = MarkCall
		case m.End == "", m.End == MarkReturn:
			m.End = MarkEnd
		}
		dst = m.Append(dst)
	}
	return dst
}
