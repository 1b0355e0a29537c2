package beam

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/beam/decide"
)

// Requests of the decisions' tests.
const (
	oneCall  = `{"role":"assistant","thinking":"r","tool_calls":[{"id":"1","function":{"name":"f","arguments":{"a":1}}}]}`
	callText = `<|start|>assistant<|channel|>analysis<|message|>r<|end|><|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="a">
1
</rfl:parameter><|call|>`
	twoIDs = `{"role":"assistant","thinking":"r","tool_calls":[{"id":"1","function":{"name":"f"}},{"id":"1","function":{"name":"g"}},{"id":"1","function":{"name":"h"}}]},{"role":"tool","tool_call_id":"1"}`
)

// call is a turn with one call.
func call(function string) string {
	return `{"role":"assistant","thinking":"r","tool_calls":[{"function":` + function + `}]}`
}

// property is a request whose tool has one property.
func property(member string) string {
	return `{"messages":[` + hello + `],"tools":[{"name":"f","parameters":{"properties":{` + member + `}}}]}`
}

// decisionTests render a request under each choice: an error, or a text that
// the prompt has (and, behind NOT, one that it has not).
var decisionTests = []struct{ setting, request, want string }{
	{"content-parts=join", conversation(`{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`), "<|start|>user<|message|>ab<|end|>"},
	{"content-parts=lines", conversation(`{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":""},{"type":"text","text":"b"}]}`), "<|start|>user<|message|>a\n\nb<|end|>"},
	{"content-parts=refuse", conversation(`{"role":"user","content":[{"type":"text","text":"a"}]}`), "TemplateError: messages[0].content must be a string."},
	{"other-parts=refuse", conversation(`{"role":"user","content":[{"type":"x"}]}`), `TemplateError: messages[0].content[0] must be a text part: {"type": "text", "text": "..."}. Beam reads text only.`},
	{"other-parts=skip", conversation(`{"role":"user","content":[{"type":"x"},{"type":"text","text":"a"},5]}`), "<|start|>user<|message|>a<|end|>"},
	{"empty-instructions=skip", conversation(`{"role":"system","content":"a"},{"role":"system"},{"role":"system","content":"b"}`), "# Instructions\n\na\n\nb<|end|>"},
	{"empty-instructions=keep", conversation(`{"role":"system","content":"a"},{"role":"system"},{"role":"system","content":"b"}`), "# Instructions\n\na\n\n\n\nb<|end|>"},
	{"call-content=refuse", conversation(`{"role":"assistant","content":"x","tool_calls":[{"function":{"name":"f"}}]}`), "TemplateError: messages[0] has both 'content' and 'tool_calls'. Beam writes no text beside its calls: send the text in 'reasoning_content', or in a message of its own."},
	{"call-content=drop", conversation(`{"role":"assistant","content":"x","tool_calls":[{"function":{"name":"f"}}]}`), "<|message|><|end|><|start|>assistant to=f"},
	{"call-content=final", conversation(`{"role":"assistant","content":"x","tool_calls":[{"function":{"name":"f"}}]}`), "<|message|><|end|><|start|>assistant<|channel|>final<|message|>x<|end|><|start|>assistant to=f"},
	{"empty-turn=final", conversation(`{"role":"assistant","thinking":"r"}`), "<|message|>r<|end|><|start|>assistant<|channel|>final<|message|><|return|><|start|>assistant"},
	{"empty-turn=none", conversation(`{"role":"assistant","thinking":"r"}`), "<|message|>r<|end|><|start|>assistant NOT final<|message|>"},
	{"string-arguments=refuse", conversation(call(`{"name":"f","arguments":"{\"a\": 1.0}"}`)), "TemplateError: messages[0].tool_calls[0].function.arguments must be a dict, not a string. Parse the JSON before rendering."},
	{"string-arguments=parse", conversation(call(`{"name":"f","arguments":"{\"a\": 1.0}"}`)), "<rfl:parameter name=\"a\">\n1.0\n</rfl:parameter>"},
	{"string-arguments=parse", conversation(call(`{"name":"f","arguments":"{"}`)), "TemplateError: messages[0].tool_calls[0].function.arguments must be a dict, or the JSON text of one: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)."},
	{"string-arguments=parse", conversation(call(`{"name":"f","arguments":"[]"}`)), "TemplateError: messages[0].tool_calls[0].function.arguments must be a dict."},
	{"closing-tag=refuse", conversation(call(`{"name":"f","arguments":{"a":"</rfl:parameter>"}}`)), "TemplateError: messages[0].tool_calls[0].function.arguments.a cannot contain '</rfl:parameter>'."},
	{"closing-tag=write", conversation(call(`{"name":"f","arguments":{"a":"</rfl:parameter>"}}`)), "\n</rfl:parameter>\n</rfl:parameter><|call|>"},
	{"argument-name=refuse", conversation(call(`{"name":"f","arguments":{"":1}}`)), `TemplateError: messages[0].tool_calls[0].function.arguments has the name "". A name cannot be empty, and cannot contain a double quote or a line break.`},
	{"argument-name=write", conversation(call(`{"name":"f","arguments":{"a\"\n":1}}`)), "<rfl:parameter name=\"a\"\n\">\n1\n"},
	{"tool-name=refuse", conversation(call(`{"name":"f g"}`)), `TemplateError: messages[0].tool_calls[0].function.name must be a non-empty string without spaces and without "<".`},
	{"tool-name=write", conversation(call(`{"name":"f g"}`)), " to=f g<|channel|>"},
	{"unknown-role=refuse", conversation(`{"role":"bot","content":"x"}`), "TemplateError: messages[0].role must be one of: system, developer, user, assistant, tool."},
	{"unknown-role=skip", conversation(`{"role":"bot","content":"x"}`), "every message.<|end|><|start|>assistant NOT bot"},
	{"unknown-role=write", conversation(`{"role":"bot","content":"x"}`), "every message.<|end|><|start|>bot<|message|>x<|end|><|start|>assistant"},
	{"unknown-role=write", conversation(`{"content":"x"}`), "TemplateError: messages[0].role must be one of: system, developer, user, assistant, tool."},
	{"repeated-id=refuse", conversation(twoIDs), "TemplateError: messages[1].tool_call_id matches calls of two tools, 'f' and 'g'. Give the message a 'name'."},
	{"repeated-id=first", conversation(twoIDs), "<|start|>f to=assistant"},
	{"repeated-id=last", conversation(twoIDs), "<|start|>h to=assistant"},
	{"result-name=name", conversation(oneCall, `{"role":"tool","name":"g","tool_call_id":"1"}`), "<|start|>g to=assistant"},
	{"result-name=id", conversation(oneCall, `{"role":"tool","name":"g","tool_call_id":"1"}`), "<|start|>f to=assistant"},
	{"result-name=id", conversation(oneCall, `{"role":"tool","name":"g","tool_call_id":"2"}`), "<|start|>g to=assistant"},
	{"result-name=id", conversation(oneCall, `{"role":"tool","tool_call_id":"2"}`), "TemplateError: messages[1] needs a 'name', or a 'tool_call_id' that matches an earlier call."},
	{"reasoning-fields=refuse", conversation(`{"role":"assistant","thinking":"x","reasoning":"y"}`), "TemplateError: The assistant turn at messages[0] has different texts in 'reasoning_content', 'thinking' and 'reasoning'. Send its reasoning once."},
	{"reasoning-fields=first", conversation(`{"role":"assistant","reasoning":"y","thinking":"x"}`), "analysis<|message|>x<|end|>"},
	{"blank-reasoning=missing", `{"messages":[{"role":"assistant","thinking":"\n"}],"allow_missing_thinking":false}`, "TemplateError: The assistant turn at messages[0] is missing its reasoning. Dropping reasoning from earlier turns degrades this model's output. Send it back in 'reasoning_content', or set allow_missing_thinking=true to skip this check."},
	{"blank-reasoning=present", `{"messages":[{"role":"assistant","thinking":"\n"}],"allow_missing_thinking":false}`, "analysis<|message|>\n<|end|>"},
	{"channel-header=marker", conversation(`{"role":"assistant","content":"<|channel|>"}`), "TemplateError: The assistant turn at messages[0] has a channel header (<|channel|>) in its text. Send plain text: the reasoning in 'reasoning_content', the answer in 'content'."},
	{"channel-header=headers", conversation(`{"role":"assistant","content":"<|channel|>"}`), "<|message|><|channel|><|return|>"},
	{"channel-header=headers", conversation(`{"role":"assistant","content":"<|channel|>final<|message|>"}`), "TemplateError: The assistant turn at messages[0] has a channel header (<|channel|>) in its text. Send plain text: the reasoning in 'reasoning_content', the answer in 'content'."},
	{"channel-header=write", conversation(`{"role":"assistant","content":"<|channel|>final<|message|>"}`), "<|message|><|channel|>final<|message|><|return|>"},
	{"effort-type=refuse", `{"messages":[` + hello + `],"reasoning_effort":1.5}`, "TemplateError: reasoning_effort must be an int or one of: minimal, low, medium, high, xhigh, max"},
	{"effort-type=write", `{"messages":[` + hello + `],"reasoning_effort":1.5}`, "Reasoning effort: 1.5\n"},
	{"effort-type=write", `{"messages":[` + hello + `],"reasoning_effort":false}`, "Reasoning effort: False\n"},
	{"effort-type=write", `{"messages":[` + hello + `],"reasoning_effort":-Infinity}`, "Reasoning effort: -inf\n"},
	{"builtin-absent=ignore", `{"messages":[` + hello + `],"builtin_tools":["search"]}`, helloText},
	{"builtin-absent=refuse", `{"messages":[` + hello + `],"builtin_tools":["search"]}`, "TemplateError: builtin_tools[0] names 'search', which is not in tools."},
	{"bash-command=keywords", `{"messages":[` + hello + `],"tools":[{"name":"bash","parameters":{"properties":{"command":{"type":"string","default":"ls"}}}}]}`, "developer<|message|># Tools\n\ntype bash"},
	{"bash-command=enum", `{"messages":[` + hello + `],"tools":[{"name":"bash","parameters":{"properties":{"command":{"type":"string","default":"ls"}}}}]}`, "# Tools\n\n// Execute a bash command."},
	{"bash-command=enum", `{"messages":[` + hello + `],"tools":[{"name":"bash","parameters":{"properties":{"command":{"type":"string","enum":["ls"]}}}}]}`, "developer<|message|># Tools\n\ntype bash"},
	{"string-default=json", property(`"a":{"type":"string","default":"x"}`), `a?: string, // default: "x"`},
	{"string-default=bare", property(`"a":{"type":"string","default":"x"}`), "a?: string, // default: x\n"},
	{"string-default=bare", property(`"a":{"type":"string","default":"x\n"}`), `a?: string, // default: "x\n"`},
	{"no-parameters=parens", `{"messages":[` + hello + `],"tools":[{"name":"f"}]}`, "type f = () => any;<|end|>"},
	{"no-parameters=braces", `{"messages":[` + hello + `],"tools":[{"name":"f"}]}`, "type f = (_: {\n}) => any;<|end|>"},
	{"schema-ref=any", property(`"a":{"$ref":"#/$defs/A"}`), "a?: any,"},
	{"schema-ref=name", property(`"a":{"$ref":"#/$defs/A"},"b":{"$ref":"/"}`), "a?: A,\nb?: any,"},
	{"nested-close=members", property(`"a":{"properties":{"b":{"properties":{"c":{}}}}}`), "a?: {\n    b?: {\n        c?: any,\n        },\n    },\n}"},
	{"nested-close=parent", property(`"a":{"properties":{"b":{"properties":{"c":{}}}}}`), "a?: {\n    b?: {\n        c?: any,\n    },\n},\n}"},
	{"property-name=quote", property(`"a\"b\n":{}`), `"a\"b\n"?: any,`},
	{"property-name=bare", property(`"a\"b\n":{}`), "a\"b\n?: any,"},
}

func TestDecisions(t *testing.T) {
	tested := map[string]bool{}
	for _, tt := range decisionTests {
		tested[tt.setting] = true
		t.Run(tt.setting, func(t *testing.T) {
			var r Renderer
			if err := r.Decisions.Set(tt.setting); err != nil {
				t.Fatal(err)
			}
			text, err := r.Render(parse(t, tt.request))
			if err != nil {
				if err.Error() != tt.want {
					t.Errorf("got  %v\nwant %s", err, tt.want)
				}
				return
			}
			has, hasNot, both := strings.Cut(tt.want, " NOT ")
			if !strings.Contains(text, has) || both && strings.Contains(text, hasNot) {
				t.Errorf("got  %q\nwant %q", text, tt.want)
			}
		})
	}
	for _, d := range decide.All() {
		for _, choice := range d.Choices {
			if !tested[d.Name+"="+choice] {
				t.Errorf("%s=%s has no test", d.Name, choice)
			}
		}
	}
}
