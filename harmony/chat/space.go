package chat

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
