package conversation

import (
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// schema makes a JSON schema, level schemas deep already.
func (m *maker) schema(level int) value.Value {
	o := &value.Object{}
	shape := m.s.N(14)
	if level > 3 && shape > 5 || m.plain && shape > 9 {
		shape = 0
	}
	switch shape {
	default:
		m.seen("schema=type")
		o.Set("type", value.String(fuzz.Pick(m.s, "string", "integer", "number", "boolean", "null", "array", "object", "string", "integer", "strange")))
	case 5:
		m.seen("schema=types")
		o.Set("type", value.List(value.String(fuzz.Pick(m.s, "string", "integer", "array", "object")), value.String(fuzz.Pick(m.s, "null", "boolean", "string", "strange"))))
	case 6, 7:
		m.seen("schema=items")
		if !m.s.OneIn(5) {
			o.Set("type", value.String("array"))
		}
		o.Set("items", m.schema(level+1))
	case 8, 9:
		m.seen("schema=properties")
		if !m.s.OneIn(5) {
			o.Set("type", value.String("object"))
		}
		m.members(o, level+1)
	case 10:
		key := fuzz.Pick(m.s, "anyOf", "oneOf", "allOf")
		m.seen("schema=" + key)
		choices := make([]value.Value, m.s.N(4))
		for i := range choices {
			choices[i] = m.schema(level + 1)
		}
		o.Set(key, value.List(choices...))
	case 11:
		m.seen("schema=enum")
		o.Set("enum", value.List(m.listed()...))
	case 12:
		m.seen("schema=const or $ref")
		if m.s.OneIn(2) {
			o.Set("const", m.value(2))
		} else {
			o.Set("$ref", value.String(fuzz.Pick(m.s, "#/$defs/D", "#", "", "D/")))
		}
	case 13:
		m.seen("schema=odd")
		return fuzz.Pick(m.s, parse("true"), parse("{}"), parse("null"), parse("5"), parse(`{"type": 5}`), parse(`{"type": []}`), parse(`{"enum": []}`), parse(`{"enum": "ab"}`),
			parse(`{"anyOf": {}}`), parse(`{"properties": []}`), parse(`{"properties": {}}`), parse(`{"type": "object", "properties": "a"}`), parse(`{"allOf": "ab"}`),
			parse(`{"type": {"a": 1}}`), parse(`{"anyOf": "ab"}`), parse(`{"enum": {"a": 1}}`), parse(`{"type": ["string", 5, null]}`), parse(`{"items": []}`))
	}
	if m.s.OneIn(8) {
		m.seen("schema=nullable")
		o.Set("nullable", fuzz.Pick(m.s, value.Bool(true), value.Bool(true), value.Bool(false), value.Int(1), value.String("true")))
	}
	m.annotate(o)
	return o.Value()
}

// annotate adds what is written around a type.
func (m *maker) annotate(o *value.Object) {
	if m.s.OneIn(4) {
		m.seen("schema=description")
		o.Set("description", fuzz.Pick(m.s, value.String(m.text("")), value.String("one\ntwo"), value.Null(), value.Int(5)))
	}
	if m.s.OneIn(6) {
		m.seen("schema=default")
		o.Set("default", m.value(2))
	}
	if m.s.OneIn(8) {
		m.seen("schema=examples")
		o.Set("examples", fuzz.Pick(m.s, value.List(m.listed()...), value.List(m.listed()...), value.String("ab"), parse("[]"), parse(`{"a": 1}`)))
	}
	if m.s.OneIn(8) {
		m.seen("schema=more keys")
		o.Set(fuzz.Pick(m.s, "minimum", "pattern", "title", "format", "minItems", "x-y"), fuzz.Pick(m.s, value.Int(3), value.String("a|b")))
	}
}

// listed are the members of an enum, or examples.
func (m *maker) listed() []value.Value {
	list := make([]value.Value, 1+m.s.N(3))
	for i := range list {
		list[i] = m.value(2)
	}
	return list
}

// members adds properties, and which of them are required.
func (m *maker) members(o *value.Object, level int) {
	properties := &value.Object{}
	var required []value.Value
	for n := m.s.N(5); n > 0; n-- {
		name := fuzz.Pick(m.s, argumentNames...)
		if m.s.OneIn(16) {
			m.seen("schema=odd name")
			name = fuzz.Pick(m.s, quoted...)
		}
		properties.Set(name, m.schema(level))
		if m.s.OneIn(2) {
			required = append(required, value.String(name))
		}
	}
	o.Set("properties", properties.Value())
	switch m.s.N(8) {
	case 6:
		m.seen("schema=odd required")
		o.Set("required", fuzz.Pick(m.s, value.Null(), value.String("city"), value.Bool(true), parse(`["nothing", 5, null]`), parse(`{"city": 1}`)))
	case 7:
	default:
		o.Set("required", value.List(required...))
	}
	if m.s.OneIn(6) {
		o.Set("additionalProperties", value.Bool(false))
	}
}
