package response

import (
	"bytes"
	"strings"
	"testing"
)

// The two yardsticks that the engine's speed is a ratio to, so that the figures
// of different machines can be compared.

// limit finds every < of a reply: no reader of markers that begin with one can
// look at the text less.
func limit(text []byte) (found int) {
	for at := 0; ; found++ {
		i := bytes.IndexByte(text[at:], '<')
		if i < 0 {
			return found
		}
		at += i + 1
	}
}

// splitter is the bare splitter: what a server would write by hand for one fixed
// format. It holds back what may become a marker and accumulates the text
// between markers, of one part for each opening marker. It knows no patterns,
// no arguments, no problems, and tells no events.
type splitter struct {
	held  []byte
	part  int // of parts; -1 outside
	parts [2][]byte
}

// The first two markers open a part, the others close it.
var splitterMarkers = [...]string{openThinking, openFinal, "<|end|>", "<|return|>", "<|call|>", "<|start|>assistant"}

func (s *splitter) reset() {
	s.held, s.part = s.held[:0], -1
	for i := range s.parts {
		s.parts[i] = s.parts[i][:0]
	}
}

func (s *splitter) feed(chunk string) {
	for chunk != "" {
		if len(s.held) == 0 {
			i := strings.IndexByte(chunk, '<')
			if i < 0 {
				s.text(chunk)
				return
			}
			s.text(chunk[:i])
			chunk = chunk[i:]
		}
		s.held = append(s.held, chunk[0])
		marker, begins := match(s.held)
		switch {
		case marker >= 0:
			s.held = s.held[:0]
			s.part = -1
			if marker < len(s.parts) {
				s.part = marker
			}
		case !begins: // the byte may begin a marker itself
			s.text(string(s.held[:len(s.held)-1]))
			s.held = s.held[:0]
			if chunk[0] == '<' {
				continue
			}
			s.text(chunk[:1])
		}
		chunk = chunk[1:]
	}
}

// match tells which marker a text is, -1 for none, and whether one begins so.
func match(held []byte) (marker int, begins bool) {
	for i, m := range splitterMarkers {
		if len(held) <= len(m) && string(held) == m[:len(held)] {
			if len(held) == len(m) {
				return i, true
			}
			begins = true
		}
	}
	return -1, begins
}

func (s *splitter) text(text string) {
	if s.part >= 0 {
		s.parts[s.part] = append(s.parts[s.part], text...)
	}
}

// end gives the text of the parts.
func (s *splitter) end() (thinking, final []byte) {
	s.text(string(s.held))
	s.held = s.held[:0]
	return s.parts[0], s.parts[1]
}

// The yardsticks read the replies as the engine does.
func TestYardsticks(t *testing.T) {
	tpl := beamTemplate(t)
	for _, name := range []string{"ordinary", "ordinary-han"} {
		text := replies[name].make(64 << 10)
		if got, want := limit([]byte(text)), strings.Count(text, "<"); got != want {
			t.Errorf("%s: the limit found %d of %d", name, got, want)
		}
		reply, err := tpl.Parse(text, Options{Prefix: &noPrefix})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 4, 0} {
			s := splitter{}
			s.reset()
			for _, chunk := range cut(text, size) {
				s.feed(chunk)
			}
			thinking, final := s.end()
			if want, _ := reply.Message.Get("thinking").AsString(); string(thinking) != want {
				t.Errorf("%s, %d characters a feed: the splitter's thinking differs", name, size)
			}
			if want, _ := reply.Message.Get("content").AsString(); string(final) != want {
				t.Errorf("%s, %d characters a feed: the splitter's content differs", name, size)
			}
		}
	}
}
