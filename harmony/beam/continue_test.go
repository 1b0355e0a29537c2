package beam

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

const finalOfX = "<|start|>assistant<|channel|>analysis<|message|><|end|><|start|>assistant<|channel|>final<|message|>"

var continueTests = []struct{ name, field, message, want string }{
	{"content", `true`, `{"role":"assistant","content":" x "}`, finalOfX + " x "},
	{"by name", `"content"`, `{"role":"assistant","content":"x"}`, finalOfX + "x"},
	{"whatever is true", `[0]`, `{"role":"assistant","content":"x"}`, finalOfX + "x"},
	{"empty content", `true`, `{"role":"assistant","content":""}`, finalOfX},
	{"last text part", `true`, `{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, finalOfX + "ab"},
	{"user", `true`, `{"role":"user","content":"x"}`, "<|start|>user<|message|>x"},
	{"reasoning under another name", `"reasoning_content"`, `{"role":"assistant","thinking":"r\n"}`, "<|start|>assistant<|channel|>analysis<|message|>r\n"},
	{"reasoning and content", `"thinking"`, `{"role":"assistant","thinking":"r","content":"x"}`, "<|start|>assistant<|channel|>analysis<|message|>r"},
	{"not there", `"reasoning"`, `{"role":"assistant","thinking":"r"}`, `ValueError: continue_final_message is set but the final message has no "reasoning" to continue!`},
	{"numbers of two kinds", `"thinking"`, `{"role":"assistant","reasoning_content":1,"thinking":true}`, "TypeError: unsupported operand type(s) for +: 'int' and 'str'"},
	{"not a number", `"thinking"`, `{"role":"assistant","thinking":NaN}`, `ValueError: continue_final_message is set to "thinking" but this is not an accepted field in the chat_template`},
	{"not read", `"audio"`, `{"role":"assistant","audio":"r"}`, `ValueError: continue_final_message is set to "audio" but this is not an accepted field in the chat_template`},
	{"no text", `true`, `{"role":"assistant","content":[{"type":"x"}]}`, "ValueError: continue_final_message is set but we could not find any text to continue in the final message!"},
	{"text is null", `true`, `{"role":"assistant","content":[{"text":null}]}`, "TypeError: unsupported operand type(s) for +: 'NoneType' and 'str'"},
	{"text is a list", `true`, `{"role":"assistant","content":[{"text":[]}]}`, `TypeError: can only concatenate list (not "str") to list`},
	{"part is a string", `true`, `{"role":"assistant","content":["a text"]}`, "TypeError: string indices must be integers, not 'str'"},
	{"part is a list", `true`, `{"role":"assistant","content":[["text"]]}`, "TypeError: list indices must be integers or slices, not str"},
	{"part is a number", `true`, `{"role":"assistant","content":[1.5]}`, "TypeError: argument of type 'float' is not a container or iterable"},
	{"content is an object", `true`, `{"role":"assistant","content":{}}`, "TypeError: unsupported operand type(s) for +: 'dict' and 'str'"},
	{"call beside the tag", `true`, `{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f"}}]}`, "TemplateError: messages[1] has both 'content' and 'tool_calls'. Beam writes no text beside its calls: send the text in 'reasoning_content', or in a message of its own."},
	{"late instruction", `true`, `{"role":"system","content":"x"}`, "ValueError: continue_final_message is set but the final message does not appear in the chat after applying the chat template! This can happen if the chat template deletes portions of the final message. Please verify the chat template and final message in your chat to ensure they are compatible.Final message to continue: x\nRendered chat:\n" + head + helloText},
}

func TestContinue(t *testing.T) {
	for _, tt := range continueTests {
		t.Run(tt.name, func(t *testing.T) {
			req := parse(t, `{"messages":[`+hello+`,`+tt.message+`],"continue_final_message":`+tt.field+`}`)
			before := req.Messages[1].Value().GoString()
			got, err := Render(req)
			if err != nil {
				got = err.Error()
			}
			want := tt.want
			if strings.HasPrefix(want, "<|") {
				want = head + helloText + want
			}
			if got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if after := req.Messages[1].Value().GoString(); after != before {
				t.Errorf("the message has changed to %s", after)
			}
		})
	}
}

func TestContinueExcludes(t *testing.T) {
	req := parse(t, `{"messages":[`+hello+`],"continue_final_message":true,"add_generation_prompt":true}`)
	const both = "ValueError: continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the model to continue the final message, and add_generation_prompt when you want to add a header that will prompt it to start a new assistant message instead."
	if _, err := Render(req); err == nil || err.Error() != both {
		t.Error(err)
	}
	req.GenerationPrompt = Auto
	if _, err := RenderSpans(req); err == nil || err.Error() != "ValueError: continue_final_message is not compatible with return_assistant_tokens_mask." {
		t.Error(err)
	}
}

// TestContinueByTemplate: the source of the template decides what a field is.
func TestContinueByTemplate(t *testing.T) {
	req := parse(t, `{"messages":[{"role":"user","audio":"r"}],"continue_final_message":"audio"}`)
	r := Renderer{Template: "{{ message.audio }}"}
	if _, err := r.Render(req); err == nil || !strings.Contains(err.Error(), "does not appear in the chat") {
		t.Error(err)
	}
}

// TestRaw: the next prompt begins with the last one and the model's own bytes.
func TestRaw(t *testing.T) {
	tests := []struct{ name, raw, added string }{
		{"answer", "<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>final<|message|>a<|return|>", ""},
		{"answer without stop token", "<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>final<|message|>a", MarkReturn},
		{"call", "<|channel|>analysis<|message|>r<|end|><|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|><|call|>", ""},
		{"call without stop token", "<|channel|>analysis<|message|>r<|end|><|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|>", MarkCall},
		{"call at once", " to=f<|channel|>analysis <|constrain|>xml<|message|>", MarkCall},
		{"cut off in reasoning", "<|channel|>analysis<|message|>r", MarkReturn},
		{"closed reasoning", "<|channel|>analysis<|message|>r<|end|>", ""},
		{"what no template writes", "\xed\xa0\x80  <|channel|>commentary<|message|>", MarkReturn},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := &Request{Messages: []harmony.Message{{Role: harmony.User, Content: "q"}}, RequireThinking: true}
			prompt, err := Render(req)
			if err != nil {
				t.Fatal(err)
			}
			turn := harmony.Message{Role: harmony.Assistant, Content: "parsed", Raw: tt.raw, ToolCalls: []harmony.ToolCall{{ID: "1", Name: "f"}}}
			req.Messages = append(req.Messages, turn, harmony.Message{Role: harmony.Tool, ToolCallID: "1", Content: "x"})
			next, err := Render(req)
			if err != nil {
				t.Fatal(err)
			}
			want := prompt + tt.raw + tt.added + "<|start|>f to=assistant<|channel|>analysis<|message|>x<|end|><|start|>assistant"
			if next != want {
				t.Errorf("got  %q\nwant %q", next, want)
			}
			r, err := RenderSpans(req)
			if err != nil || len(r.Spans) != 1 || r.Text[r.Spans[0].Start:r.Spans[0].End] != tt.raw+tt.added {
				t.Errorf("spans %v, %v", r.Spans, err)
			}
			req.Messages, req.Continue = req.Messages[:2], "content"
			if open, err := Render(req); err != nil || open != prompt+tt.raw {
				t.Errorf("continued %q, %v", open, err)
			}
		})
	}
}

// TestExactAppend: a turn that the model wrote as the template does is
// continued without Raw as well.
func TestExactAppend(t *testing.T) {
	req := parse(t, conversation(hello))
	prompt, _ := Render(req)
	req.Messages = append(req.Messages, parse(t, conversation(oneCall, `{"role":"tool","tool_call_id":"1","content":"x"}`)).Messages...)
	next, err := Render(req)
	if err != nil || !strings.HasPrefix(next, prompt+strings.TrimPrefix(callText, "<|start|>assistant")+"<|start|>f to=assistant") {
		t.Errorf("%q, %v", next, err)
	}
}
