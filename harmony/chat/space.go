package chat

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// space is white space that waits: whether it is in the message shows when text
// follows. A few pieces are kept as they came, which copies nothing; the rest of
// a long run is put together.
type space struct {
	pieces []string
	more   []byte
}

const maxPieces = 32

func (s *space) add(text string) {
	switch {
	case text == "":
	case len(s.pieces) < maxPieces:
		s.pieces = append(s.pieces, text)
	default:
		s.more = append(s.more, text...)
	}
}

func (s *space) reset() {
	clear(s.pieces)
	s.pieces, s.more = s.pieces[:0], s.more[:0]
}

// trimLeft and trimRight trim white space as [value.Strip] does; most text has
// none to trim, which its outer byte shows.

func trimLeft(s string) string {
	if s != "" && isVisible(s[0]) {
		return s
	}
	return strings.TrimLeftFunc(s, value.IsSpace)
}

func trimRight(s string) string {
	if s != "" && isVisible(s[len(s)-1]) {
		return s
	}
	return strings.TrimRightFunc(s, value.IsSpace)
}

func isVisible(c byte) bool { return '!' <= c && c <= '~' }
