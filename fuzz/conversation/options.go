package conversation

import (
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// set adds an argument of the template, which a trait names.
func (m *maker) set(name string, v value.Value) {
	m.seen("argument of the template=" + name)
	m.rest.Set(name, v)
}

// arguments adds the template's arguments, each now and then.
func (m *maker) arguments() {
	if m.s.OneIn(3) {
		m.effort()
	}
	if m.s.OneIn(6) {
		m.identity()
	}
	if m.s.OneIn(4) {
		m.builtin()
	}
	if m.s.OneIn(4) {
		m.missing()
	}
	if m.s.OneIn(3) {
		m.set("add_generation_prompt", value.Bool(m.s.OneIn(2)))
	}
	if m.s.OneIn(8) {
		m.set("template_kwargs", fuzz.Pick(m.s, parse(`{"enable_thinking": false}`), parse("{}"), parse(`{"x": [1, null], "documents": null}`)))
	}
	if m.s.OneIn(8) {
		m.set("date", value.String(fuzz.Pick(m.s, "2026-01-31", "2024-02-29T23:59:59")))
	}
}

func (m *maker) effort() {
	v := fuzz.Pick(m.s, "minimal", "low", "medium", "high", "xhigh", "max")
	switch {
	case m.wrong(2):
		m.seen("effort=misfit")
		m.set("reasoning_effort", fuzz.Pick(m.s, value.String("none"), value.String("MAX"), value.String(""), value.Float(1.5), value.Bool(true), value.List(), value.String("8")))
	case m.s.OneIn(2):
		m.set("reasoning_effort", value.String(v))
	default:
		m.set("reasoning_effort", fuzz.Pick(m.s, value.Null(), m.int(), value.Int(100)))
	}
}

func (m *maker) identity() {
	if m.wrong(3) {
		m.seen("identity=misfit")
		m.set("model_identity", fuzz.Pick(m.s, parse("5"), parse("[]"), parse("false"), parse(`{"a": 1}`)))
		return
	}
	m.set("model_identity", fuzz.Pick(m.s, value.String(m.text("")), value.Null(), value.String("")))
}

func (m *maker) builtin() {
	if m.wrong(3) {
		m.seen("builtin=misfit")
		m.set("builtin_tools", fuzz.Pick(m.s, parse(`"search"`), parse("5"), parse(`{"search": 1}`), parse("[5]"), parse(`["search", null]`), parse("true"), parse("0")))
		return
	}
	names := []value.Value{}
	for n := m.s.N(3); n > 0; n-- {
		names = append(names, value.String(fuzz.Pick(m.s, "search", "browse", m.anyTool().name)))
	}
	m.set("builtin_tools", fuzz.Pick(m.s, value.List(names...), value.List(names...), value.Null()))
}

func (m *maker) missing() {
	if m.wrong(3) {
		m.seen("missing=misfit")
		m.set("allow_missing_thinking", fuzz.Pick(m.s, parse("0"), parse(`"false"`), parse("[]"), parse("1.0")))
		return
	}
	v := fuzz.Pick(m.s, value.Bool(false), value.Bool(false), value.Bool(true), value.Null())
	m.thinking = !v.IsNull() && !v.Truthy()
	m.set("allow_missing_thinking", v)
}

// continued lets the model go on with the last message, which has a text then.
func (m *maker) continued() {
	m.set("continue_final_message", value.Bool(!m.s.OneIn(4)))
	if m.wrong(2) {
		return // with whatever message is the last
	}
	m.rest.Delete("add_generation_prompt")
	delete(m.traits, "argument of the template=add_generation_prompt")
	role := fuzz.Pick(m.s, "assistant", "assistant", "user")
	message := m.reasoning([]value.Member{str("role", role)})
	text := m.some("<|channel|>") + "x"
	if m.s.OneIn(3) {
		m.add(append(message, member("content", value.List(value.Members(str("type", "text"), str("text", text)))))...)
		return
	}
	m.add(append(message, str("content", text))...)
}
