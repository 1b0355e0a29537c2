package template

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// MapText gives copies of messages and tools in which each text that a caller wrote
// is what f makes of it; names of members stay. A message's Raw, which the model
// wrote, is not changed.
func MapText(messages []harmony.Message, tools []harmony.ToolDef, f func(string) string) ([]harmony.Message, []harmony.ToolDef) {
	m := mapper{f}
	return each(messages, m.message), each(tools, func(t harmony.ToolDef) harmony.ToolDef { return harmony.ToolDef{Def: m.value(t.Def)} })
}

// MapValue gives a copy of a value in which each text is what f makes of it.
func MapValue(v value.Value, f func(string) string) value.Value { return mapper{f}.value(v) }

// MapObject gives a copy of an object in which each text is what f makes of it;
// nil of nil.
func MapObject(o *value.Object, f func(string) string) *value.Object { return mapper{f}.object(o) }

// MapTexts gives a copy of a list of texts; nil of nil.
func MapTexts(list []string, f func(string) string) []string { return each(list, f) }

type mapper struct{ f func(string) string }

func each[T any](list []T, f func(T) T) []T {
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
	msg.Parts = each(msg.Parts, func(p harmony.Part) harmony.Part {
		return harmony.Part{Type: m.text(p.Type), Text: m.text(p.Text), Extra: m.object(p.Extra)}
	})
	msg.ToolCalls = each(msg.ToolCalls, func(c harmony.ToolCall) harmony.ToolCall {
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
