package openai

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// shown is a message in one line.
func shown(m Message) string {
	s := m.Author.String()
	for _, part := range [...]struct{ before, text, after string }{{" to=", m.Recipient, ""}, {" #", m.Channel, ""}, {" (", m.ContentType, ")"}} {
		if part.text != "" {
			s += part.before + part.text + part.after
		}
	}
	s += fmt.Sprintf(" %q", m.Content)
	if m.End != "" {
		s += " " + strings.Trim(m.End, "<|>")
	}
	if m.Misread {
		s += " misread"
	}
	return s
}

func list(ms []Message) string {
	var out []string
	for _, m := range ms {
		out = append(out, shown(m))
	}
	return strings.Join(out, "; ")
}

// chatForm is the reply's message in one line.
func chatForm(v value.Value) string {
	var out []string
	for _, key := range [...]string{"thinking", "content"} {
		if text, has := v.Get(key).AsString(); has {
			out = append(out, fmt.Sprintf("%s %q", key, text))
		}
	}
	if calls, has := v.Get("tool_calls").AsArray(); has {
		for _, c := range calls.All() {
			name, _ := c.Get("function").Get("name").AsString()
			out = append(out, name+value.Dumps(c.Get("function").Get("arguments")))
		}
	}
	return strings.Join(out, " ")
}

// problems are the kinds and spans of a reply's problems.
func problems(r harmony.Reply) string {
	var out []string
	for _, p := range r.Problems {
		out = append(out, fmt.Sprintf("%s[%d,%d)", p.Kind, p.Span.Start, p.Span.End))
	}
	return strings.Join(out, " ")
}

// options have the tools that the readings know, where one is about tools.
func options(r reading) ReadOptions {
	if !strings.Contains(r.problems, "_action[") && !strings.Contains(r.problems, "bad_args") {
		return ReadOptions{}
	}
	v, err := value.Loads(`[{"name":"ping"},{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}]`)
	if err != nil {
		panic(err)
	}
	a, _ := v.AsArray()
	return ReadOptions{Tools: typing.Prepare([]value.Value{a.At(0), a.At(1)})}
}

func TestRead(t *testing.T) {
	for _, row := range readings {
		t.Run(row.name, func(t *testing.T) {
			r, err := Parse(long(row.reply), options(row))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range [...]struct{ what, got, want string }{
				{"messages", list(r.Messages), row.messages}, {"message", chatForm(r.Message), row.chat}, {"problems", problems(r.Reply), row.problems},
			} {
				if c.got != c.want {
					t.Errorf("%s\n got %s\nwant %s", c.what, c.got, c.want)
				}
			}
			if at := lost(long(row.reply), r); at >= 0 {
				t.Errorf("byte %d is in no message, marker or problem", at)
			}
		})
	}
}

// TestReadStrict: a strict reader reads the same, or ends at the first byte that does
// not fit, with the messages before it.
func TestReadStrict(t *testing.T) {
	for _, row := range readings {
		t.Run(row.name, func(t *testing.T) {
			o := options(row)
			o.Strict = true
			r, err := Parse(long(row.reply), o)
			var fault *ReadError
			switch {
			case row.strict < 0:
				if err != nil || list(r.Messages) != row.messages {
					t.Errorf("got %s, %v\nwant %s", list(r.Messages), err, row.messages)
				}
			case !errors.As(err, &fault) || fault.Kind != BadGrammar || fault.Offset != row.strict:
				t.Errorf("got error %v, want one at byte %d", err, row.strict)
			}
			for i, m := range r.Messages {
				if m.End != "" && !strings.HasPrefix(row.messages, list(r.Messages[:i+1])) {
					t.Errorf("message %d before the fault is %s", i, shown(m))
				}
			}
		})
	}
}

// lost gives the first byte that the reading does not account for, -1 for none: each
// is a message's, a marker's, white space between messages, or a problem's.
func lost(reply string, r Reply) int {
	told := make([]bool, len(reply))
	for _, p := range r.Problems {
		for i := max(p.Span.Start, 0); i < p.Span.End; i++ {
			told[i] = true
		}
	}
	for _, m := range r.Messages {
		// What is not in the content must be a problem's, marker by marker.
		var kept strings.Builder
		for i := m.Body.Start; i < m.Body.End; {
			n := 0
			if told[i] && reply[i] == '<' {
				_, n = markAt(reply[i:m.Body.End])
			}
			if n == 0 {
				kept.WriteByte(reply[i])
				n = 1
			}
			i += int64(n)
		}
		if kept.String() != m.Content {
			return int(m.Body.Start)
		}
		for i := m.Span.Start; i < m.Span.End; i++ {
			told[i] = true
		}
	}
	for i := 0; i < len(reply); i++ {
		if told[i] || isSpace(reply[i]) {
			continue
		}
		if reply[i] == '<' {
			if m, n := markAt(reply[i:]); n > 0 && m.isFormat() {
				i += n - 1
				continue
			}
		}
		return i
	}
	return -1
}

// TestLostIsTold: the check of what is lost can fail.
func TestLostIsTold(t *testing.T) {
	reply := long("{C}final{M}a{E}junk{S}assistant{C}final{M}b{R}")
	r, _ := Parse(reply, ReadOptions{})
	cut := r
	cut.Problems = nil
	if at := lost(reply, cut); at != 35 {
		t.Errorf("text between messages that no problem tells: got byte %d", at)
	}
	cut = r
	cut.Messages = append([]Message(nil), r.Messages...)
	cut.Messages[0].Content = ""
	if at := lost(reply, cut); at != 27 {
		t.Errorf("a content that lost a byte: got byte %d", at)
	}
}
