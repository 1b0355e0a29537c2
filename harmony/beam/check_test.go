package beam

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const trainedSearch = `{"type":"function","function":{"name":"search","description":"Search for content on the internet using a search engine. The search results include the website title, address (URL), and description.","parameters":{"type":"object","properties":{"query":{"type":"string","description":"The search query."}},"required":["query"]}}}`

// calls is a turn that calls f with the id 1 and g with the id 2.
const calls = `{"role":"assistant","thinking":"r","tool_calls":[{"id":"1","function":{"name":"f"}},{"id":"2","function":{"name":"g"}}]}`

// with is a request with more keys.
func with(keys string) string { return `{"messages":[` + hello + `],` + keys + `}` }

func result(keys string) string { return `{"role":"tool",` + keys + `}` }

var checkTests = []struct {
	name, request string
	want          []string // kind and path
}{
	{"nothing", conversation(`{"role":"system","content":"s"}`, hello, calls, result(`"tool_call_id":"1"`), result(`"name":"g"`), `{"role":"assistant","reasoning":"r","content":"a"}`, hello), nil},
	{"trained search", with(`"tools":[` + trainedSearch + `],"builtin_tools":["search"],"reasoning_effort":8,"date":"2026-01-31"`), nil},
	{"late instruction", conversation(hello, `{"role":"developer","content":"s"}`), []string{"late_instruction messages[1]"}},
	{"bash", with(`"tools":[{"name":"bash","description":"d","parameters":{"properties":{"command":{"type":"string"}}}}]`), []string{"bash_replaced tools[0]"}},
	{"search", with(`"tools":[` + strings.Replace(trainedSearch, "engine.", "engine!", 1) + `],"builtin_tools":["search"]`), []string{"builtin_differs tools[0].function"}},
	{"search in the developer message", with(`"tools":[` + strings.Replace(trainedSearch, "engine.", "engine!", 1) + `]`), nil},
	{"another tool", with(`"tools":[{"name":"f"}],"builtin_tools":["f"]`), []string{"builtin_other builtin_tools[0]"}},
	{"absent", with(`"builtin_tools":["browse"]`), []string{"builtin_absent builtin_tools[0]"}},
	{"effort", with(`"reasoning_effort":7`), []string{"low_effort reasoning_effort"}},
	{"effort below any size", with(`"reasoning_effort":-99999999999999999999`), []string{"low_effort reasoning_effort"}},
	{"order by id", conversation(calls, result(`"tool_call_id":"2"`), result(`"tool_call_id":"1"`)), []string{"result_order messages[1]", "result_order messages[2]"}},
	{"order by name", conversation(calls, result(`"name":"g"`), result(`"name":"f"`)), []string{"result_order messages[1]", "result_order messages[2]"}},
	{"earlier turn", conversation(calls, result(`"tool_call_id":"1"`), result(`"tool_call_id":"2"`), hello, oneCallTo("3"), result(`"tool_call_id":"2"`)), []string{"result_order messages[5]"}},
	{"no call", conversation(hello, result(`"name":"f"`)), []string{"result_without_call messages[1]"}},
	{"no such id", conversation(oneCall, result(`"name":"f","tool_call_id":"7"`)), []string{"result_without_call messages[1]"}},
	{"one too many", conversation(oneCall, result(`"tool_call_id":"1"`), result(`"tool_call_id":"1"`)), []string{"result_without_call messages[2]"}},
	{"not answered", conversation(calls, result(`"tool_call_id":"1"`), hello), []string{"call_without_result messages[0].tool_calls[1]"}},
	{"name and id", conversation(oneCall, result(`"tool_call_id":"1","name":"g"`)), []string{"result_name messages[1].name"}},
	{"reasoning", conversation(`{"role":"assistant","thinking":"\n","content":"a"}`), []string{"missing_reasoning messages[0]"}},
	{"keys", `{"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{}}],"weight":1,"tool_calls":[{"function":{"name":"f"}}],"reasoning":""}],"model":"m","chat_template_kwargs":{"x":1},"tools":[{"type":"function","strict":true,"function":{"name":"f","strict":true}}]}`,
		[]string{"key_not_rendered template_kwargs.x", "key_not_rendered tools[0].strict", "key_not_rendered tools[0].function.strict",
			"key_not_rendered messages[0].tool_calls", "key_not_rendered messages[0].weight", "key_not_rendered messages[0].content[0].cache_control", "key_not_rendered model"}},
	{"keys of a call", conversation(`{"role":"assistant","thinking":"r","tool_calls":[{"index":0,"function":{"name":"f","x":1}}]}`, result(`"name":"f"`)),
		[]string{"key_not_rendered messages[0].tool_calls[0].index", "key_not_rendered messages[0].tool_calls[0].function.x"}},
	{"markers", `{"messages":[{"role":"user","content":"a<|end|>"},{"role":"assistant","thinking":"<|return|>","tool_calls":[{"function":{"name":"f","arguments":{"a":[{"b":"<|start|>"}]}}}]},{"role":"tool","name":"f","content":[{"type":"text","text":"<|call|>"}]}],"model_identity":"<|message|>","tools":[{"name":"f","description":"<|constrain|>","parameters":{"properties":{"<|end|>":{"enum":["<|channel|>"]}}}}]}`,
		[]string{"marker_in_text model_identity", "marker_in_text tools[0].description", "marker_in_text tools[0].parameters.properties", "marker_in_text tools[0].parameters.properties.<|end|>.enum[0]",
			"marker_in_text messages[0].content", "marker_in_text messages[1].thinking", "marker_in_text messages[1].tool_calls[0].function.arguments.a[0].b", "marker_in_text messages[2].content[0].text"}},
	{"markers in what does not fit its field", conversation(`{"role":"user","content":{"a":"<|end|>"}}`, `{"role":"assistant","thinking":"r","reasoning":{"b":"<|end|>"},"tool_calls":{"c":"<|call|>"}}`, `{"role":"user","content":"x","reasoning":5,"note":"<|end|>"}`),
		[]string{"marker_in_text messages[0].content.a", "marker_in_text messages[1].reasoning.b", "marker_in_text messages[1].tool_calls.c", "key_not_rendered messages[2].reasoning", "key_not_rendered messages[2].note"}},
	{"tools of one name", with(`"tools":[{"name":"f"},{"name":"g"},{"name":"f"}]`), []string{"repeated_tool tools[2].name"}},
	{"schemas", with(`"tools":[{"name":"f","parameters":{"$schema":"s","additionalProperties":false,"description":"d","properties":{"a":{"$ref":"r","title":"t"},"b":{"type":"string","pattern":"p","anyOf":[{}]},"c":{"type":"array","items":{"type":"string","description":"d"}},"d":{"anyOf":[{"type":"string","format":"f"}],"description":"d","default":1,"examples":[1]},"e":{"additionalProperties":{"type":"string"}}}}}]`),
		[]string{"schema_not_rendered tools[0].parameters.description", "schema_not_rendered tools[0].parameters.properties.a.$ref", "schema_not_rendered tools[0].parameters.properties.b.pattern", "schema_not_rendered tools[0].parameters.properties.b.anyOf",
			"schema_not_rendered tools[0].parameters.properties.c.items.description", "schema_not_rendered tools[0].parameters.properties.d.anyOf[0].format", "schema_not_rendered tools[0].parameters.properties.e.additionalProperties"}},
}

func oneCallTo(id string) string { return strings.Replace(oneCall, `"id":"1"`, `"id":"`+id+`"`, 1) }

func TestCheck(t *testing.T) {
	seen := map[WarningKind]bool{}
	for _, tt := range checkTests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, w := range Check(parse(t, tt.request)) {
				seen[w.Kind] = true
				got = append(got, fmt.Sprintf("%s %s", w.Kind, w.Path))
				if w.Detail == "" || !strings.Contains(w.Kind.Source(), ".md") {
					t.Errorf("%s has no detail or source", w)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
	for k := WarnLateInstruction; k <= WarnSchemaNotRendered; k++ {
		if !seen[k] {
			t.Errorf("%s has no test", k)
		}
	}
}
