package corpus

import (
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Index converts between characters (code points, as Python counts) and bytes
// of one text. A lone surrogate, which text out of JSON may hold in its
// three-byte form, is one character; so is each byte that is not UTF-8.
//
// It walks from the last place asked for, in either direction: a series of
// questions that only goes forward costs one pass over the text in all. An
// Index is for one goroutine.
type Index struct {
	text       string
	char, byte int // the same place in both units
}

// NewIndex returns an Index of the text.
func NewIndex(text string) *Index { return &Index{text: text} }

// Byte gives the byte at which a character begins. The number of all
// characters gives the end of the text; ok is false beyond it and below 0.
func (x *Index) Byte(char int) (offset int, ok bool) {
	for x.char < char && x.byte < len(x.text) {
		x.next()
	}
	for x.char > char && x.byte > 0 {
		x.previous()
	}
	return x.byte, x.char == char
}

// Char gives the number of characters before a byte. Inside a character, ok is
// false and char counts the character; beyond the text, ok is false.
func (x *Index) Char(offset int) (char int, ok bool) {
	for x.byte < offset && x.byte < len(x.text) {
		x.next()
	}
	for x.byte > offset && x.byte > 0 {
		x.previous()
		if x.byte < offset { // inside this character
			x.next()
			return x.char, false
		}
	}
	return x.char, x.byte == offset
}

func (x *Index) next() {
	x.byte += firstLen(x.text[x.byte:])
	x.char++
}

func (x *Index) previous() {
	before := x.text[:x.byte]
	_, size := utf8.DecodeLastRuneInString(before)
	if n := len(before); n >= 3 && size == 1 && firstLen(before[n-3:]) == 3 {
		size = 3
	}
	x.byte -= size
	x.char--
}

// firstLen is the length of the first character of a text that is not empty.
func firstLen(s string) int {
	_, size := value.DecodeWTF8(s)
	return size
}
