package bench

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/token"
)

// Every part of an answer is held against what it should be.
func TestCheckMessage(t *testing.T) {
	call := func(name, arguments string) replies.Call {
		return replies.Call{Name: name, Arguments: json.RawMessage(arguments)}
	}
	want := replies.Message{Thinking: "why", Content: "so", Calls: []replies.Call{call("f", `{"a": 1, "b": [true, "x"]}`)}}
	for name, c := range map[string]struct {
		got  replies.Message
		what string // "" is right
	}{
		"the same":               {want, ""},
		"members in other order": {replies.Message{Thinking: "why", Content: "so", Calls: []replies.Call{call("f", `{"b":[true,"x"],"a":1}`)}}, ""},
		"reasoning":              {replies.Message{Thinking: "who", Content: "so", Calls: want.Calls}, "3 bytes of reasoning, not these 3"},
		"content":                {replies.Message{Thinking: "why", Content: "so ", Calls: want.Calls}, "3 bytes of content, not these 2"},
		"no call":                {replies.Message{Thinking: "why", Content: "so"}, "0 calls, not 1"},
		"another name":           {replies.Message{Thinking: "why", Content: "so", Calls: []replies.Call{call("g", `{"a": 1, "b": [true, "x"]}`)}}, "call 0, of g, otherwise"},
		"another value":          {replies.Message{Thinking: "why", Content: "so", Calls: []replies.Call{call("f", `{"a": 1.0, "b": [true, "x"]}`)}}, "call 0, of f, otherwise"},
		"arguments as text":      {replies.Message{Thinking: "why", Content: "so", Calls: []replies.Call{call("f", `"{}"`)}}, "call 0, of f, otherwise"},
		"no arguments":           {replies.Message{Thinking: "why", Content: "so", Calls: []replies.Call{call("f", ``)}}, "call 0, of f, otherwise"},
	} {
		err := checkMessage(c.got, want)
		misread := (*Misread)(nil)
		if c.what == "" && err != nil || c.what != "" && (!errors.As(err, &misread) || !strings.Contains(err.Error(), c.what)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckPrompt(t *testing.T) {
	check := checkPrompt("<|start|>user")
	if err := check(peerAnswer{Text: "<|start|>user"}); err != nil {
		t.Error(err)
	}
	for got, what := range map[string]string{"<|start|>User": `from byte 9 on: "User", not "user"`, "<|start|>user ": `14 bytes, not 13`, "": "from byte 0 on"} {
		if err := check(peerAnswer{Text: got}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%q: %v", got, err)
		}
	}
}

// What a message of the reference's form says is what its reply was made of.
func TestMessageOf(t *testing.T) {
	const reply = replies.OpenThinking + "why<|end|><|start|>assistant" + replies.OpenCall + replies.Parameter + "<|call|>"
	tpl, err := beamTemplate()
	if err != nil {
		t.Fatal(err)
	}
	read, err := tpl.Parse(reply, response.Options{Prefix: &noPrefix})
	if err != nil {
		t.Fatal(err)
	}
	want := replies.Message{Thinking: "why", Calls: []replies.Call{{Name: "get_weather", Arguments: json.RawMessage(`{"city": "Paris"}`)}}}
	if err := checkMessage(messageOf(read.Message), want); err != nil {
		t.Errorf("%v: %+v", err, messageOf(read.Message))
	}
}

// Ids of another text are found out, and a mask of nothing or of more than all.
func TestCheckIDs(t *testing.T) {
	v, err := vocabulary()
	if err != nil {
		t.Fatal(err)
	}
	e, err := encoded(v, "Größe")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		ids   []token.ID
		wrote int
		right bool
	}{
		"ids":        {e.IDs, -1, true},
		"with mask":  {e.IDs, 2, true},
		"one less":   {e.IDs[1:], -1, false},
		"no mask":    {e.IDs, 0, false},
		"too many":   {e.IDs, len(e.IDs) + 1, false},
		"no ids":     {nil, -1, false},
		"no such id": {[]token.ID{1 << 30}, -1, false},
	} {
		if err := checkIDs(c.ids, "Größe", c.wrote); (err == nil) != c.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Encoding is measured where this program can encode, and else told as missing.
func TestEncodeCases(t *testing.T) {
	_, none := token.NewEncoder(nil)
	without := (*token.NoEncoderError)(nil)
	for _, c := range EncodeCases() {
		if c.Size > 4<<10 {
			continue
		}
		body, err := c.Prepare(&Env{Context: t.Context()})
		if gone := (*Unavailable)(nil); errors.As(none, &without) {
			if !errors.As(err, &gone) || !strings.Contains(err.Error(), "-tags tokenizers") {
				t.Errorf("%s: %v", c.Name(), err)
			}
			continue
		}
		if err == nil {
			err = body.Run()
		}
		if err != nil {
			t.Errorf("%s: %v", c.Name(), err)
		}
	}
}
