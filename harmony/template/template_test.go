package template_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func loads(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func messages(t testing.TB, text string) []harmony.Message {
	t.Helper()
	list, err := harmony.DecodeMessages(loads(t, text), "messages")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The checks come in Transformers' order: what is wrong first is told.
func TestBegin(t *testing.T) {
	one := messages(t, `[{"role": "user", "content": "a"}]`)
	odd := []harmony.ToolDef{{Def: value.Int(5)}}
	for _, tt := range []struct {
		call template.Call
		want string
	}{
		{template.Call{Messages: one}, ""},
		{template.Call{Tools: odd, Sanitize: true}, "messages: ValueError: Cannot apply chat template to an empty conversation"},
		{template.Call{Messages: one, Continue: "content", Prompt: true, Sanitize: true}, "continue_final_message: ValueError: continue_final_message and add_generation_prompt"},
		{template.Call{Messages: one, Continue: "content", Mask: true, Sanitize: true}, "continue_final_message: ValueError: continue_final_message is not compatible with return_assistant"},
		{template.Call{Messages: one, Sanitize: true, Tools: odd}, "sanitize_control_tokens: ValueError: `sanitize_control_tokens=True` requires"},
		{template.Call{Messages: one, Tools: odd, Continue: "x"}, "tools[0]: ValueError: Tools should either be a JSON schema"},
		{template.Call{Messages: one, Continue: "x", Fields: []string{"content"}}, `messages[0]: ValueError: continue_final_message is set but the final message has no "x" to continue!`},
		{template.Call{Messages: one, Continue: "content", Template: "{{ m.text }}", Fields: []string{"content"}}, `messages[0]: ValueError: continue_final_message is set to "content" but this is not an accepted field in the chat_template`},
		{template.Call{Messages: messages(t, `[{"role": "user", "content": 5}]`), Continue: "content", Fields: []string{"content"}}, "messages[0]: TypeError: unsupported operand type(s) for +: 'int' and 'str'"},
		{template.Call{Messages: messages(t, `[{"role": "user", "content": [{"type": "image"}]}]`), Continue: "content", Fields: []string{"content"}}, "messages[0]: ValueError: continue_final_message is set but we could not find any text"},
	} {
		_, err := template.Begin(tt.call)
		got := ""
		var e *template.Error
		if errors.As(err, &e) {
			got = e.Path + ": " + e.Error()
		}
		if err != nil && e == nil || tt.want == "" && err != nil || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%+v: %s (%v), want %s", tt.call, got, err, tt.want)
		}
	}
}

// The text that is continued carries a tag through the template, under each of
// the names that it has, and the prompt ends before it.
func TestCut(t *testing.T) {
	tail, err := template.Begin(template.Call{Messages: messages(t, `[{"role": "assistant", "reasoning": " r ", "content": "a"}]`), Continue: "reasoning", Fields: []string{"thinking"}})
	if err != nil {
		t.Fatal(err)
	}
	fields, some := template.Reasoning(tail.Final)
	for k, v := range fields {
		if s, _ := v.AsString(); !some || s != " r CONTINUE_FINAL_MESSAGE_TAG " {
			t.Errorf("%s is %q", harmony.ThinkingKeys()[k], s)
		}
	}
	for prompt, want := range map[string]string{
		"x r CONTINUE_FINAL_MESSAGE_TAG <end>":                       "x r ",
		"x r CONTINUE_FINAL_MESSAGE_TAG<end>":                        "x r", // stripped by the template: white space before the tag goes too
		"x r CONTINUE_FINAL_MESSAGE_TAG CONTINUE_FINAL_MESSAGE_TAG ": "x r CONTINUE_FINAL_MESSAGE_TAG ",
	} {
		n, err := tail.Cut([]byte(prompt))
		if err != nil || prompt[:n] != want {
			t.Errorf("%q: %q, %v; want %q", prompt, prompt[:n], err, want)
		}
	}
	var e *template.Error
	if _, err := tail.Cut([]byte("x CONTINUE_FINAL")); !errors.As(err, &e) || !strings.Contains(e.Message, "does not appear in the chat") || !strings.HasSuffix(e.Message, "Final message to continue: r\nRendered chat:\nx CONTINUE_FINAL") {
		t.Errorf("without the tag: %v", err)
	}
	if n, err := new(template.Tail).Cut([]byte("abc")); n != 3 || err != nil {
		t.Errorf("nothing is continued: %d, %v", n, err)
	}
}

// A body is taken apart with nothing lost, and an argument that is given twice
// must be the same.
func TestDecode(t *testing.T) {
	b, err := template.Decode(loads(t, `{"messages": [{"role": "user"}], "tools": [{"name": "f"}], "effort": 1, "model": "m", "template_kwargs": {"x": 2}, "chat_template_kwargs": {"effort": 1}}`), "effort")
	if err != nil || len(b.Messages) != 1 || len(b.Tools) != 1 || value.Dumps(b.Args.Value()) != `{"effort": 1, "x": 2}` || value.Dumps(b.Extra.Value()) != `{"model": "m"}` {
		t.Errorf("%+v, %v", b, err)
	}
	for text, want := range map[string]string{
		`[]`: "request must be an object, but is array",
		`{}`: "messages must be a list, but is null",
		`{"messages": [], "effort": 1, "template_kwargs": {"effort": 2}}`: "template_kwargs.effort must be the same wherever it is given, but is 2",
		`{"messages": [], "template_kwargs": {"tools": []}}`:              "template_kwargs.tools must be beside the kwargs, not in them, but is array",
		`{"messages": [], "template_kwargs": 5}`:                          "template_kwargs must be an object, but is integer",
	} {
		if _, err := template.Decode(loads(t, text), "effort"); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Every text of a caller is mapped, and what the model wrote is not.
func TestMapText(t *testing.T) {
	in := messages(t, `[{"role": "assistant", "content": [{"text": "a", "type": "text"}], "reasoning": "r", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"k": ["v"]}}}], "x": {"y": "z"}}]`)
	in[0].Raw = "raw"
	out, tools := template.MapText(in, []harmony.ToolDef{{Def: loads(t, `{"name": "f", "parameters": {"enum": ["e", 1]}}`)}}, strings.ToUpper)
	const want = `{"role": "ASSISTANT", "reasoning": "R", "content": [{"text": "A", "type": "TEXT"}], "tool_calls": [{"id": "1", "function": {"name": "F", "arguments": {"k": ["V"]}}}], "x": {"y": "Z"}}`
	if got := value.Dumps(out[0].Value()); got != want || out[0].Raw != "raw" {
		t.Errorf("%s (Raw %q)\nwant %s", got, out[0].Raw, want)
	}
	if got := value.Dumps(tools[0].Def); got != `{"name": "F", "parameters": {"enum": ["E", 1]}}` {
		t.Error(got)
	}
}
