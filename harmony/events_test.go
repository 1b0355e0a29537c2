package harmony_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

const (
	greeting = "<|channel|>analysis<|message|>A greeting.<|end|><|start|>assistant<|channel|>final<|message|>Hi!<|return|>"
	lookup   = " to=look_up<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name=\"q\">\nx\n</rfl:parameter><|call|>"
)

// reader is a parser of the default checkpoint.
func reader(t testing.TB, o response.Options) *response.Parser {
	template, err := response.Compile(checkpoint.Default().ResponseTemplate)
	if err != nil {
		t.Fatal(err)
	}
	if o.Prefix == nil {
		o.Prefix = new(string)
	}
	p, err := template.NewParser(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// byHand reads a reply with Feed and Finalize, what the other forms must equal.
func byHand(p *response.Parser, chunks []string, stop harmony.Stop) (told []string, message string, err error) {
	tell := func(events []harmony.Event) {
		for _, e := range events {
			told = append(told, value.Dumps(e.Object()))
		}
	}
	tell(p.InitialEvents())
	for _, c := range chunks {
		var events []harmony.Event
		events, err = p.Feed(c)
		if tell(events); err != nil {
			break
		}
	}
	events, reply, err := p.Finalize(stop)
	tell(events)
	return told, value.Dumps(reply.Message), err
}

var forms = []struct {
	name   string
	prefix string
	chunks []string
	stop   harmony.Stop
}{
	{"one chunk", "", []string{greeting}, harmony.StopUnknown()},
	{"small chunks", "", strings.SplitAfter(greeting, "a"), harmony.StopToken("<|return|>")},
	{"nothing", "", nil, harmony.StopLength()},
	{"a prefix", "<|start|>assistant<|channel|>analysis<|message|>So", []string{" it is.<|e", "nd|>"}, harmony.StopUnknown()},
	{"inside a character", "", []string{greeting[:30], "\xc3", "\xa9", "z"}, harmony.StopUnknown()},
	{"not UTF-8", "", []string{greeting[:40], "a\xff", "b"}, harmony.StopUnknown()},
	{"ends inside a character", "", []string{greeting[:40], "\xc3"}, harmony.StopUnknown()},
}

// The iterator and the writer tell what Feed and Finalize tell.
func TestForms(t *testing.T) {
	for _, c := range forms {
		t.Run(c.name, func(t *testing.T) {
			o := response.Options{Prefix: &c.prefix}
			told, message, err := byHand(reader(t, o), c.chunks, c.stop)
			same := func(form string, got []string, end harmony.Ending, gotErr error) {
				t.Helper()
				if !slices.Equal(got, told) {
					t.Errorf("%s tells\n%s\nby hand\n%s", form, strings.Join(got, "\n"), strings.Join(told, "\n"))
				}
				if m := value.Dumps(end.Reply.Message); m != message || fmt.Sprint(gotErr) != fmt.Sprint(err) {
					t.Errorf("%s ends with %s, %v; by hand %s, %v", form, m, gotErr, message, err)
				}
			}

			var got []string
			var last error
			end := harmony.Ending{Stop: c.stop}
			for e, err := range harmony.Events(reader(t, o), slices.Values(c.chunks), &end) {
				if last != nil {
					t.Error("an event behind the error")
				}
				if last = err; err == nil {
					got = append(got, value.Dumps(e.Object()))
				}
			}
			same("the iterator", got, end, last)

			got, last = nil, nil
			w := harmony.NewWriter(reader(t, o), func(e harmony.Event) error {
				got = append(got, value.Dumps(e.Object()))
				return nil
			})
			w.Stop = c.stop
			for _, chunk := range c.chunks {
				buffer := []byte(chunk)
				n, err := w.Write(buffer)
				clear(buffer) // the writer has its own
				if (n == len(chunk)) != (err == nil) {
					t.Errorf("%d bytes written of %d, %v", n, len(chunk), err)
				}
			}
			last = w.Close()
			if again := w.Close(); again != last {
				t.Errorf("closed again: %v, first %v", again, last)
			}
			same("the writer", got, w.Ending, last)
		})
	}
}

// An iterator that is left early does not finalize; a reader may be given on.
func TestEventsLeftEarly(t *testing.T) {
	for leave := range 6 {
		p := reader(t, response.Options{})
		end := harmony.Ending{}
		n := 0
		for range harmony.Events(p, slices.Values([]string{greeting}), &end) {
			if n++; n > leave {
				break
			}
		}
		if _, _, err := p.Finalize(harmony.Stop{}); err != nil {
			t.Errorf("left at event %d: %v", leave, err)
		}
		if !end.Reply.Message.IsNull() {
			t.Errorf("left at event %d: there is a reply", leave)
		}
	}
	for range harmony.Events(reader(t, response.Options{}), slices.Values([]string{greeting}), nil) {
	}
}

// An error of the function ends the reading; the function is not called again.
func TestWriterStops(t *testing.T) {
	full := errors.New("the client is gone")
	calls := 0
	w := harmony.NewWriter(reader(t, response.Options{}), func(harmony.Event) error {
		if calls++; calls == 2 {
			return full
		}
		return nil
	})
	n, err := io.WriteString(w, greeting)
	if n != 0 || err != full {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := w.Write([]byte("more")); err != full {
		t.Errorf("more: %v", err)
	}
	if err := w.Close(); err != full || calls != 2 {
		t.Errorf("closed: %v, %d calls", err, calls)
	}
	if w.Reply.Message.IsNull() {
		t.Error("no reply of what was read")
	}
}

// What is not there is told, or is not needed.
func TestNil(t *testing.T) {
	w := harmony.NewWriter(reader(t, response.Options{}), nil)
	if n, err := io.WriteString(w, greeting); n != len(greeting) || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if err := w.Close(); err != nil || value.Dumps(w.Reply.Message.Get("content")) != `"Hi!"` {
		t.Errorf("%v, %s", err, value.Dumps(w.Reply.Message))
	}
	for _, w := range []*harmony.Writer{{}, harmony.NewWriter(nil, nil)} {
		if n, err := w.Write([]byte("a")); n != 0 || err != harmony.ErrNoReader {
			t.Errorf("without a reader: %d, %v", n, err)
		}
		if err := w.Close(); err != harmony.ErrNoReader {
			t.Errorf("without a reader: closed, %v", err)
		}
	}
	if err := new(harmony.Writer).Close(); err != harmony.ErrNoReader {
		t.Errorf("closed at once: %v", err)
	}
	told := 0
	for _, err := range harmony.Events(nil, slices.Values([]string{"a"}), nil) {
		if told++; err != harmony.ErrNoReader {
			t.Errorf("the iterator: %v", err)
		}
	}
	if told != 1 {
		t.Errorf("the iterator tells %d times that there is no reader", told)
	}
	var end harmony.Ending
	for _, err := range harmony.Events(reader(t, response.Options{}), nil, &end) {
		t.Errorf("no chunks: %v", err)
	}
	if end.Reply.Message.IsNull() {
		t.Error("no chunks: no reply")
	}
}

// A reply becomes a message that keeps the model's text.
func TestHistory(t *testing.T) {
	p := reader(t, response.Options{})
	if _, err := p.Feed(lookup); err != nil {
		t.Fatal(err)
	}
	_, reply, err := p.Finalize(harmony.StopUnknown())
	if err != nil {
		t.Fatal(err)
	}
	m, err := reply.History(lookup)
	if err != nil || m.Raw != lookup || m.Role != harmony.Assistant || len(m.ToolCalls) != 1 || m.ToolCalls[0].ID != "" {
		t.Errorf("%+v, %v", m, err)
	}
	bare := harmony.Reply{Message: value.Members(value.Member{Name: "content", Value: value.String("a")})}
	if m, err = bare.History(""); err != nil || m.Role != harmony.Assistant || m.Content != "a" {
		t.Errorf("%+v, %v", m, err)
	}
	var shape *harmony.DecodeError
	if _, err = (&harmony.Reply{}).History(""); !errors.As(err, &shape) || shape.Path != "reply" {
		t.Errorf("of nothing: %v", err)
	}
}
