package conversation

import (
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// content adds the content of a message, in any shape: a string, null, missing,
// "", an empty list, parts.
func (m *maker) content(members []value.Member, never string) []value.Member {
	switch m.s.N(12) {
	case 6:
		return m.empty(members)
	case 7, 8:
		return append(members, member("content", m.parts(never)))
	case 9, 10, 11:
		if m.wrong(2) {
			m.seen("content=misfit")
			return append(members, member("content", fuzz.Pick(m.s, parse("5"), parse("true"), parse("1.5"), parse("{}"),
				parse(`{"type": "text", "text": "a"}`), parse(`["a"]`), parse("[null]"), parse(`[["a"]]`))))
		}
	}
	m.seen("content=string")
	return append(members, str("content", m.some(never)))
}

// empty adds a content without text.
func (m *maker) empty(members []value.Member) []value.Member {
	shape := fuzz.Pick(m.s, "null", "missing", "empty string", "empty list", "empty part")
	m.seen("content=" + shape)
	switch shape {
	case "null":
		return append(members, member("content", value.Null()))
	case "empty string":
		return append(members, str("content", ""))
	case "empty list":
		return append(members, member("content", value.List()))
	case "empty part":
		return append(members, member("content", value.List(value.Members(str("type", "text"), str("text", "")))))
	}
	return members
}

// parts makes a list of text parts.
func (m *maker) parts(never string) value.Value {
	m.seen("content=parts")
	var parts []value.Value
	for n := m.s.N(4); n >= 0; n-- {
		if m.wrong(4) {
			m.seen("content=other part")
			parts = append(parts, fuzz.Pick(m.s, parse(`{"type": "image_url", "image_url": {"url": "data:,"}}`), parse(`"a"`), parse("null"),
				parse(`{"type": "text"}`), parse(`{"type": "text", "text": null}`), parse(`{"text": "a"}`), parse("5"),
				parse(`{"type": "input_text", "text": "a"}`), parse(`{"type": 5, "text": "a"}`), parse("{}"), parse("[]")))
			continue
		}
		part := []value.Member{str("type", "text"), str("text", m.text(never))}
		if m.s.OneIn(6) {
			m.seen("content=part with more keys")
			part = append(part, member("cache_control", parse(`{"type": "ephemeral"}`)))
		}
		parts = append(parts, m.object(part))
	}
	return value.List(parts...)
}

// extras adds keys that the template does not read, and those that it refuses.
func (m *maker) extras(members []value.Member) []value.Member {
	if m.s.OneIn(6) {
		m.seen("message=other keys")
		members = append(members, fuzz.Pick(m.s, member("audio", value.Null()), member("annotations", value.List()), member("weight", value.Int(0)),
			member("refusal", value.Null()), str("refusal", ""), member("function_call", value.Null()), member("prefix", value.Bool(true))))
	}
	if m.wrong(12) {
		m.seen("message=refused keys")
		members = append(members, fuzz.Pick(m.s, str("refusal", m.some("")), member("function_call", parse(`{"name": "f", "arguments": "{}"}`))))
	}
	return members
}
