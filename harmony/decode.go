package harmony

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// DecodeMessage takes a message in OpenAI's form, or as a reader of replies
// gives it. It must be an object, and that is the only thing that can fail, with
// a *[DecodeError] at path: everything else is for the renderer to judge, which
// reports what a field cannot be where the format's own template reports it.
//
//   - null is missing, as Transformers has it; an unknown key keeps its null.
//   - A content is a string or a list of parts.
//   - The reasoning is the first non-empty text under [ThinkingKeys]; its name is
//     kept. If one of the three is not a string, all stay in Extra.
//   - A call without "function" around it is read as one: its members, but for id
//     and type, are those of the function.
//   - Whatever does not fit its field, "" included, stays in Extra under its name.
func DecodeMessage(v value.Value, path string) (Message, error) {
	o, ok := v.AsObject()
	if !ok {
		return Message{}, &DecodeError{Path: path, Want: "an object", Got: v.Kind().String()}
	}
	var m Message
	m.decodeThinking(o)
	for name, v := range o.All() {
		fits := false
		switch name {
		case "role":
			m.Role, fits = text(v)
		case "content":
			m.Content, fits = text(v)
			if a, ok := v.AsArray(); ok {
				m.Parts, fits = decodeParts(a)
			}
		case "reasoning_content", "thinking", "reasoning":
			fits = m.Thinking != "" && name == m.ThinkingKey
		case "tool_calls":
			if a, ok := v.AsArray(); ok {
				m.ToolCalls, fits = decodeCalls(a)
			}
		case "name":
			m.Name, fits = text(v)
		case "tool_call_id":
			m.ToolCallID, fits = text(v)
		default:
			keep(&m.Extra, name, v)
			continue
		}
		if !fits && !v.IsNull() {
			keep(&m.Extra, name, v)
		}
	}
	return m, nil
}

// DecodeMessages takes a list of messages. The error is a *[DecodeError].
func DecodeMessages(v value.Value, path string) ([]Message, error) {
	return decodeList(v, path, DecodeMessage)
}

// DecodeTools takes a list of tool definitions. The error is a *[DecodeError].
func DecodeTools(v value.Value, path string) ([]ToolDef, error) {
	return decodeList(v, path, DecodeTool)
}

func decodeList[T any](v value.Value, path string, item func(value.Value, string) (T, error)) ([]T, error) {
	a, ok := v.AsArray()
	if !ok {
		return nil, &DecodeError{Path: path, Want: "a list", Got: v.Kind().String()}
	}
	list := make([]T, a.Len())
	for i, v := range a.All() {
		t, err := item(v, fmt.Sprintf("%s[%d]", path, i))
		if err != nil {
			return nil, err
		}
		list[i] = t
	}
	return list, nil
}

// decodeThinking finds the reasoning and its name.
func (m *Message) decodeThinking(o *value.Object) {
	for _, key := range ThinkingKeys() {
		v, _ := o.Get(key)
		s, ok := v.AsString()
		if !ok && !v.IsNull() {
			m.Thinking, m.ThinkingKey = "", ""
			return
		}
		if m.Thinking == "" && s != "" {
			m.Thinking, m.ThinkingKey = s, key
		}
	}
}

// decodeParts takes a list of parts. It fits if each is an object with a type,
// and a text where that is the type.
func decodeParts(a *value.Array) ([]Part, bool) {
	parts := make([]Part, 0, a.Len())
	for _, v := range a.All() {
		o, ok := v.AsObject()
		if !ok {
			return nil, false
		}
		var p Part
		if p.Type, ok = text(v.Get("type")); !ok {
			return nil, false
		}
		p.Text, ok = v.Get("text").AsString()
		if p.Type == textPart && !ok {
			return nil, false
		}
		for i := range o.Len() {
			m := o.At(i)
			isText := m.Name == "text" && (p.Type == textPart || p.Text != "")
			switch {
			case m.Name == "type" && i == 0, isText && i == 1 && p.Extra == nil:
			case m.Name == "type", isText: // its place
				keep(&p.Extra, m.Name, value.Null())
			default:
				keep(&p.Extra, m.Name, m.Value)
			}
		}
		parts = append(parts, p)
	}
	return parts, true
}

// decodeCalls takes a list of calls. It fits if each is an object.
func decodeCalls(a *value.Array) ([]ToolCall, bool) {
	calls := make([]ToolCall, a.Len())
	for i, v := range a.All() {
		var err error
		if calls[i], err = DecodeToolCall(v, ""); err != nil {
			return nil, false
		}
	}
	return calls, true
}

// DecodeToolCall takes one call of a message. It must be an object; the error
// is a *[DecodeError] at path.
func DecodeToolCall(v value.Value, path string) (ToolCall, error) {
	o, ok := v.AsObject()
	if !ok {
		return ToolCall{}, &DecodeError{Path: path, Want: "an object", Got: v.Kind().String()}
	}
	var c ToolCall
	function, wrapped := o.Get("function")
	var bare *value.Object // the function of a call without one around it
	for name, v := range o.All() {
		fits := false
		switch name {
		case "id":
			c.ID, fits = text(v)
		case "type":
			c.Type, fits = text(v)
		case "function":
			var f *value.Object
			if f, fits = function.AsObject(); fits {
				c.decodeFunction(f)
			}
		default:
			if fits = !wrapped; fits {
				keep(&bare, name, v)
			}
		}
		if !fits {
			keep(&c.Extra, name, v)
		}
	}
	if !wrapped {
		c.decodeFunction(bare)
	}
	return c, nil
}

// decodeFunction reads the function object of a call.
func (c *ToolCall) decodeFunction(f *value.Object) {
	var rest *value.Object
	for name, v := range f.All() {
		fits := false
		switch name {
		case "name":
			c.Name, fits = text(v)
		case "arguments":
			c.Arguments, fits = v, !v.IsNull()
		}
		if !fits {
			keep(&rest, name, v)
		}
	}
	if rest != nil {
		keep(&c.Extra, "function", rest.Value())
	}
}

// text gives a text that is not empty, and whether v is one.
func text(v value.Value) (string, bool) {
	s, _ := v.AsString()
	return s, s != ""
}

// keep puts a member into an object that is made when the first one comes.
func keep(o **value.Object, name string, v value.Value) {
	if *o == nil {
		*o = &value.Object{}
	}
	(*o).Set(name, v)
}
