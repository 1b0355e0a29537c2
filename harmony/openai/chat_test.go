package openai

import (
	"fmt"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

const weather = `{S}user{M}Weather?{E}{S}assistant{C}analysis{M}Need f.{E}{S}assistant{C}commentary{M}I look.{E}` +
	`{S}assistant to=functions.f{C}commentary {K}json{M}{"city": "Paris"}{L}{S}functions.f to=assistant{C}commentary{M}20{E}` +
	`{S}assistant to=python{C}analysis{M}1+1{L}{S}python to=assistant{C}analysis{M}2{E}{S}assistant{C}final{M}It is 20.{E}`

// counted makes ids in order.
func counted() func() string {
	n := 0
	return func() string { n++; return fmt.Sprintf("call_%d", n) }
}

func TestChat(t *testing.T) {
	r, err := Parse(long(weather), ReadOptions{Conversation: true, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	chat := Chat(r.Messages, counted())
	want := []string{
		`{"role": "user", "content": "Weather?"}`,
		`{"role": "assistant", "thinking": "Need f.", "content": "I look.", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": {"city": "Paris"}}}]}`,
		`{"role": "tool", "content": "20", "tool_call_id": "call_1", "name": "f"}`,
		`{"role": "assistant", "tool_calls": [{"id": "call_2", "type": "function", "function": {"name": "python", "arguments": "1+1"}}]}`,
		`{"role": "tool", "content": "2", "tool_call_id": "call_2", "name": "python"}`,
		`{"role": "assistant", "content": "It is 20."}`,
	}
	if len(chat) != len(want) {
		t.Fatalf("got %d messages, want %d", len(chat), len(want))
	}
	for i := range want {
		w, err := value.Loads(want[i])
		if err != nil {
			t.Fatal(err)
		}
		if got := chat[i].Value(); !value.Equal(got, w) {
			t.Errorf("message %d\n got %s\nwant %s", i, value.Dumps(got), want[i])
		}
	}
	back, err := FromChat(chat)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(AppendHistory(nil, back)); got != long(weather) {
		t.Errorf("back\n got %s\nwant %s", got, long(weather))
	}
	// The id names the tool where the result does not.
	chat[2].Name = ""
	if back, err = FromChat(chat); err != nil || string(AppendHistory(nil, back)) != long(weather) {
		t.Errorf("a result that its id names: %v\n%s", err, AppendHistory(nil, back))
	}
}

// TestHistory: what was read goes back as history has it, and is read the same.
func TestHistory(t *testing.T) {
	for _, c := range [...][2]string{
		{"{C}final{M}4.{R}", "{S}assistant{C}final{M}4.{E}"},
		{"{C}final{M}4", "{S}assistant{C}final{M}4{E}"},
		{"{C}commentary to=functions.f {K}json{M}{}{L}", "{S}assistant to=functions.f{C}commentary {K}json{M}{}{L}"},
		{"{C}commentary to=functions.f json{M}{}", "{S}assistant to=functions.f{C}commentary json{M}{}{L}"},
		{"{C}analysis{M}a{E}{S}assistant{C}final{M}b{R}", "{S}assistant{C}analysis{M}a{E}{S}assistant{C}final{M}b{E}"},
	} {
		r, err := Parse(long(c[0]), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(AppendHistory(nil, r.Messages)); got != long(c[1]) {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, long(c[1]))
		}
	}
	for _, row := range readings {
		r, _ := Parse(long(row.reply), ReadOptions{})
		var whole []Message
		for _, m := range r.Messages {
			if m.Misread || m.Channel == "" {
				continue // a header that did not fit is not written as it was
			}
			whole = append(whole, m)
		}
		text := AppendHistory(nil, whole)
		again, err := Parse(string(text), ReadOptions{Conversation: true, Strict: true})
		if err != nil || string(AppendHistory(nil, again.Messages)) != string(text) || len(again.Messages) != len(whole) {
			t.Errorf("%s: %s is read as %s, %v", row.name, text, list(again.Messages), err)
		}
	}
}

func TestFromChatRefuses(t *testing.T) {
	for _, c := range [...]struct{ message, path string }{
		{`{"role":"tool","content":"x","tool_call_id":"call_9"}`, "messages[0].tool_call_id"},
		{`{"role":"user","content":[{"type":"image","url":"x"}]}`, "messages[0].content[0]"},
	} {
		v, err := value.Loads(c.message)
		if err != nil {
			t.Fatal(err)
		}
		m, err := harmony.DecodeMessage(v, "message")
		if err != nil {
			t.Fatal(err)
		}
		_, err = FromChat([]harmony.Message{m})
		if fault, is := err.(*harmony.DecodeError); !is || fault.Path != c.path {
			t.Errorf("%s: got %v, want an error at %s", c.message, err, c.path)
		}
	}
}
