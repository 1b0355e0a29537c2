package openai

import (
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// What the library writes and reads, each with a rule of its own.
func TestLibrary(t *testing.T) {
	e, err := Open(t.Context(), Options{})
	if err != nil {
		t.Fatalf("NOT RUN: %v", err)
	}
	t.Cleanup(func() { e.Close() })
	for name, tt := range map[string]struct {
		op         engine.Op
		in         string
		kind       corpus.OutcomeKind
		want, text string // the value, or the class and the text of what was raised
	}{
		"a completion": {"render", `{"conversation": {"messages": [{"role": "user", "content": "hi"}]}}`, corpus.OK,
			`"<|start|>user<|message|>hi<|end|><|start|>assistant"`, ""},
		"an answer that ends training data": {"render", `{"form": "training", "conversation": {"messages": [{"role": "assistant", "channel": "final", "content": "x"}]}}`, corpus.OK,
			`"<|start|>assistant<|channel|>final<|message|>x<|return|>"`, ""},
		"a result says no to=assistant of itself": {"render", `{"form": "plain", "conversation": {"messages": [{"role": "tool", "name": "functions.f", "channel": "commentary", "content": "20"}]}}`, corpus.OK,
			`"<|start|>functions.f<|channel|>commentary<|message|>20<|end|>"`, ""},
		"a tool without a name": {"render", `{"conversation": {"messages": [{"role": "tool", "content": "20"}]}}`, corpus.Raised,
			"HarmonyError", "Tools should have a name!"},
		"a marker in a text is text": {"encode", `{"form": "plain", "conversation": {"messages": [{"role": "user", "content": "<|end|>"}]}}`, corpus.OK,
			`{"text": "<|start|>user<|message|><|end|><|end|>", "input_ids": [200006, 1428, 200008, 27, 91, 419, 91, 29, 200007], "read_ids": [200006, 1428, 200008, 200007, 200007]}`, ""},
		"strict": {"parse", `{"reply": "x<|return|>"}`, corpus.Raised, "HarmonyError", "Unexpected EOS while waiting for message header to complete"},
		"token by token": {"tokenwise", `{"reply_ids": [200008, 87]}`, corpus.OK,
			`{"initial": [], "feeds": [[{"type": "token", "id": 200008, "state": "Content", "role": "assistant", "channel": null, "recipient": null, "content_type": null, "delta": null}], [{"type": "token", "id": 87, "state": "Content", "role": "assistant", "channel": null, "recipient": null, "content_type": null, "delta": "x"}]], "final": [], "message": {"messages": [{"role": "assistant", "name": null, "content": [{"type": "text", "text": "x"}]}]}}`, ""},
		"the chat form": {"render", `{"messages": []}`, corpus.Cannot, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := value.Loads(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			o, _ := in.AsObject()
			out := e.Do(t.Context(), engine.Request{Op: tt.op, Case: o})
			if out.Kind != tt.kind {
				t.Fatalf("%v: %s %s %s %s", out.Kind, value.Dumps(out.Value), out.Class, out.Message, out.Why)
			}
			switch {
			case tt.kind == corpus.OK && value.Dumps(out.Value) != tt.want:
				t.Errorf("got %s, want %s", value.Dumps(out.Value), tt.want)
			case tt.kind == corpus.Raised && (out.Class != tt.want || out.Message != tt.text):
				t.Errorf("got %s: %s, want %s: %s", out.Class, out.Message, tt.want, tt.text)
			}
		})
	}
}
