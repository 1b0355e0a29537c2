package replies

import (
	"bytes"
	"strings"
)

// The two yardsticks that a reader's speed is a ratio to, so that the figures of
// different machines can be compared.

// Scan finds every < of a reply: no reader of markers that begin with one can
// look at the text less.
func Scan(text []byte) (found int) {
	for at := 0; ; found++ {
		i := bytes.IndexByte(text[at:], '<')
		if i < 0 {
			return found
		}
		at += i + 1
	}
}

// Splitter is the bare splitter: what a server would write by hand for one fixed
// format. It holds back what may become a marker and accumulates the text
// between markers, of one part for each opening marker. It knows no patterns, no
// arguments, no problems, and tells no events. The zero value is ready once it
// is reset.
type Splitter struct {
	held  []byte
	part  int // of parts; -1 outside
	parts [2][]byte
}

// The first two markers open a part, the others close it.
var splitterMarkers = [...]string{OpenThinking, OpenFinal, "<|end|>", "<|return|>", "<|call|>", next}

// Reset begins another reply and keeps the room of the last one.
func (s *Splitter) Reset() {
	s.held, s.part = s.held[:0], -1
	for i := range s.parts {
		s.parts[i] = s.parts[i][:0]
	}
}

// Feed reads the next chunk.
func (s *Splitter) Feed(chunk string) {
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

func (s *Splitter) text(text string) {
	if s.part >= 0 {
		s.parts[s.part] = append(s.parts[s.part], text...)
	}
}

// End gives the text of the parts, which is the splitter's until it is reset.
func (s *Splitter) End() (thinking, final []byte) {
	s.text(string(s.held))
	s.held = s.held[:0]
	return s.parts[0], s.parts[1]
}
