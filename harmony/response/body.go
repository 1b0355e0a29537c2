package response

import (
	"math/bits"
	"slices"
	"strings"
)

// body is the text of a region, not copied while it is one piece. The next region
// uses the room of the last.
type body struct {
	first string // the one piece, else ""
	all   []byte // else all of them
}

// add appends text and gives the number of bytes that were copied.
func (b *body) add(text string) (copied int64) {
	if len(b.all) == 0 {
		if b.first == "" {
			b.first = text
			return 0
		}
		copied = b.append(b.first)
		b.first = ""
	}
	return copied + b.append(text)
}

func (b *body) append(text string) (copied int64) {
	if need := len(b.all) + len(text); need > cap(b.all) {
		copied = int64(len(b.all))
		b.all = slices.Grow(b.all, max(minBody, 1<<bits.Len(uint(need)))-len(b.all))
	}
	b.all = append(b.all, text...)
	return copied + int64(len(text))
}

// room is how many bytes all takes as it is.
func (b *body) room() int {
	if len(b.all) == 0 {
		return 0
	}
	return cap(b.all) - len(b.all)
}

// minBody is the least room in bytes for the text of a region in several pieces.
const minBody = 128

// text gives the text, which stays as it is, and the number of bytes that were copied.
func (b *body) text() (text string, copied int64) {
	if len(b.all) == 0 {
		return b.first, 0
	}
	return string(b.all), int64(len(b.all))
}

func (b *body) reset() { b.first, b.all = "", b.all[:0] }

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
