package openai

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

const day = "2026-04-04"

// head is the system message without tools.
const head = "<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.\nKnowledge cutoff: 2024-06\nCurrent date: 2026-04-04\n\nReasoning: medium\n\n# Valid channels: analysis, commentary, final. Channel must be included for every message.<|end|>"

func parse(t testing.TB, text string) *Request {
	t.Helper()
	req, err := ParseRequest(text)
	if err != nil {
		t.Fatal(err)
	}
	req.Date = day
	return req
}

// What the template writes and the notes leave open, each as the model's own
// template has it; fuzz/render compares many more with the template itself.
func TestRender(t *testing.T) {
	for name, tt := range map[string]struct{ request, want string }{
		"instructions end in an empty line": {`{"messages": [{"role": "system", "content": "必ず日本語で答えてください"}, {"role": "user", "content": "こんにちは"}]}`,
			"<|start|>developer<|message|># Instructions\n\n必ず日本語で答えてください\n\n<|end|><|start|>user<|message|>こんにちは<|end|><|start|>assistant"},
		"later instructions are passed over": {`{"messages": [{"role": "user", "content": "a"}, {"role": "system", "content": "b"}]}`,
			"<|start|>user<|message|>a<|end|><|start|>assistant"},
		"an unknown role is passed over": {`{"messages": [{"role": "critic", "content": "a"}]}`, "<|start|>assistant"},
		"a call, then its result as JSON": {`{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "thinking": "r", "tool_calls": [{"function": {"name": "f", "arguments": {"x": "é"}}}]}, {"role": "tool", "content": "{\"y\": 1}"}]}`,
			`<|start|>user<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>r<|end|><|start|>assistant to=functions.f<|channel|>commentary json<|message|>{"x": "é"}<|call|><|start|>functions.f to=assistant<|channel|>commentary<|message|>"{\"y\": 1}"<|end|><|start|>assistant`},
		"of several calls the first": {`{"messages": [{"role": "assistant", "tool_calls": [{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]}]}`,
			"<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{}<|call|><|start|>assistant"},
		"text beside a call is reasoning": {`{"messages": [{"role": "assistant", "content": "now", "tool_calls": [{"name": "f", "arguments": "{}"}]}]}`,
			"<|start|>assistant<|channel|>analysis<|message|>now<|end|><|start|>assistant to=functions.f<|channel|>commentary json<|message|>\"{}\"<|call|><|start|>assistant"},
		"no reasoning of a call that was answered": {`{"messages": [{"role": "assistant", "thinking": "r", "tool_calls": [{"name": "f", "arguments": {}}]}, {"role": "tool", "content": "1"}, {"role": "assistant", "content": "done"}]}`,
			"<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{}<|call|><|start|>functions.f to=assistant<|channel|>commentary<|message|>\"1\"<|end|><|start|>assistant<|channel|>final<|message|>done<|end|><|start|>assistant"},
		"reasoning and the stop token for training alone": {`{"messages": [{"role": "assistant", "reasoning_content": "r", "content": "a"}], "add_generation_prompt": false}`,
			"<|start|>assistant<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>final<|message|>a<|return|>"},
		"continued": {`{"messages": [{"role": "assistant", "content": "a b"}], "continue_final_message": true}`,
			"<|start|>assistant<|channel|>final<|message|>a b"},
		"parts are printed as Python does": {`{"messages": [{"role": "system", "content": [{"type": "text", "text": "a"}]}]}`,
			"<|start|>developer<|message|># Instructions\n\n[{'type': 'text', 'text': 'a'}]\n\n<|end|><|start|>assistant"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Render(parse(t, tt.request))
			if err != nil || got != head+tt.want {
				t.Errorf("%v\n got %q\nwant %q", err, strings.TrimPrefix(got, head), tt.want)
			}
		})
	}
}

// Tools as the notes and the template declare them.
func TestTools(t *testing.T) {
	const request = `{"messages": [{"role": "user", "content": "a"}], "tools": [
		{"type": "function", "function": {"name": "get_location", "description": "Where?"}},
		{"type": "function", "function": {"name": "get_current_weather", "description": "Weather.", "parameters": {"type": "object", "required": ["location"], "properties": {
			"location": {"type": "string", "description": "A city"},
			"format": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
			"days": {"type": "integer", "default": 3}, "at": {"type": ["string", "null"]}, "list": {"type": "array", "items": {"type": "integer"}},
			"box": {"type": "object", "required": ["w"], "properties": {"w": {"type": "number"}, "h": {"type": "number"}}},
			"one": {"oneOf": [{"type": "string", "default": "é"}, {"type": "boolean"}]}, "any": true}}}}]}`
	got, err := Render(parse(t, request))
	want := "<|start|>developer<|message|># Tools\n\n## functions\n\nnamespace functions {\n\n" +
		"// Where?\ntype get_location = () => any;\n\n" +
		"// Weather.\ntype get_current_weather = (_: {\n// A city\nlocation: string,\n" +
		"format?: \"celsius\" | \"fahrenheit\", // default: celsius,\ndays?: number, // default: 3,\nat?: string | null,\nlist?: number[],\n" +
		"box?: {\nw: \n                number, h?: \n                number},\n" +
		"one?: string                    // default: \"é\" | \nboolean,\nany?: any,\n}) => any;\n\n} // namespace functions<|end|>"
	if err != nil || !strings.Contains(got, want) || !strings.Contains(got, "for every message.\nCalls to these tools must go to the commentary channel: 'functions'.<|end|>") {
		t.Errorf("%v\n%s", err, got)
	}
}

// What the template refuses, with its text or Python's, and where.
func TestErrors(t *testing.T) {
	for request, want := range map[string]string{
		`{"messages": []}`:                                 "ValueError at messages: Cannot apply chat template to an empty conversation. Provide at least one message.",
		`{"messages": [{"role": "user"}]}`:                 "UndefinedError at messages[0].content: 'dict object' has no attribute 'content'",
		`{"messages": [{"role": "user", "content": []}]}`:  `TypeError at messages[0].content: can only concatenate str (not "list") to str`,
		`{"messages": [{"role": "tool", "content": "1"}]}`: "TemplateError at messages[0]: Message has tool role, but there was no previous assistant message with a tool call!",
		`{"messages": [{"role": "assistant", "content": "a", "thinking": "b", "tool_calls": [{"name": "f"}]}]}`:  "TemplateError at messages[0]: Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one or the other, but not both.",
		`{"messages": [{"role": "assistant", "tool_calls": []}]}`:                                                "UndefinedError at messages[0].tool_calls[0]: list object has no element 0",
		`{"messages": [{"role": "assistant", "tool_calls": [{"name": "f"}]}]}`:                                   "TypeError at messages[0].tool_calls[0]: Object of type Undefined is not JSON serializable",
		`{"messages": [{"role": "user", "content": "a"}], "reasoning_effort": null}`:                             `TypeError at reasoning_effort: can only concatenate str (not "NoneType") to str`,
		`{"messages": [{"role": "user", "content": "a"}], "model_identity": 5}`:                                  "TypeError at model_identity: unsupported operand type(s) for +: 'int' and 'str'",
		`{"messages": [{"role": "user", "content": "a"}], "builtin_tools": 5}`:                                   "TypeError at builtin_tools: 'int' object is not iterable",
		`{"messages": [{"role": "user", "content": "a"}], "tools": [{"name": "f"}]}`:                             "UndefinedError at tools[0].function: 'dict object' has no attribute 'function'",
		`{"messages": [{"role": "user", "content": "a"}], "tools": [{"function": {"name": "f"}}]}`:               "UndefinedError at tools[0].function: 'dict object' has no attribute 'description'",
		`{"messages": [{"role": "user", "content": "a"}], "sanitize_control_tokens": true}`:                      "ValueError at sanitize_control_tokens: `sanitize_control_tokens=True` requires `tokenize=True` and is not compatible with `return_assistant_tokens_mask=True`.",
		`{"messages": [{"role": "assistant", "content": "<|channel|>final<|message|>a"}], "tools": [], "x": {}}`: "TemplateError at messages[0].content: You have passed a message containing <|channel|> tags in the content field.",
	} {
		_, err := Render(parse(t, request))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", request, err)
			continue
		}
		if got := e.Class + " at " + e.Path + ": " + e.Message; !strings.HasPrefix(got, want) {
			t.Errorf("%s\n got %s\nwant %s", request, got, want)
		}
	}
	if _, err := Render(&Request{Messages: []harmony.Message{{Role: harmony.User, Content: "a"}}}); err != errNoDate {
		t.Errorf("without a date: %v", err)
	}
	if _, err := Render(nil); err != errNoRequest {
		t.Errorf("nil: %v", err)
	}
	bad := &Request{Messages: []harmony.Message{{Role: harmony.User, Content: "a\xff"}}, Date: day}
	var text *harmony.UTF8Error
	if _, err := Render(bad); !errors.As(err, &text) || text.What != "messages[0].content" || text.Offset != 1 {
		t.Errorf("not UTF-8: %v", err)
	}
}

// The model's own text stands in history as it was written, but for the end of an
// answer.
func TestRaw(t *testing.T) {
	for raw, want := range map[string]string{
		"<|channel|>final<|message|>4<|return|>":                               "<|channel|>final<|message|>4<|end|>",
		"<|channel|>final<|message|>4":                                         "<|channel|>final<|message|>4<|end|>",
		"<|channel|>commentary to=functions.f json<|message|>{}<|call|>":       "<|channel|>commentary to=functions.f json<|message|>{}<|call|>",
		" to=functions.f<|channel|>commentary <|constrain|>json<|message|>{}":  " to=functions.f<|channel|>commentary <|constrain|>json<|message|>{}<|call|>",
		"<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>f": "<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>f<|end|>",
	} {
		got, err := Render(&Request{Date: day, Messages: []harmony.Message{{Role: harmony.Assistant, Raw: raw}, {Role: harmony.User, Content: "a"}}})
		if want := head + "<|start|>assistant" + want + "<|start|>user<|message|>a<|end|><|start|>assistant"; err != nil || got != want {
			t.Errorf("%v\n got %q\nwant %q", err, got, want)
		}
	}
}

// Where there is room, a prompt of ten messages and three tools allocates nothing.
func TestAllocations(t *testing.T) {
	req := parse(t, `{"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "a"},
		{"role": "assistant", "thinking": "r", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": {"x": [1, 2.5, "a"]}}}]}, {"role": "tool", "content": "1", "tool_call_id": "1"},
		{"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}],
		"tools": [{"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {"x": {"type": "array", "items": {"type": "number"}}, "y": {"type": "string", "enum": ["a"]}}}}}],
		"builtin_tools": ["browser", "python"]}`)
	buf, err := AppendRender(nil, req)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := AppendRender(buf[:0], req); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// MapText reaches what a caller wrote, names of members apart.
func TestMapText(t *testing.T) {
	req := parse(t, `{"messages": [{"role": "user", "content": "a"}], "model_identity": "i", "reasoning_effort": "low", "builtin_tools": ["x"], "tools": [{"function": {"name": "f", "description": "d"}}]}`)
	text, err := RenderMarked(req, func(s string) string { return "[" + s + "]" })
	for _, want := range []string{"<|message|>[i]\n", "Reasoning: [low]", "// [d]\ntype [f] =", "# Tools\n\n"} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%q is not in %q (%v)", want, text, err)
		}
	}
	if again, _ := Render(req); strings.Contains(again, "[i]") || req.GenerationPrompt != template.Auto || value.Dumps(req.Tools[0].Def) != `{"function": {"name": "f", "description": "d"}}` {
		t.Errorf("the request was changed: %q", again)
	}
}
