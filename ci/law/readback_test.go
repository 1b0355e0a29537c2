package law

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// What is lost between a turn and what was read of it, by its cause and level; ""
// is the law's own level, an error.
func TestLosses(t *testing.T) {
	const tools = `[{"type": "function", "function": {"name": "f", "parameters": {"properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}}}]`
	call := func(arguments string) string {
		return `{"tool_calls": [{"type": "function", "function": {"name": "f", "arguments": ` + arguments + `}}]}`
	}
	for _, c := range []struct{ message, read, want string }{
		{`{"content": "a"}`, `{"content": "a"}`, ""},
		{`{"content": null}`, `{}`, ""},
		{`{"content": " a"}`, `{"content": "a"}`, "warning white space at the ends of the content"},
		{`{"content": "a b"}`, `{"content": "a"}`, " part of the content is lost"},
		{`{"content": "a"}`, `{}`, " content is lost"},
		{`{"content": "a"}`, `{"content": "b"}`, " content is changed"},
		{`{"content": "a"}`, `{"thinking": "a"}`, " content is read as thinking"},
		{`{"content": ""}`, `{"content": "x"}`, " content appears"},
		{`{"content": "a"}`, `{"content": "the prompt a"}`, " the prompt is read as content"},
		{`{"content": "not written"}`, `{}`, ""},
		{`{"reasoning_content": "r", "content": "a"}`, `{"reasoning": "r", "content": "a"}`, ""},
		{`{"reasoning_content": "r", "content": "a"}`, `{"content": "a"}`, " reasoning is lost"},
		{call(`{"n": 1}`), call(`{"n": 1}`), ""},
		{call(`"{\"n\": 1}"`), call(`{"n": 1}`), ""},
		{call(`{"n": 1}`), `{}`, " a call is lost"},
		{call(`{"n": 1}`), strings.Replace(call(`{"n": 1}`), `"f"`, `"f2"`, 1), " the name of a call"},
		{call(`{"n": 1}`), call(`{}`), " an argument is lost: int"},
		{call(`{}`), call(`{"n": 1}`), " an argument appears"},
		{call(`{"n": 1}`), call(`{"n": "1"}`), " the type of an argument: int"},
		{call(`{"any": 1}`), call(`{"any": "1"}`), "warning an argument without a type in its schema: int"},
		{call(`{"s": "007"}`), call(`{"s": 7}`), " a text becomes another type"},
		{call(`{"s": "a\n"}`), call(`{"s": "a"}`), "warning white space at the ends of an argument"},
		{call(`{"s": "a"}`), call(`{"s": "b"}`), " an argument is changed: str"},
		{call(`{"n": 1}`), call(`"n"`), " the arguments"},
		{call(`{"o": [{"a": 1, "b": {"c": 2, "d": 3}}]}`), call(`{"o": [{"b": {"d": 3, "c": 2}, "a": 1}]}`), "note the order of members"},
		{`{"content": ""}`, call(`{}`), " a call appears"},
	} {
		load := func(text string) value.Value {
			v, err := value.Loads(text)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		turn := turn{prompt: "this is the prompt", text: "f a b r a", message: load(c.message), tools: load(tools)}
		var got []string
		for _, l := range turn.losses(load(c.read)) {
			got = append(got, string(l.level)+" "+l.cause)
			if l.message == "" || l.written == "" || l.read == "" {
				t.Errorf("%s: %+v", c.message, l)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s read as %s: %q, want %q", c.message, c.read, got, c.want)
		}
	}
}

// Where the model stops in what the template writes.
func TestTurnEnd(t *testing.T) {
	for _, c := range []struct {
		written, text, stop, after string
		known                      []string
	}{
		{"a<|im_end|>\n", "a<|im_end|>", "<|im_end|>", "\n", nil},
		{"a</s>", "a</s>", "</s>", "", nil},
		{"a STOP\n", "a STOP", " STOP", "\n", []string{"STOP", " STOP"}},
		{"<call>a</call>\n", "<call>a</call>\n", "", "", nil},
		{"a\n", "a\n", "", "", nil},
	} {
		var got turn
		got.end(c.written, c.known)
		if got.text != c.text || got.stop != c.stop || got.after != c.after {
			t.Errorf("%q: %q %q %q", c.written, got.text, got.stop, got.after)
		}
	}
}

func TestWithin(t *testing.T) {
	for at, want := range []bool{false, false, true, true, false, false, false} {
		if got := within("a<e>b<", "<e>", at); got != want {
			t.Errorf("byte %d: %v", at, got)
		}
	}
}
