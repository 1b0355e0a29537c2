package conversation

import (
	"slices"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// tool is a tool that calls may name.
type tool struct {
	name       string
	properties []property
}

type property struct {
	name   string
	schema value.Value
}

var toolNames = []string{"get_weather", "search", "browse", "bash", "f", "run_2", "名", "a.b-c", "functions.f", "to=f", "a>b", "assistant", "user", "|end|>", "й\u0301"}

// anyTool is mostly one of the tools.
func (m *maker) anyTool() tool {
	if len(m.tools) > 0 && (m.plain || !m.s.OneIn(5)) {
		return fuzz.Pick(m.s, m.tools...)
	}
	return tool{name: fuzz.Pick(m.s, toolNames...)}
}

// toolset adds the tools of the request.
func (m *maker) toolset() {
	if m.s.OneIn(10) {
		m.seen("tools=none")
		m.rest.Set("tools", fuzz.Pick(m.s, value.Null(), value.List()))
		return
	}
	m.seen("tools=some")
	if m.plain = m.s.OneIn(2); m.plain {
		m.seen("tools=plain")
	}
	var defs []value.Value
	for n := m.s.N(4); n >= 0; n-- {
		defs = append(defs, m.tool())
	}
	m.rest.Set("tools", value.List(defs...))
}

// tool makes a definition: an own one, or one that Beam was trained with.
func (m *maker) tool() value.Value {
	if m.s.OneIn(6) {
		m.seen("tool=trained")
		def := fuzz.Pick(m.s, trained...).Clone()
		m.know(def.Get("function"))
		return def
	}
	function := []value.Member{str("name", fuzz.Pick(m.s, toolNames...))}
	if m.s.OneIn(8) {
		m.seen("tool=bash")
		function[0] = str("name", "bash")
		function = append(function, member("parameters", m.bash()))
	} else {
		function = m.parameters(function)
	}
	if !m.s.OneIn(3) {
		m.seen("tool=description")
		function = append(function, str("description", m.text("")))
	}
	if m.s.OneIn(8) {
		function = append(function, fuzz.Pick(m.s, member("strict", value.Bool(true)), member("description", value.Null()), member("returns", value.Null())))
	}
	if m.wrong(8) {
		m.seen("tool=misfit")
		function[0] = fuzz.Pick(m.s, str("name", ""), str("name", "a b"), str("name", "a<b"), member("name", value.Null()), member("parameters", value.List()),
			member("parameters", value.String("a")), str("title", "f"))
	}
	f := m.object(function)
	m.know(f)
	switch {
	case m.wrong(16):
		m.seen("tool=no function")
		return fuzz.Pick(m.s, parse(`{"type": "function", "function": null}`), parse(`{"function": "f"}`), parse("{}"), parse(`{"type": "function", "function": []}`))
	case m.s.OneIn(6):
		m.seen("tool=bare")
		return f
	}
	return m.object([]value.Member{str("type", "function"), member("function", f)})
}

// know keeps a tool for the calls.
func (m *maker) know(function value.Value) {
	t := tool{}
	var ok bool
	if t.name, ok = function.Get("name").AsString(); !ok {
		return
	}
	properties, _ := function.Get("parameters").Get("properties").AsObject()
	for name, schema := range properties.All() {
		if name != "" {
			t.properties = append(t.properties, property{name, schema})
		}
	}
	if m.careless || usable(t) {
		m.tools = append(m.tools, t)
	}
}

// usable tells whether every argument of a tool can be written.
func usable(t tool) bool {
	return !slices.ContainsFunc(t.properties, func(p property) bool { return slices.Contains(quoted, p.name) })
}

// parameters adds a schema of parameters, or none.
func (m *maker) parameters(function []value.Member) []value.Member {
	if m.s.OneIn(6) {
		m.seen("tool=no parameters")
		return append(function, fuzz.Pick(m.s, member("parameters", value.Null()), member("parameters", parse("{}")), member("parameters", parse(`{"type": "object"}`)),
			member("parameters", parse(`{"type": "object", "properties": {}}`)), member("parameters", parse(`{"properties": []}`)), member("strict", value.Bool(false))))
	}
	o := &value.Object{}
	o.Set("type", value.String("object"))
	m.members(o, 1)
	return append(function, member("parameters", o.Value()))
}

// bash makes the parameters of a bash tool: those that the trained definition
// replaces, and those that are nearly the same.
func (m *maker) bash() value.Value {
	command := &value.Object{}
	command.Set("type", value.String("string"))
	for n := m.s.N(3); n > 0; n-- {
		command.Set(fuzz.Pick(m.s, "description", "title", "examples", "enum", "default", "pattern", "nullable"),
			fuzz.Pick(m.s, value.String("a"), value.List(value.String("ls")), value.Bool(true)))
	}
	if m.s.OneIn(8) {
		command.Set("type", fuzz.Pick(m.s, value.Null(), value.List(value.String("string")), value.String("integer")))
	}
	properties := &value.Object{}
	properties.Set("command", command.Value())
	if m.s.OneIn(4) {
		properties.Set("timeout", parse(`{"type": "integer"}`))
	}
	o := &value.Object{}
	o.Set("type", value.String("object"))
	o.Set("properties", properties.Value())
	if m.s.OneIn(2) {
		o.Set("required", value.List(value.String("command")))
	}
	return o.Value()
}

// trained are the definitions of the page, "Built-in tools", in short forms and
// as they stand there.
var trained = []value.Value{
	parse(`{"type": "function", "function": {"name": "search", "description": "Search for content on the internet using a search engine. The search results include the website title, address (URL), and description.", "parameters": {"type": "object", "properties": {"query": {"type": "string", "description": "The search query."}}, "required": ["query"]}}}`),
	parse(`{"type": "function", "function": {"name": "browse", "parameters": {"type": "object", "properties": {"url": {"type": "string"}, "output_mode": {"type": "string", "enum": ["content", "count"], "default": "content"}, "max_lines": {"type": "integer", "default": 250}}, "required": ["url"]}}}`),
	parse(`{"type": "function", "function": {"name": "bash", "description": "Run", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}}}`),
}
