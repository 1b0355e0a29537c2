package openai

import (
	"strings"
	"testing"
)

// TestReadsWhatIsRendered: a prompt is read as messages that, written again, are the
// prompt.
func TestReadsWhatIsRendered(t *testing.T) {
	for _, body := range [...]string{
		`{"messages":[{"role":"user","content":"Hi"}]}`,
		`{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"東京?"},
			{"role":"assistant","thinking":"Need it.","tool_calls":[{"type":"function","function":{"name":"f","arguments":{"a":"<b>","n":1.0}}}]},
			{"role":"tool","content":"20"},{"role":"assistant","content":"20 degrees\n"},{"role":"user","content":" and then? "}],
			"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}]}`,
		`{"messages":[{"role":"user","content":"x"},{"role":"assistant","thinking":"t","content":"y"}],"add_generation_prompt":false}`,
	} {
		q, err := ParseRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		q.Date = "2026-04-04"
		prompt, err := Render(q)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.TrimSuffix(prompt, MarkStart+"assistant")
		r, err := Parse(text, ReadOptions{Conversation: true, Strict: true})
		if err != nil || len(r.Problems) != 0 {
			t.Fatalf("%s: %v, %v", text, err, r.Problems)
		}
		var again []byte
		for _, m := range r.Messages {
			again = m.Append(again)
		}
		if string(again) != text {
			t.Errorf("got\n%s\nwant\n%s", again, text)
		}
	}
}
