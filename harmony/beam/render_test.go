package beam

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

const (
	head = "<|start|>system<|message|>You are Beam, an AI assistant trained by Reflection.\n\nReasoning effort: 512\n\n" +
		"# Valid channels: analysis, final. Channel must be included for every message.<|end|>"
	hello     = `{"role":"user","content":"Hello!"}`
	helloText = "<|start|>user<|message|>Hello!<|end|>"
	ask       = "<|start|>assistant"
)

func parse(t testing.TB, text string) *Request {
	t.Helper()
	req, err := ParseRequest(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return req
}

// conversation is a request of messages alone.
func conversation(messages ...string) string {
	return `{"messages":[` + strings.Join(messages, ",") + `]}`
}

// renderTests are requests and what is rendered between the system message and
// the generation prompt, or the whole where it begins with <|start|>system.
var renderTests = []struct{ name, request, want string }{
	{"hello", conversation(hello), helloText},
	{"effort by label", `{"messages":[` + hello + `],"reasoning_effort":"low"}`,
		strings.Replace(head, "512", "32", 1) + helloText + ask},
	{"effort of any size", `{"messages":[` + hello + `],"reasoning_effort":123456789012345678901234567890}`,
		strings.Replace(head, "512", "123456789012345678901234567890", 1) + helloText + ask},
	{"empty identity", `{"messages":[` + hello + `],"model_identity":""}`,
		strings.Replace(head, "You are Beam, an AI assistant trained by Reflection.", "", 1) + helloText + ask},
	{"arguments in kwargs", `{"messages":[` + hello + `],"chat_template_kwargs":{"reasoning_effort":9,"add_generation_prompt":false}}`,
		strings.Replace(head, "512", "9", 1) + helloText},
	{"instructions", conversation(`{"role":"system","content":"a"}`, `{"role":"developer","content":""}`, `{"role":"developer","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}`, hello, `{"role":"system","content":"late"}`),
		"<|start|>developer<|message|># Instructions\n\na\n\nbc<|end|>" + helloText},
	{"no instructions", conversation(`{"role":"system","content":null}`, hello), helloText},
	{"tool loop", conversation(hello,
		`{"role":"assistant","content":null,"reasoning_content":"r","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":{"a":"x\ny","n":1.0,"l":[1,"é",null,true]}}},{"id":"2","type":"function","function":{"name":"g","arguments":null}}]}`,
		`{"role":"tool","tool_call_id":"1","content":"one"}`, `{"role":"tool","name":"g","content":""}`),
		helloText + `<|start|>assistant<|channel|>analysis<|message|>r<|end|><|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="a">
x
y
</rfl:parameter>
<rfl:parameter name="n">
1.0
</rfl:parameter>
<rfl:parameter name="l">
[1, "é", null, true]
</rfl:parameter><|end|><|start|>assistant to=g<|channel|>analysis <|constrain|>xml<|message|><|call|><|start|>f to=assistant<|channel|>analysis<|message|>one<|end|><|start|>g to=assistant<|channel|>analysis<|message|><|end|>`},
	{"reasoning under three names", conversation(`{"role":"assistant","reasoning":"r","thinking":"r","reasoning_content":"","content":"a"}`),
		"<|start|>assistant<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>final<|message|>a<|return|>"},
	{"a parsed reply", conversation(`{"role":"assistant","thinking":"r","content":"a"}`),
		"<|start|>assistant<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>final<|message|>a<|return|>"},
	{"surrogate from JSON", conversation(`{"role":"user","content":"\ud800"}`), "<|start|>user<|message|>\xed\xa0\x80<|end|>"},
	{"the nearest call of an id names the speaker", conversation(
		`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}}]}`, `{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"g"}},{"id":"1","function":{"name":"g"}}]}`, `{"role":"tool","tool_call_id":"1"}`),
		"<|start|>assistant<|channel|>analysis<|message|><|end|><|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|><|call|>" +
			"<|start|>assistant<|channel|>analysis<|message|><|end|><|start|>assistant to=g<|channel|>analysis <|constrain|>xml<|message|><|end|><|start|>assistant to=g<|channel|>analysis <|constrain|>xml<|message|><|call|>" +
			"<|start|>g to=assistant<|channel|>analysis<|message|><|end|>"},
}

func TestRender(t *testing.T) {
	for _, tt := range renderTests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if !strings.HasPrefix(want, "<|start|>system") {
				want = head + want + ask
			}
			got, err := Render(parse(t, tt.request))
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// errorTests are requests and their first error, with its path.
var errorTests = []struct{ name, request, path, want string }{
	{"empty", `{"messages":[]}`, "messages", "ValueError: Cannot apply chat template to an empty conversation. Provide at least one message."},
	{"effort", `{"messages":[` + hello + `],"reasoning_effort":"none"}`, "reasoning_effort", "TemplateError: reasoning_effort must be an int or one of: minimal, low, medium, high, xhigh, max"},
	{"effort is a boolean", `{"messages":[` + hello + `],"reasoning_effort":true}`, "reasoning_effort", "TemplateError: reasoning_effort must be an int or one of: minimal, low, medium, high, xhigh, max"},
	{"identity", `{"messages":[` + hello + `],"model_identity":5}`, "model_identity", "TemplateError: model_identity must be a string."},
	{"builtin", `{"messages":[` + hello + `],"builtin_tools":"search"}`, "builtin_tools", "TemplateError: builtin_tools must be a list of tool names."},
	{"allowed", `{"messages":[` + hello + `],"allow_missing_thinking":"no"}`, "allow_missing_thinking", "TemplateError: allow_missing_thinking must be true or false."},
	{"missing reasoning", `{"messages":[` + hello + `,{"role":"assistant","content":"a","thinking":" \u001c\u3000"}],"allow_missing_thinking":false}`, "messages[1]",
		"TemplateError: The assistant turn at messages[1] is missing its reasoning. Dropping reasoning from earlier turns degrades this model's output. Send it back in 'reasoning_content', or set allow_missing_thinking=true to skip this check."},
	{"reasoning is no string", conversation(`{"role":"assistant","thinking":5}`), "messages[0].thinking", "TemplateError: messages[0].reasoning_content must be a string."},
	{"a second reasoning is no string", conversation(`{"role":"assistant","thinking":"x","reasoning":[]}`), "messages[0].reasoning", "TemplateError: messages[0].reasoning must be a string."},
	{"two reasonings", conversation(`{"role":"assistant","thinking":"x","reasoning":"y"}`), "messages[0]", "TemplateError: The assistant turn at messages[0] has different texts in 'reasoning_content', 'thinking' and 'reasoning'. Send its reasoning once."},
	{"header across parts", conversation(`{"role":"assistant","content":[{"type":"text","text":"<|chan"},{"type":"text","text":"nel|>"}]}`), "messages[0]",
		"TemplateError: The assistant turn at messages[0] has a channel header (<|channel|>) in its text. Send plain text: the reasoning in 'reasoning_content', the answer in 'content'."},
	{"other part", conversation(`{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}}]}`), "messages[0].content[1]",
		`TemplateError: messages[0].content[1] must be a text part: {"type": "text", "text": "..."}. Beam reads text only.`},
	{"part without text", conversation(`{"role":"user","content":[{"type":"text"}]}`), "messages[0].content[0]",
		`TemplateError: messages[0].content[0] must be a text part: {"type": "text", "text": "..."}. Beam reads text only.`},
	{"content", conversation(`{"role":"user","content":{}}`), "messages[0].content", "TemplateError: messages[0].content must be a string or a list of text parts."},
	{"role", conversation(`{"content":"x"}`), "messages[0].role", "TemplateError: messages[0].role must be one of: system, developer, user, assistant, tool."},
	{"refusal", conversation(`{"role":"assistant","refusal":"no"}`), "messages[0].refusal", "TemplateError: messages[0].refusal cannot be rendered. Send text in 'content' and calls in 'tool_calls'."},
	{"calls", conversation(`{"role":"assistant","tool_calls":"x"}`), "messages[0].tool_calls", "TemplateError: messages[0].tool_calls must be a list."},
	{"text and calls", conversation(`{"role":"assistant","content":"x","tool_calls":[{"function":{"name":"f"}}]}`), "messages[0]",
		"TemplateError: messages[0] has both 'content' and 'tool_calls'. Beam writes no text beside its calls: send the text in 'reasoning_content', or in a message of its own."},
	{"call", conversation(`{"role":"assistant","tool_calls":[{"function":{"name":"f"}},7]}`), "messages[0].tool_calls[1]", "TemplateError: messages[0].tool_calls[1] must be an object with a function."},
	{"function", conversation(`{"role":"assistant","tool_calls":[{"function":null,"name":"f"}]}`), "messages[0].tool_calls[0]", "TemplateError: messages[0].tool_calls[0] must be an object with a function."},
	{"name of a call", conversation(`{"role":"assistant","tool_calls":[{"function":{"name":"f\u00a0g"}}]}`), "messages[0].tool_calls[0].function.name", `TemplateError: messages[0].tool_calls[0].function.name must be a non-empty string without spaces and without "<".`},
	{"string arguments", conversation(`{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}`), "messages[0].tool_calls[0].function.arguments",
		"TemplateError: messages[0].tool_calls[0].function.arguments must be a dict, not a string. Parse the JSON before rendering."},
	{"arguments", conversation(`{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":[]}}]}`), "messages[0].tool_calls[0].function.arguments", "TemplateError: messages[0].tool_calls[0].function.arguments must be a dict."},
	{"argument's name", conversation(`{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"a\"é\n":1}}}]}`), "messages[0].tool_calls[0].function.arguments",
		`TemplateError: messages[0].tool_calls[0].function.arguments has the name "a\"é\n". A name cannot be empty, and cannot contain a double quote or a line break.`},
	{"closing tag in JSON", conversation(`{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"a":["</rfl:parameter>"]}}}]}`), "messages[0].tool_calls[0].function.arguments.a",
		"TemplateError: messages[0].tool_calls[0].function.arguments.a cannot contain '</rfl:parameter>'."},
	{"result of nothing", conversation(`{"role":"tool","tool_call_id":"1","content":"x"}`), "messages[0]", "TemplateError: messages[0] needs a 'name', or a 'tool_call_id' that matches an earlier call."},
	{"result's name", conversation(`{"role":"tool","name":5}`), "messages[0].name", `TemplateError: messages[0].name must be a non-empty string without spaces and without "<".`},
	{"repeated id", conversation(`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}},{"id":"1","function":{"name":"g"}}]}`, `{"role":"tool","tool_call_id":"1"}`), "messages[1].tool_call_id",
		"TemplateError: messages[1].tool_call_id matches calls of two tools, 'f' and 'g'. Give the message a 'name'."},
	{"tool", `{"messages":[` + hello + `],"tools":[{"function":[]}]}`, "tools[0].function", "TemplateError: tools[0].function must be an object."},
	{"tool's name", `{"messages":[` + hello + `],"tools":[{"name":""}]}`, "tools[0].name", `TemplateError: tools[0].name must be a non-empty string without spaces and without "<".`},
	{"parameters", `{"messages":[` + hello + `],"tools":[{"function":{"name":"f","parameters":[]}}]}`, "tools[0].function.parameters", "TemplateError: tools[0].function.parameters must be an object: a JSON schema."},
	// The template declares every tool, in their order, before it reads a message.
	{"tools come first", `{"messages":[{"role":"system","content":5}],"builtin_tools":["s"],"tools":[{"name":""},{"name":"s","parameters":5}]}`, "tools[0].name", `TemplateError: tools[0].name must be a non-empty string without spaces and without "<".`},
	{"instructions come before turns", conversation(`{"role":"system","content":5}`, `{}`), "messages[0].content", "TemplateError: messages[0].content must be a string or a list of text parts."},
}

func TestRenderErrors(t *testing.T) {
	for _, tt := range errorTests {
		t.Run(tt.name, func(t *testing.T) {
			text, err := Render(parse(t, tt.request))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %q, %v; want an *Error", text, err)
			}
			if e.Error() != tt.want || e.Path != tt.path {
				t.Errorf("got  %s at %s\nwant %s at %s", e, e.Path, tt.want, tt.path)
			}
			if text != "" {
				t.Errorf("an error comes with the text %q", text)
			}
		})
	}
}

func TestAppendRenderKeepsWhatIsThere(t *testing.T) {
	buf, err := AppendRender([]byte("before"), parse(t, conversation(hello)))
	if err != nil || string(buf) != "before"+head+helloText+ask {
		t.Errorf("got %q, %v", buf, err)
	}
	buf, err = AppendRender([]byte("before"), parse(t, conversation(`{"role":"bot"}`)))
	if err == nil || string(buf) != "before" {
		t.Errorf("after an error: %q, %v", buf, err)
	}
}

func TestSpans(t *testing.T) {
	req := parse(t, conversation(hello, `{"role":"assistant","thinking":"é","content":"a"}`, hello, `{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]}`))
	r, err := RenderSpans(req)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"<|channel|>analysis<|message|>é<|end|><|start|>assistant<|channel|>final<|message|>a<|return|>",
		"<|channel|>analysis<|message|><|end|><|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|><|call|>",
	}
	for i, s := range r.Spans {
		if i >= len(want) || r.Text[s.Start:s.End] != want[i] {
			t.Errorf("span %d is %q", i, r.Text[s.Start:s.End])
		}
	}
	if len(r.Spans) != len(want) {
		t.Errorf("%d spans", len(r.Spans))
	}
	if strings.HasSuffix(r.Text, ask) {
		t.Error("a finished conversation has a generation prompt")
	}
}

// TestGoOnlyFaults are faults that only a request written in Go can have.
func TestGoOnlyFaults(t *testing.T) {
	loop := &value.Object{}
	loop.Set("a", loop.Value())
	loop.Set("anyOf", value.List(loop.Value(), loop.Value()))
	tests := []struct {
		name string
		req  Request
		want string
	}{
		{"content twice", Request{Messages: []harmony.Message{{Role: "user", Content: "a", Parts: []harmony.Part{{Type: "text"}}}}}, "TemplateError: messages[0] has both Content and Parts. Use one of them."},
		{"raw of a user", Request{Messages: []harmony.Message{{Role: "user", Raw: "a"}}}, "TemplateError: messages[0].Raw belongs to an assistant turn."},
		{"tool without a definition", Request{Messages: []harmony.Message{{Role: "user"}}, Tools: make([]harmony.ToolDef, 1)}, "ValueError: Tools should either be a JSON schema, or a callable function with type hints and a docstring suitable for auto-conversion to a schema."},
		{"not UTF-8", Request{Messages: []harmony.Message{{Role: "user", Content: "a\xff"}}}, "messages[0].content is not valid UTF-8 at byte 1"},
		{"half a surrogate", Request{Messages: []harmony.Message{{Role: "user", Content: "\xed\xa0"}}}, "messages[0].content is not valid UTF-8 at byte 0"},
		{"a value that holds itself", Request{Messages: []harmony.Message{{Role: "assistant", ToolCalls: []harmony.ToolCall{{Name: "f", Arguments: loop.Value()}}}}}, "RecursionError: maximum recursion depth exceeded"},
		{"a schema that holds itself", Request{Messages: []harmony.Message{{Role: "user"}}, Tools: []harmony.ToolDef{{Def: value.Members(value.Member{Name: "name", Value: value.String("f")},
			value.Member{Name: "parameters", Value: value.Members(value.Member{Name: "properties", Value: loop.Value()})})}}}, "TemplateError: tools[0].parameters is nested more than 32 levels deep."},
	}
	for _, tt := range tests {
		if _, err := Render(&tt.req); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v", tt.name, err)
		}
		Check(&tt.req)
	}
}

// A nil request is an error of every call, and no panic.
func TestNoRequest(t *testing.T) {
	if list := Check(nil); list != nil {
		t.Errorf("Check: %v", list)
	}
	text, err := Render(nil)
	dst, err2 := AppendRender([]byte("before"), nil)
	made, err3 := RenderSpans(nil)
	for _, err := range []error{err, err2, err3} {
		var e *Error
		if !errors.As(err, &e) || e.Class != "ValueError" {
			t.Errorf("%v, want a *Error", err)
		}
	}
	if text != "" || string(dst) != "before" || made.Text != "" {
		t.Errorf("%q, %q, %q", text, dst, made.Text)
	}
}
