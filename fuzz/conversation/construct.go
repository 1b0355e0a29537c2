package conversation

import (
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// constructs are what [GenerateOne] makes a conversation around.
var constructs = []struct {
	name string
	make func(m *maker)
}{
	{"user", (*maker).user},
	{"instruction", (*maker).instruction},
	{"two instructions", func(m *maker) { m.instruction(); m.instruction() }},
	{"late instruction", func(m *maker) { m.user(); m.instruction(); m.instruction() }},
	{"answer", (*maker).answer},
	{"answer under the check", func(m *maker) { m.missing(); m.answer() }},
	{"call", func(m *maker) { m.calls() }},
	{"call and results", func(m *maker) { m.results(m.calls()) }},
	{"typed call", func(m *maker) { m.toolset(); m.calls() }},
	{"far result", func(m *maker) {
		// The calls are farther away than a renderer may look back at no cost.
		made := m.calls()
		for range 20 + m.s.N(60) {
			m.messages = append(m.messages, value.Members(str("role", "user"), str("content", "x")))
		}
		m.results(made)
	}},
	{"tool", func(m *maker) { m.rest.Set("tools", value.List(m.tool())) }},
	{"schema", func(m *maker) {
		m.rest.Set("tools", value.List(oneTool(value.Members(member("type", value.String("object")),
			member("properties", value.Members(member("a", m.schema(1))))))))
	}},
	{"deep schema", func(m *maker) {
		schema := m.schema(4)
		for n := 20 + m.s.N(13); n > 0; n-- {
			schema = fuzz.Pick(m.s, value.Members(member("items", schema)), value.Members(member("properties", value.Members(member("a", schema)))),
				value.Members(member("anyOf", value.List(schema))))
		}
		m.rest.Set("tools", value.List(oneTool(value.Members(member("properties", value.Members(member("a", schema)))))))
	}},
	{"builtin tools", func(m *maker) { m.toolset(); m.builtin() }},
	{"effort", (*maker).effort},
	{"identity", (*maker).identity},
	{"continue", (*maker).continued},
	{"stranger", func(m *maker) {
		if m.careless {
			m.stranger()
		}
	}},
}

// Constructs are the names of what [GenerateOne] makes a conversation around.
func Constructs() []string {
	names := make([]string, len(constructs))
	for i, c := range constructs {
		names[i] = c.name
	}
	return names
}

func oneTool(parameters value.Value) value.Value {
	return value.Members(str("type", "function"), member("function", value.Members(str("name", "f"), member("parameters", parameters))))
}
