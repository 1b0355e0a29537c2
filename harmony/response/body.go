package response

import (
	"math/bits"
	"strings"
)

// body is the text of a region, not copied while it is one piece.
type body struct {
	first string
	rest  *strings.Builder
}

// fits tells whether text can be added without more room.
func (b *body) fits(text string) bool {
	return b.rest != nil && b.rest.Len()+len(text) <= b.rest.Cap()
}

// add appends text and gives the number of bytes that were copied.
func (b *body) add(text string) int64 {
	switch {
	case b.rest != nil:
		if !b.fits(text) {
			return extend(b.rest, text)
		}
		b.rest.WriteString(text)
		return int64(len(text))
	case b.first == "":
		b.first = text
		return 0
	}
	b.rest = &strings.Builder{}
	b.rest.Grow(128)
	return extend(b.rest, b.first) + extend(b.rest, text)
}

// extend adds text to a builder and gives the number of bytes that were copied.
func extend(b *strings.Builder, text string) int64 {
	copied := len(text)
	if need := b.Len() + len(text); need > b.Cap() {
		copied = need
		old := b.String()
		b.Reset()
		b.Grow(1 << bits.Len(uint(need))) // to about twice the room
		b.WriteString(old)
	}
	b.WriteString(text)
	return int64(copied)
}

func (b *body) String() string {
	if b.rest != nil {
		return b.rest.String()
	}
	return b.first
}
