package rx

import "unicode/utf8"

// Starts tells in which text no match of some patterns begins, by two bytes.
type Starts struct {
	kind   [256]startKind
	second [256]bool // the bytes that may follow one of the kind mayStart in a match
	any    bool      // so may any, or a match is that one byte
	alone  bool      // there is but one byte of this kind, only, and it is ASCII
	only   byte
}

type startKind uint8

const (
	ascii    startKind = iota // a character by itself, no match begins with it
	triple                    // the first of three bytes, where two come that follow any
	other                     // the first of so many, or of none
	mayStart                  // a match may begin with it
)

// NewStarts prepares for the patterns; a nil one matches nothing. It gives nil where
// a match may begin without a byte.
func NewStarts(patterns ...*Pattern) *Starts {
	s := &Starts{}
	for b := range s.kind {
		switch {
		case b < utf8.RuneSelf:
			s.kind[b] = ascii
		case 0xe1 <= b && b < 0xf0 && b != 0xed:
			s.kind[b] = triple
		default:
			s.kind[b] = other
		}
	}
	for _, p := range patterns {
		if p == nil {
			continue
		}
		if p.texts == nil && p.prog.nullable {
			return nil
		}
		s.add(p)
	}
	starts := 0
	for b, kind := range s.kind {
		if kind == mayStart {
			s.only = byte(b)
			starts++
		}
	}
	s.alone = starts == 1 && s.only < utf8.RuneSelf
	return s
}

func (s *Starts) add(p *Pattern) {
	first, texts := &p.first, p.texts
	if texts == nil {
		first = &p.prog.first
		texts = p.prog.begins
	}
	for b, may := range first {
		if may {
			s.kind[b] = mayStart
		}
	}
	any := len(texts) == 0
	for _, text := range texts {
		if len(text) == 1 {
			any = true
		} else {
			s.second[text[1]] = true
		}
	}
	s.any = s.any || any
}

// Clear gives the length of the beginning of a text that is UTF-8 in which no match
// begins, whatever follows the text. It may be less than what a longer look would
// show, and ends before a byte with which a match may begin, or which is not UTF-8.
func (s *Starts) Clear(text string) int {
	i := 0
	for s.alone && i+4 <= len(text) && s.without(text[i:i+4]) {
		i += 4
	}
	for i < len(text) {
		switch s.kind[text[i]] {
		case ascii:
			i++
			continue
		case triple:
			if i+2 < len(text) && (uint16(text[i+1])|uint16(text[i+2])<<8)&0xc0c0 == 0x8080 {
				i += 3
				continue
			}
		case mayStart:
			if i+1 == len(text) || s.any || s.second[text[i+1]] {
				return i
			}
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return i
}

// Waits tells whether a text, of which all but the last byte is clear, says nothing of
// a match before another byte follows: one may begin there, and it is longer.
func (s *Starts) Waits(text string) bool {
	last := text[len(text)-1]
	return s.kind[last] == mayStart && last < utf8.RuneSelf && !s.any
}

// without tells whether four bytes are ASCII without the one byte that may start a
// match.
func (s *Starts) without(text string) bool {
	const low, high = 0x01010101, 0x80808080 // bits of each byte
	w := uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16 | uint32(text[3])<<24
	not := w ^ low*uint32(s.only) // a byte that is zero borrows from its highest bit
	return (w|(not-low)&^not)&high == 0
}
