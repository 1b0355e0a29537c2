package openai

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// The names of a reply's fields, and of the namespace of a caller's own tools.
const (
	fieldThinking = "thinking"
	fieldContent  = "content"
	fieldCalls    = "tool_calls"
	functions     = "functions."
	python        = "python"
)

// ToolName is the name of the tool that a recipient is: a caller's own without its
// namespace, any other with it (browser.search, python).
func ToolName(recipient string) string { return strings.TrimPrefix(recipient, functions) }

// Arguments are the arguments of a call: the object that its content is, {} where
// that is empty, and else the content as a string, which loses nothing: the code
// that python runs, and JSON that is broken or no object. ok tells whether the tool
// can be called with them as they are: they are an object, or code for python.
func (m *Message) Arguments() (args value.Value, ok bool) {
	return m.arguments(value.LoadOptions{})
}

func (m *Message) arguments(o value.LoadOptions) (value.Value, bool) {
	switch {
	case m.Recipient == python:
		return value.String(m.Content), true
	case strings.Trim(m.Content, " \t\r\n") == "":
		return value.NewObject(0).Value(), true
	}
	v, err := o.Loads(m.Content)
	if err != nil || v.Kind() != value.KindObject {
		return value.String(m.Content), false
	}
	return v, true
}

// call keeps the call that a message is and gives its value, with the problems of
// its arguments.
func (p *Parser) call(m *Message) value.Value {
	tell := func(kind harmony.ProblemKind, detail string) { p.problem(kind, m.Body.Start, m.Body.End, detail) }
	args, ok := m.arguments(value.LoadOptions{
		MaxDepth: p.o.Limits.Depth,
		Repeated: func(int, int) { tell(harmony.BadArgs, "an argument is given twice; the later one counts") },
		Inexact:  func(int, int) { tell(harmony.ValueChanged, "a number has more digits than its value keeps") },
	})
	name := ToolName(m.Recipient)
	if !ok {
		tell(harmony.BadArgs, "the arguments are no JSON object: they are kept as text")
	}
	if p.o.Tools != nil {
		if tool := p.o.Tools.Get(name); tool == nil {
			tell(harmony.UnknownAction, "no tool has that name")
		} else if o, is := args.AsObject(); is {
			tool.Check(o, func(what string) { tell(harmony.BadArgs, what) })
		}
	}
	v := value.Members(
		value.Member{Name: "type", Value: value.String("function")},
		value.Member{Name: "function", Value: value.Members(
			value.Member{Name: "name", Value: value.String(name)},
			value.Member{Name: "arguments", Value: args})})
	p.calls = append(p.calls, harmony.Call{Field: fieldCalls, Value: v, Span: m.Span, Closed: m.End != "", Runnable: m.End != ""})
	return v
}
