package chat

import (
	"strconv"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// AppendDelta appends choices[0].delta of a chunk: {"role":"assistant",
// "content":"Hi"}, {"reasoning_content":"Hm"}, {"tool_calls":[{"index":0, …}]},
// or {} for the finish reason, which stands beside the delta.
func (v *View) AppendDelta(dst []byte, d Delta) []byte {
	w := object{dst: append(dst, '{')}
	w.text("role", d.Role)
	w.text(v.made().o.ReasoningKey, d.Reasoning)
	w.text("content", d.Content)
	if d.Call != nil {
		w.name("tool_calls")
		w.dst = append(w.dst, `[{"index":`...)
		w.dst = strconv.AppendInt(w.dst, int64(d.Call.Index), 10)
		w.dst = append(w.dst, ',')
		w.dst = append(appendCall(w.dst, d.Call), ']')
	}
	return append(w.dst, '}')
}

// AppendChunk appends choices[0] of a chunk:
// {"index":0,"delta":{…},"finish_reason":null}.
func (v *View) AppendChunk(dst []byte, d Delta) []byte {
	dst = v.AppendDelta(append(dst, `{"index":0,"delta":`...), d)
	return appendReason(dst, d.FinishReason)
}

// AppendMessage appends a message: the content is null where there is none but
// calls.
func (v *View) AppendMessage(dst []byte, m Message) []byte {
	w := object{dst: append(dst, '{')}
	w.text("role", m.Role)
	w.text(v.made().o.ReasoningKey, m.Reasoning)
	w.name("content")
	if m.Content == "" && m.Calls != nil {
		w.dst = append(w.dst, "null"...)
	} else {
		w.dst = appendString(w.dst, m.Content)
	}
	for i := range m.Calls {
		if i == 0 {
			w.name("tool_calls")
			w.dst = append(w.dst, '[')
		} else {
			w.dst = append(w.dst, ',')
		}
		w.dst = appendCall(append(w.dst, '{'), &m.Calls[i])
	}
	if m.Calls != nil {
		w.dst = append(w.dst, ']')
	}
	return append(w.dst, '}')
}

// AppendChoice appends choices[0] of a whole completion:
// {"index":0,"message":{…},"finish_reason":"stop"}.
func (v *View) AppendChoice(dst []byte, c Completion) []byte {
	dst = v.AppendMessage(append(dst, `{"index":0,"message":`...), c.Message)
	return appendReason(dst, c.FinishReason)
}

func appendReason(dst []byte, reason string) []byte {
	dst = append(dst, `,"finish_reason":`...)
	if reason == "" {
		return append(dst, "null}"...)
	}
	return append(appendString(dst, reason), '}')
}

// appendCall appends the members of a call and the brace behind them.
func appendCall(dst []byte, c *Call) []byte {
	dst = appendString(append(dst, `"id":`...), c.ID)
	dst = appendString(append(dst, `,"type":"function","function":{"name":`...), c.Name)
	dst = appendString(append(dst, `,"arguments":`...), c.Arguments)
	return append(dst, "}}"...)
}

// object is a JSON object that is being written.
type object struct {
	dst  []byte
	some bool // it has a member
}

func (o *object) name(name string) {
	if o.some {
		o.dst = append(o.dst, ',')
	}
	o.some = true
	o.dst = append(appendString(o.dst, name), ':')
}

// text writes a member that is not there where its text is empty.
func (o *object) text(name, text string) {
	if text != "" {
		o.name(name)
		o.dst = appendString(o.dst, text)
	}
}

// appendString appends a JSON string in UTF-8; one with a lone surrogate in
// ASCII, which can hold it.
func appendString(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return value.ToJSON.AppendString(dst, s)
	}
	return value.PyDumps.AppendString(dst, s)
}
