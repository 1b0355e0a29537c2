package token

import "unicode/utf8"

// pending is the start of a character: one to three bytes of a longer sequence,
// none of which is wrong yet.
type pending struct {
	bytes [utf8.UTFMax]byte
	n     int
}

// charState is what a byte made of a pending character.
type charState uint8

const (
	charOpen   charState = iota // bytes are missing
	charWhole                   // the pending bytes are a character
	charBroken                  // the byte does not fit; what was pending is one U+FFFD and gone
	charNever                   // the byte begins no character; it is one U+FFFD
)

// add takes the next byte. A sequence is broken at the first byte that no
// character has there, as Rust's from_utf8_lossy and the Unicode Standard
// (section 3.9, "Substitution of maximal subparts") have it.
func (p *pending) add(b byte) charState {
	if p.n == 0 {
		switch {
		case b < utf8.RuneSelf:
			p.bytes[0], p.n = b, 1
			return charWhole
		case b < 0xC2 || b > 0xF4:
			return charNever
		}
		p.bytes[0], p.n = b, 1
		return charOpen
	}
	low, high := byte(0x80), byte(0xBF)
	if p.n == 1 {
		switch p.bytes[0] {
		case 0xE0:
			low = 0xA0
		case 0xED:
			high = 0x9F
		case 0xF0:
			low = 0x90
		case 0xF4:
			high = 0x8F
		}
	}
	if b < low || b > high {
		p.n = 0
		return charBroken
	}
	p.bytes[p.n] = b
	p.n++
	if p.n == size(p.bytes[0]) {
		return charWhole
	}
	return charOpen
}

// size is the length of the character that a byte begins.
func size(lead byte) int {
	switch {
	case lead < 0xE0:
		return 2
	case lead < 0xF0:
		return 3
	}
	return 4
}

// validPrefix is the number of bytes at the start that are whole characters.
func validPrefix(s string) int {
	i := 0
	for i < len(s) {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}
