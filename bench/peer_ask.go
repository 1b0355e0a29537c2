package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// peerRequest and peerAnswer are a line each.
type peerRequest struct {
	Calls            int             `json:"calls"`
	Reply            string          `json:"reply,omitempty"`
	Cut              int             `json:"cut,omitempty"`
	ResponseTemplate json.RawMessage `json:"response_template,omitempty"`
	Request          json.RawMessage `json:"request,omitempty"`
	ChatTemplate     string          `json:"chat_template,omitempty"`
}

type peerAnswer struct {
	NS      int64           `json:"ns"`
	Message replies.Message `json:"message"`
	Text    string          `json:"text"`
	Cannot  string          `json:"cannot"`
}

// Misread is an answer that is not what the input means.
type Misread struct{ What string }

func (e *Misread) Error() string { return e.What }

// checkMessage holds what a peer reads against what the reply says.
func checkMessage(got, want replies.Message) error {
	for _, part := range []struct{ name, got, want string }{
		{"reasoning", got.Thinking, want.Thinking}, {"content", got.Content, want.Content},
	} {
		if part.got != part.want {
			return &Misread{fmt.Sprintf("it reads %d bytes of %s, not these %d", len(part.got), part.name, len(part.want))}
		}
	}
	if len(got.Calls) != len(want.Calls) {
		return &Misread{fmt.Sprintf("it reads %d calls, not %d", len(got.Calls), len(want.Calls))}
	}
	for i, call := range got.Calls {
		if call.Name != want.Calls[i].Name || !sameJSON(call.Arguments, want.Calls[i].Arguments) {
			return &Misread{fmt.Sprintf("it reads call %d, of %s, otherwise", i, call.Name)}
		}
	}
	return nil
}

// sameJSON compares values; the order of an object's members is no part of them.
func sameJSON(a, b json.RawMessage) bool {
	var values [2]any
	for i, text := range [][]byte{a, b} {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if d.Decode(&values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// messageOf is a message in the reference's form as a [replies.Message].
func messageOf(v value.Value) (m replies.Message) {
	m.Thinking, _ = v.Get("thinking").AsString()
	m.Content, _ = v.Get("content").AsString()
	calls, ok := v.Get("tool_calls").AsArray()
	if !ok {
		return m
	}
	for _, call := range calls.All() {
		f := call.Get("function")
		name, _ := f.Get("name").AsString()
		m.Calls = append(m.Calls, replies.Call{Name: name, Arguments: json.RawMessage(value.Dumps(f.Get("arguments")))})
	}
	return m
}

func (p Peer) reader(env *Env, in *ReplyInput) (*Body, error) {
	tpl, err := beamTemplate()
	if err != nil {
		return nil, err
	}
	reply, err := tpl.Parse(in.Text(), response.Options{Prefix: &noPrefix})
	if err != nil {
		return nil, err
	}
	want := messageOf(reply.Message)
	template := value.Dumps(checkpoint.Default().ResponseTemplate)
	r := peerRequest{Reply: in.Text(), Cut: in.Cut, ResponseTemplate: json.RawMessage(template)}
	return p.body(env, r, len(in.Text()), func(a peerAnswer) error { return checkMessage(a.Message, want) })
}

func (p Peer) renderer(env *Env, in *RequestInput) (*Body, error) {
	want, err := in.Want()
	if err != nil {
		return nil, err
	}
	r := peerRequest{Request: json.RawMessage(in.Kind.Make(in.Size)), ChatTemplate: checkpoint.Default().Templates[0].Text}
	return p.body(env, r, len(want), checkPrompt(want))
}

// checkPrompt holds what a peer writes against the prompt.
func checkPrompt(want string) func(peerAnswer) error {
	return func(a peerAnswer) error {
		if a.Text == want {
			return nil
		}
		at := 0
		for at < len(a.Text) && at < len(want) && a.Text[at] == want[at] {
			at++
		}
		return &Misread{fmt.Sprintf("it writes another prompt, %d bytes, not %d, from byte %d on: %.40q, not %.40q", len(a.Text), len(want), at, a.Text[at:], want[at:])}
	}
}

// body asks the peer's program. What it cannot do is told as missing; an answer
// that is not right ends the run, as anybody's does.
func (p Peer) body(env *Env, r peerRequest, bytes int, check func(peerAnswer) error) (*Body, error) {
	program, err := env.peer(p)
	if err != nil {
		return nil, err
	}
	ask := func(n int) (time.Duration, error) {
		r.Calls = n
		a, err := program.ask(r)
		if err == nil && a.Cannot != "" {
			err = errors.New(a.Cannot)
		}
		if err != nil {
			return 0, &Unavailable{p.Package, err.Error()}
		}
		return time.Duration(a.NS), check(a)
	}
	if _, err := ask(1); err != nil {
		return nil, err
	}
	return &Body{Bytes: bytes, Time: ask}, nil
}
