package chat

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func TestJSON(t *testing.T) {
	v := NewView(nil, Options{})
	think := NewView(nil, Options{ReasoningKey: "thinking"})
	call := Call{Index: 1, ID: "call_1", Name: `a"b`, Arguments: "{\"k\": \"é\\n\"}"}
	for _, c := range []struct{ got, want string }{
		{string(v.AppendDelta(nil, Delta{Role: "assistant", Content: "a\"\n\u2028é\x7f\x00"})), `{"role":"assistant","content":"a\"\n` + "\u2028é\x7f" + `\u0000"}`},
		{string(v.AppendDelta([]byte("data: "), Delta{Reasoning: "Hm"})), `data: {"reasoning_content":"Hm"}`},
		{string(think.AppendDelta(nil, Delta{Reasoning: "Hm"})), `{"thinking":"Hm"}`},
		{string(v.AppendDelta(nil, Delta{Call: &call})), `{"tool_calls":[{"index":1,"id":"call_1","type":"function","function":{"name":"a\"b","arguments":"{\"k\": \"é\\n\"}"}}]}`},
		{string(v.AppendChunk(nil, Delta{Content: "a"})), `{"index":0,"delta":{"content":"a"},"finish_reason":null}`},
		{string(v.AppendChunk(nil, Delta{FinishReason: Stop})), `{"index":0,"delta":{},"finish_reason":"stop"}`},
		{string(v.AppendMessage(nil, Message{Role: "assistant"})), `{"role":"assistant","content":""}`},
		{string(think.AppendMessage(nil, Message{Role: "assistant", Reasoning: "Hm", Content: "a"})), `{"role":"assistant","thinking":"Hm","content":"a"}`},
		{string(v.AppendMessage(nil, Message{Role: "assistant", Calls: []Call{call, call}})), `{"role":"assistant","content":null,"tool_calls":[` +
			`{"id":"call_1","type":"function","function":{"name":"a\"b","arguments":"{\"k\": \"é\\n\"}"}},` +
			`{"id":"call_1","type":"function","function":{"name":"a\"b","arguments":"{\"k\": \"é\\n\"}"}}]}`},
		{string(v.AppendChoice(nil, Completion{Message: Message{Role: "assistant", Content: "a"}, FinishReason: Length})), `{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"length"}`},
		{string(v.AppendDelta(nil, Delta{Content: "é\xed\xa0\x80"})), `{"content":"\u00e9\ud800"}`},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}

// Arguments are JSON text, in the prompt's form or in the server's.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ arguments, want, ascii string }{
		{`{"city":"Zürich","n":[1,2.50,1e400]}`, `{"city": "Zürich", "n": [1, 2.5, Infinity]}`, `{"city": "Z\u00fcrich", "n": [1, 2.5, Infinity]}`},
		{`{"n":123456789012345678901234567890}`, `{"n": 123456789012345678901234567890}`, `{"n": 123456789012345678901234567890}`},
		{`{"a":"é\ud800"}`, `{"a": "\u00e9\ud800"}`, `{"a": "\u00e9\ud800"}`},
		{`"{\"a\":1}"`, `{"a":1}`, `{"a":1}`},
		{`"[{}"`, `[{}`, `[{}`},
		{`""`, `{}`, `{}`},
		{`null`, `{}`, `{}`},
		{`{}`, `{}`, `{}`},
		{`[]`, `[]`, `[]`},
	} {
		args, err := value.Loads(c.arguments)
		if err != nil {
			t.Fatal(err)
		}
		fn := value.Members(value.Member{Name: "name", Value: value.String("f")}, value.Member{Name: "arguments", Value: args})
		r := harmony.Reply{Calls: []harmony.Call{{Field: "tool_calls", Runnable: true, Value: value.Members(value.Member{Name: "function", Value: fn})}}}
		for ascii, want := range map[bool]string{false: c.want, true: c.ascii} {
			got := NewView(nil, Options{ASCII: ascii}).Completion(r, harmony.Stop{})
			if a := got.Message.Calls[0].Arguments; a != want {
				t.Errorf("%s, ASCII %v: got %s, want %s", c.arguments, ascii, a, want)
			}
			if id := got.Message.Calls[0].ID; len(id) != len("call_")+24 {
				t.Errorf("the ID %q", id)
			}
		}
	}
}

// Every delta is JSON in UTF-8, and says what it was made of.
func FuzzJSON(f *testing.F) {
	f.Add("a\u2028\xed\xa0\x80", "n\xff", `{"a":1}`)
	v := NewView(nil, Options{})
	f.Fuzz(func(t *testing.T, text, name, arguments string) {
		got := v.AppendChunk(nil, Delta{Role: "assistant", Content: text, Reasoning: name, Call: &Call{Name: name, Arguments: arguments}})
		var back struct {
			Delta struct {
				Content   string
				Reasoning string `json:"reasoning_content"`
				ToolCalls []struct {
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
		if err := json.Unmarshal(got, &back); err != nil || !utf8.Valid(got) {
			t.Fatalf("%q: %v", got, err)
		}
		fn := back.Delta.ToolCalls[0].Function
		for in, out := range map[string]string{text: back.Delta.Content, name: fn.Name, arguments: fn.Arguments} {
			if utf8.ValidString(in) && in != out {
				t.Fatalf("%q became %q", in, out)
			}
		}
	})
}
