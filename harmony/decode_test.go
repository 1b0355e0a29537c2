package harmony

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

func loads(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// decodeTests are messages, their typed form, and the object that comes back
// where it is not the same.
var decodeTests = []struct {
	name, message string
	want          Message // without Extra
	extra, back   string  // "" where Extra is nil, and where the object is the same
}{
	{"user", `{"role": "user", "content": "a"}`, Message{Role: User, Content: "a"}, "", ""},
	{"a parsed reply", `{"role": "assistant", "thinking": "r", "content": "a"}`, Message{Role: Assistant, Thinking: "r", ThinkingKey: "thinking", Content: "a"}, "", ""},
	{"null is missing", `{"role": "assistant", "content": null, "thinking": null, "tool_calls": null, "name": null, "x": null}`, Message{Role: Assistant}, `{"x": null}`, `{"role": "assistant", "x": null}`},
	{"empty texts are kept", `{"role": "assistant", "content": "", "tool_call_id": "", "name": ""}`, Message{Role: Assistant}, `{"content": "", "tool_call_id": "", "name": ""}`, ""},
	{"parts", `{"role": "user", "content": [{"type": "text", "text": ""}, {"type": "image_url", "image_url": {"url": "u"}}, {"type": "x", "text": ""}]}`,
		Message{Role: User, Parts: []Part{{Type: "text"}, {Type: "image_url"}, {Type: "x"}}}, "", ""},
	{"parts in another order", `{"role": "user", "content": [{"text": "a", "type": "text"}, {"type": "text", "x": 1, "text": "b"}, {"x": null, "text": "", "type": "y"}]}`,
		Message{Role: User, Parts: []Part{{Type: "text", Text: "a"}, {Type: "text", Text: "b"}, {Type: "y"}}}, "", ""},
	{"no parts", `{"role": "user", "content": []}`, Message{Role: User, Parts: []Part{}}, "", ""},
	{"what is no part", `{"role": "user", "content": [{"type": "text", "text": "a"}, "b"]}`, Message{Role: User}, `{"content": [{"type": "text", "text": "a"}, "b"]}`, ""},
	{"a text part without text", `{"role": "user", "content": [{"type": "text", "text": 5}]}`, Message{Role: User}, `{"content": [{"type": "text", "text": 5}]}`, ""},
	{"content of another kind", `{"role": "user", "content": {"a": 1}}`, Message{Role: User}, `{"content": {"a": 1}}`, ""},
	{"reasoning in the order of Transformers", `{"role": "assistant", "reasoning": "b", "thinking": "a", "reasoning_content": ""}`, Message{Role: Assistant, Thinking: "a", ThinkingKey: "thinking"},
		`{"reasoning": "b", "reasoning_content": ""}`, `{"role": "assistant", "thinking": "a", "reasoning": "b", "reasoning_content": ""}`},
	{"reasoning under its name", `{"role": "assistant", "reasoning_content": "a"}`, Message{Role: Assistant, Thinking: "a", ThinkingKey: "reasoning_content"}, "", ""},
	{"reasoning that is no text", `{"role": "assistant", "thinking": "a", "reasoning": 5}`, Message{Role: Assistant}, `{"thinking": "a", "reasoning": 5}`, ""},
	{"calls", `{"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": {"a": 1.0}}}, {"function": {"name": "g", "arguments": "{\"a\": 1}"}}]}`,
		Message{Role: Assistant, ToolCalls: []ToolCall{
			{ID: "1", Type: "function", Name: "f", Arguments: value.Members(value.Member{Name: "a", Value: value.Float(1)})},
			{Name: "g", Arguments: value.String(`{"a": 1}`)}}}, "", ""},
	{"a bare call", `{"role": "assistant", "tool_calls": [{"name": "f", "arguments": {}, "id": "1"}]}`,
		Message{Role: Assistant, ToolCalls: []ToolCall{{ID: "1", Name: "f", Arguments: value.Members()}}}, "", `{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {}}}]}`},
	{"no calls", `{"role": "assistant", "tool_calls": []}`, Message{Role: Assistant, ToolCalls: []ToolCall{}}, "", ""},
	{"what is no call", `{"role": "assistant", "tool_calls": [1]}`, Message{Role: Assistant}, `{"tool_calls": [1]}`, ""},
	{"result", `{"role": "tool", "content": "x", "tool_call_id": "1", "name": "f"}`, Message{Role: Tool, Content: "x", ToolCallID: "1", Name: "f"}, "", ""},
	{"wrong types", `{"role": 5, "name": [], "tool_call_id": {}, "tool_calls": "x"}`, Message{}, `{"role": 5, "name": [], "tool_call_id": {}, "tool_calls": "x"}`, ""},
	{"unknown keys", `{"role": "user", "content": "a", "weight": 1, "extra": {"b": []}}`, Message{Role: User, Content: "a"}, `{"weight": 1, "extra": {"b": []}}`, ""},
}

func TestDecodeMessage(t *testing.T) {
	for _, tt := range decodeTests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := DecodeMessage(loads(t, tt.message), "m")
			if err != nil {
				t.Fatal(err)
			}
			extra := ""
			if m.Extra != nil {
				extra = value.Dumps(m.Extra.Value())
			}
			if extra != tt.extra {
				t.Errorf("Extra is %s, want %s", extra, tt.extra)
			}
			want := tt.back
			if want == "" {
				want = tt.message
			}
			if got := value.Dumps(m.Value()); got != want {
				t.Errorf("Value gives %s, want %s", got, want)
			}
			again, err := DecodeMessage(m.Value(), "m")
			if err != nil || !reflect.DeepEqual(again, m) {
				t.Errorf("decoded again: %+v, %v; want %+v", again, err, m)
			}
			m.Extra = nil
			for i := range m.Parts {
				m.Parts[i].Extra = nil
			}
			if !reflect.DeepEqual(m, tt.want) {
				t.Errorf("got  %+v\nwant %+v", m, tt.want)
			}
		})
	}
}

func TestDecodeToolCall(t *testing.T) {
	for _, tt := range []struct{ call, extra string }{
		{`{"id": 5, "type": null, "function": {"name": "f", "arguments": null, "x": 1}, "index": 0}`, `{"id": 5, "type": null, "function": {"arguments": null, "x": 1}, "index": 0}`},
		{`{"id": "1", "name": "f", "content_type": "x", "arguments": {}}`, `{"function": {"content_type": "x"}}`},
		{`{"function": {"name": 5}}`, `{"function": {"name": 5}}`},
		{`{"function": null, "name": "f"}`, `{"function": null, "name": "f"}`},
		{`{"function": "f"}`, `{"function": "f"}`},
	} {
		c, err := DecodeToolCall(loads(t, tt.call), "c")
		if err != nil || value.Dumps(c.Extra.Value()) != tt.extra {
			t.Errorf("%s: %s, %v", tt.call, value.Dumps(c.Extra.Value()), err)
		}
		again, err := DecodeToolCall(c.Value(), "c")
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("%s: decoded again %+v, want %+v", tt.call, again, c)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, tt := range []struct {
		err  func() error
		want string
	}{
		{func() error { _, err := DecodeMessage(value.Null(), "m"); return err }, "m must be an object, but is null"},
		{func() error { _, err := DecodeMessages(loads(t, `[{}, []]`), "m"); return err }, "m[1] must be an object, but is array"},
		{func() error { _, err := DecodeMessages(value.Int(1), "m"); return err }, "m must be a list, but is integer"},
		{func() error { _, err := DecodeTools(loads(t, `["f"]`), "tools"); return err }, "tools[0] must be an object, but is string"},
		{func() error { _, err := DecodeToolCall(value.Bool(true), "c"); return err }, "c must be an object, but is boolean"},
		{func() error { c := ToolCall{Arguments: value.String("{")}; return c.ParseArguments("c.arguments") }, "c.arguments: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"},
		{func() error { c := ToolCall{Arguments: value.String("[]")}; return c.ParseArguments("c.arguments") }, "c.arguments must be JSON text of an object, but is array"},
	} {
		err := tt.err()
		var e *DecodeError
		if !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

// Calls that have an ID keep it, also one that is no string; the others get one
// each.
func TestGiveCallIDs(t *testing.T) {
	m, err := DecodeMessage(loads(t, `{"tool_calls": [{"id": "a", "function": {}}, {"function": {}}, {"id": 5, "function": {}}, {"id": "", "function": {}}, {"id": null, "function": {}}]}`), "m")
	if err != nil {
		t.Fatal(err)
	}
	m.GiveCallIDs(nil)
	seen := map[string]bool{}
	for i, c := range m.ToolCalls {
		id, isText := c.Value().Get("id").AsString()
		switch {
		case i == 0 && id != "a", i == 2 && isText:
			t.Errorf("call %d is now %s", i, value.Dumps(c.Value()))
		case i != 0 && i != 2 && (len(id) != len("call_")+24 || seen[id]):
			t.Errorf("call %d got the ID %q", i, id)
		}
		seen[id] = true
	}
}

// A kind outside the set is told as a number.
func TestStrings(t *testing.T) {
	for got, want := range map[string]string{
		CutOff.String(): "cut_off", ProblemKind(200).String(): "ProblemKind(200)",
		Warn.String(): "warning", Severity(9).String(): "Severity(9)",
		RegionClose.String(): "region_close", EventType(9).String(): "EventType(9)",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// What a reader of replies gives goes back into the conversation; calls get
// their IDs here.
func ExampleDecodeMessage() {
	reply, _ := value.Loads(`{"role": "assistant", "thinking": "I'll look.", "tool_calls": [{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Paris"}}}]}`)
	m, err := DecodeMessage(reply, "reply")
	if err != nil {
		fmt.Println(err)
		return
	}
	n := 0
	m.GiveCallIDs(func() string { n++; return fmt.Sprintf("call_%d", n) })
	fmt.Println(m.Thinking)
	fmt.Println(value.Dumps(m.ToolCalls[0].Arguments))
	fmt.Println(value.Dumps(m.Value()))
	// Output:
	// I'll look.
	// {"city": "Paris"}
	// {"role": "assistant", "thinking": "I'll look.", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": {"city": "Paris"}}}]}
}

// Arguments that came as JSON text stay so until they are wanted as an object.
func ExampleToolCall_ParseArguments() {
	c := ToolCall{Name: "f", Arguments: value.String(`{"a": 1.0}`)}
	fmt.Println(value.Dumps(c.Arguments))
	if err := c.ParseArguments("arguments"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(value.Dumps(c.Arguments))
	// Output:
	// "{\"a\": 1.0}"
	// {"a": 1.0}
}
