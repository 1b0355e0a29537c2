package chat

import (
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The finish reasons that a reply gives. A server has others of its own, such as
// content_filter.
const (
	Stop      = "stop"
	Length    = "length"
	ToolCalls = "tool_calls"
)

// Delta is one step of a reply. It has one of Content, Reasoning, Call and
// FinishReason.
type Delta struct {
	// Role is "assistant" in the first delta of a reply.
	Role         string
	Content      string
	Reasoning    string
	Call         *Call
	FinishReason string // in the last delta
}

// Call is one tool call.
type Call struct {
	Index     int // its number among the calls of the reply, from 0
	ID        string
	Name      string
	Arguments string // JSON text
}

// Message is a whole reply.
type Message struct {
	Role      string
	Content   string
	Reasoning string
	Calls     []Call
}

// Completion is a whole reply and why it ended.
type Completion struct {
	Message      Message
	FinishReason string
	// Withheld are the calls that may not run. They are not in Message.
	Withheld []harmony.Call
}

// Completion shows a whole reply.
func (v *View) Completion(r harmony.Reply, stop harmony.Stop) Completion {
	v = v.made()
	c := Completion{Message: Message{
		Role:      harmony.Assistant,
		Content:   v.text(r.Message, Content),
		Reasoning: v.text(r.Message, Reasoning),
	}}
	for _, call := range r.Calls {
		switch {
		case !v.isCall(call):
		case call.Runnable:
			c.Message.Calls = append(c.Message.Calls, v.call(len(c.Message.Calls), call.Value))
		default:
			c.Withheld = append(c.Withheld, call)
		}
	}
	c.FinishReason = finishReason(stop, len(c.Message.Calls))
	return c
}

func finishReason(stop harmony.Stop, calls int) string {
	switch {
	case stop.Length():
		return Length
	case calls > 0:
		return ToolCalls
	}
	return Stop
}

// isCall tells whether a call of the reply is one that clients see.
func (v *View) isCall(c harmony.Call) bool {
	f := v.fields[c.Field]
	return f != nil && f.use == Calls
}

// call makes a call, with a new ID.
func (v *View) call(index int, c value.Value) Call {
	f := c.Get("function")
	name, _ := f.Get("name").AsString()
	return Call{Index: index, ID: v.o.NewID(), Name: name, Arguments: arguments(f.Get("arguments"), v.o.ASCII)}
}

// arguments writes arguments as JSON text.
func arguments(v value.Value, ascii bool) string {
	text, ok := v.AsString()
	switch {
	case v.IsNull(), ok && text == "":
		return "{}"
	case ok:
		return text
	}
	return jsonText(v, ascii)
}

// jsonText writes a value as JSON in UTF-8: with a lone surrogate in it that is
// not possible but as ASCII.
func jsonText(v value.Value, ascii bool) string {
	if !ascii {
		if b := value.Append(nil, v, value.ToJSON); utf8.Valid(b) {
			return string(b)
		}
	}
	return value.Dumps(v)
}

// callsIn gives each call of a region's value to do: objects with a named
// function, one or a list of them, as [harmony.Reply] has them.
func callsIn(v value.Value, do func(value.Value)) {
	one := func(v value.Value) {
		if _, ok := v.Get("function").Get("name").AsString(); ok {
			do(v)
		}
	}
	a, ok := v.AsArray()
	if !ok {
		one(v)
		return
	}
	for _, item := range a.All() {
		one(item)
	}
}
