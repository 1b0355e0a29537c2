package beam

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// RenderMarked gives the prompt of a request whose texts were passed through
// mark. With (*token.Marker).Mark it is what Transformers renders under
// sanitize_control_tokens: token.SafeEncoder makes ids of it, and token.Unmark
// the text. Errors are those of [Render].
func RenderMarked(req *Request, mark func(string) string) (string, error) {
	return Renderer{}.RenderMarked(req, mark)
}

// RenderMarked is like the function of its name.
func (r Renderer) RenderMarked(req *Request, mark func(string) string) (string, error) {
	if req == nil {
		return "", errNoRequest
	}
	marked := req.MapText(mark)
	marked.Sanitize = false
	return r.Render(marked)
}

// MapText gives a copy of the request in which each text that a caller wrote, in
// messages, tools and the template's arguments, is what f makes of it; names of
// members stay. A message's Raw, which the model wrote, is not changed, nor is the
// request's Extra, which is not rendered.
func (r *Request) MapText(f func(string) string) *Request {
	m := mapper{f}
	out := *r
	out.Messages = mapped(r.Messages, m.message)
	out.Tools = mapped(r.Tools, func(t harmony.ToolDef) harmony.ToolDef { return harmony.ToolDef{Def: m.value(t.Def)} })
	if !r.Effort.sent.IsNull() {
		out.Effort = EffortOf(m.value(r.Effort.sent))
	}
	if r.Identity != "" {
		out.Identity = f(r.Identity)
	}
	out.BuiltinTools = mapped(r.BuiltinTools, f)
	out.Args = m.object(r.Args)
	return &out
}

type mapper struct{ f func(string) string }

func mapped[T any](list []T, f func(T) T) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, item := range list {
		out[i] = f(item)
	}
	return out
}

// text maps a text that is there.
func (m mapper) text(s string) string {
	if s == "" {
		return ""
	}
	return m.f(s)
}

func (m mapper) message(msg harmony.Message) harmony.Message {
	msg.Role, msg.Content, msg.Thinking = m.text(msg.Role), m.text(msg.Content), m.text(msg.Thinking)
	msg.Name, msg.ToolCallID = m.text(msg.Name), m.text(msg.ToolCallID)
	msg.Parts = mapped(msg.Parts, func(p harmony.Part) harmony.Part {
		return harmony.Part{Type: m.text(p.Type), Text: m.text(p.Text), Extra: m.object(p.Extra)}
	})
	msg.ToolCalls = mapped(msg.ToolCalls, func(c harmony.ToolCall) harmony.ToolCall {
		return harmony.ToolCall{ID: m.text(c.ID), Type: m.text(c.Type), Name: m.text(c.Name), Arguments: m.value(c.Arguments), Extra: m.object(c.Extra)}
	})
	msg.Extra = m.object(msg.Extra)
	return msg
}

func (m mapper) object(o *value.Object) *value.Object {
	if o == nil {
		return nil
	}
	out := &value.Object{}
	for name, v := range o.All() {
		out.Set(name, m.value(v))
	}
	return out
}

func (m mapper) value(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		return value.String(m.f(s))
	case value.KindArray:
		list, _ := v.AsArray()
		items := make([]value.Value, 0, list.Len())
		for _, item := range list.All() {
			items = append(items, m.value(item))
		}
		return value.List(items...)
	case value.KindObject:
		o, _ := v.AsObject()
		return m.object(o).Value()
	}
	return v
}
