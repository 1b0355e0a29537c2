package harmony

import "github.com/beamdiff/beamdiff/harmony/value"

// textPart is the type of a part that is text.
const textPart = "text"

// Value gives the message as the object that [DecodeMessage] reads, the fields
// first and then Extra in its order. A field that is set hides the member of
// Extra that has its name. Raw is not part of it. Decoding the object gives the
// message again; arrays and objects are shared with it.
func (m *Message) Value() value.Value {
	o := &value.Object{}
	setText(o, "role", m.Role)
	if m.Thinking != "" {
		o.Set(m.ThinkingName(), value.String(m.Thinking))
	}
	if m.Content != "" {
		o.Set("content", value.String(m.Content))
	} else if m.Parts != nil {
		o.Set("content", encodeList(m.Parts, (*Part).Value))
	}
	if m.ToolCalls != nil {
		o.Set("tool_calls", encodeList(m.ToolCalls, (*ToolCall).Value))
	}
	setText(o, "tool_call_id", m.ToolCallID)
	setText(o, "name", m.Name)
	setRest(o, m.Extra)
	return o.Value()
}

// Value gives the part as an object.
func (p *Part) Value() value.Value {
	o := &value.Object{}
	set := func(name string) (isField bool) {
		switch {
		case name == "type" && p.Type != "":
			o.Set(name, value.String(p.Type))
		case name == "text" && (p.Text != "" || p.Type == textPart):
			o.Set(name, value.String(p.Text))
		default:
			return false
		}
		return true
	}
	for _, name := range [...]string{"type", "text"} {
		if _, placed := p.Extra.Get(name); !placed {
			set(name)
		}
	}
	for name, v := range p.Extra.All() {
		if !set(name) {
			o.Set(name, v)
		}
	}
	return o.Value()
}

// Value gives the call as an object, with its function under "function".
func (c *ToolCall) Value() value.Value {
	o := &value.Object{}
	setText(o, "id", c.ID)
	setText(o, "type", c.Type)
	rest, split := c.Extra.Get("function")
	if !split {
		o.Set("function", c.function(rest))
	}
	for name, v := range c.Extra.All() {
		if name == "function" {
			o.Set(name, c.function(rest))
		} else if _, taken := o.Get(name); !taken {
			o.Set(name, v)
		}
	}
	return o.Value()
}

// function gives the function of a call. rest is what Extra keeps of it: its
// other members, or whatever stood in its place.
func (c *ToolCall) function(rest value.Value) value.Value {
	others, ok := rest.AsObject()
	if _, split := c.Extra.Get("function"); split && !ok && c.Name == "" && c.Arguments.IsNull() {
		return rest
	}
	f := &value.Object{}
	setText(f, "name", c.Name)
	if !c.Arguments.IsNull() {
		f.Set("arguments", c.Arguments)
	}
	setRest(f, others)
	return f.Value()
}

func encodeList[T any](list []T, encode func(*T) value.Value) value.Value {
	items := make([]value.Value, len(list))
	for i := range list {
		items[i] = encode(&list[i])
	}
	return value.List(items...)
}

func setText(o *value.Object, name, text string) {
	if text != "" {
		o.Set(name, value.String(text))
	}
}

// setRest adds the members of extra whose names are free.
func setRest(o, extra *value.Object) {
	for name, v := range extra.All() {
		if _, taken := o.Get(name); !taken {
			o.Set(name, v)
		}
	}
}
