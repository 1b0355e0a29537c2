package fuzz

import "github.com/beamdiff/beamdiff/harmony/value"

// tool is a tool that generated calls may name.
type tool struct {
	name string
	keys []string
}

var toolNames = []string{"get_weather", "search", "f", "run_2", "名", "a.b-c"}

var argumentNames = []string{"city", "days", "a", "b", "unit", "flag", "items", "é", "x1", "key with space"}

// schemas are types of arguments: plain ones, and those that readers read in
// different ways.
var schemas = parseAll(`{"type": "integer"}`, `{"type": "number"}`, `{"type": "string"}`, `{"type": "boolean"}`, `{"type": "array"}`, `{"type": "object"}`,
	`{"type": "null"}`, `{"type": ["string", "integer"]}`, `{"type": ["integer", "null"]}`, `{"anyOf": [{"type": "number"}, {"type": "null"}]}`,
	`{"oneOf": [{"type": "boolean"}, {"type": "string"}]}`, `{"type": "string", "nullable": true}`, `{"type": "array", "items": {"type": "integer"}}`,
	`{}`, `{"enum": [1, "a"]}`, `{"type": "strange"}`, `true`, `{"type": "string", "enum": ["a", "7"]}`)

func parseAll(texts ...string) []value.Value {
	values := make([]value.Value, len(texts))
	for i, text := range texts {
		v, err := value.Loads(text)
		if err != nil {
			panic(err)
		}
		values[i] = v
	}
	return values
}

// makeTools makes up to three tools and their definitions.
func makeTools(s *Source) (tools []tool, defs []value.Value) {
	for range 1 + s.N(3) {
		t := tool{name: Pick(s, toolNames...)}
		properties := value.NewObject(4)
		var required []value.Value
		for range s.N(5) {
			key := Pick(s, argumentNames...)
			t.keys = append(t.keys, key)
			properties.Set(key, Pick(s, schemas...))
			if s.OneIn(3) {
				required = append(required, value.String(key))
			}
		}
		parameters := value.NewObject(4)
		parameters.Set("type", value.String("object"))
		parameters.Set("properties", properties.Value())
		if len(required) > 0 {
			parameters.Set("required", value.List(required...))
		}
		if s.OneIn(4) {
			parameters.Set("additionalProperties", value.Bool(false))
		}
		def := value.Members(value.Member{Name: "name", Value: value.String(t.name)}, value.Member{Name: "parameters", Value: parameters.Value()})
		if !s.OneIn(5) {
			def = value.Members(value.Member{Name: "type", Value: value.String("function")}, value.Member{Name: "function", Value: def})
		}
		tools, defs = append(tools, t), append(defs, def)
	}
	return tools, defs
}
