package tokens

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/token"
)

// Speller writes texts as ids without a tokenizers library: added tokens where the
// text spells them, and between them any tokens that together are the text. The
// ids decode to the text, and are seldom the ones that the tokenizer would choose.
type Speller struct {
	v       *token.Vocabulary
	pieces  map[string]token.ID // tokens that are whole characters
	bytes   [256]token.ID
	longest int // in bytes, of the pieces
}

// NewSpeller makes a Speller. The error is a vocabulary that has not all bytes.
func NewSpeller(v *token.Vocabulary) (*Speller, error) {
	s := &Speller{v: v, pieces: map[string]token.ID{}}
	for b, char := range levelAlphabet() {
		id, ok := v.ID(fmt.Sprintf("<0x%02X>", b))
		if !ok {
			id, ok = v.ID(string(char))
		}
		if !ok {
			return nil, fmt.Errorf("the vocabulary has no token for the byte %#02x", b)
		}
		s.bytes[b] = id
	}
	anchor := s.bytes['.'] // behind it no token is the first
	for i := range v.Size() {
		id := token.ID(i)
		text, err := v.Decode([]token.ID{anchor, id, anchor}, token.DecodeOptions{})
		piece := strings.TrimSuffix(strings.TrimPrefix(text, "."), ".")
		if err == nil && piece != "" && len(text) == len(piece)+2 && !strings.ContainsRune(piece, utf8.RuneError) {
			s.pieces[piece] = id
			s.longest = max(s.longest, len(piece))
		}
	}
	for _, a := range v.Added() {
		delete(s.pieces, a.Text)
	}
	return s, nil
}

// levelAlphabet gives the characters that stand for the bytes in a byte-level
// vocabulary: those that are visible in Latin-1 for themselves, for the others
// U+0100 and on.
func levelAlphabet() (chars [256]rune) {
	next := rune(0x100)
	for b := range chars {
		if chars[b] = rune(b); b <= ' ' || b >= 0x7f && b <= 0xa0 || b == 0xad {
			chars[b] = next
			next++
		}
	}
	return chars
}

// Spell gives ids that a source chooses.
func (p *Speller) Spell(s *fuzz.Source, text string) ([]token.ID, error) {
	e, err := p.spell(text, func() int {
		if s.OneIn(5) {
			return 0
		}
		return 1 + s.N(p.longest)
	})
	return e.IDs, err
}

// Encode gives the longest tokens that fit.
func (p *Speller) Encode(text string) (token.Encoding, error) {
	return p.spell(text, func() int { return p.longest })
}

// Close does nothing.
func (p *Speller) Close() error { return nil }

// spell writes a text. most says how long the next piece may be; 0 is the bytes of
// one character.
func (p *Speller) spell(text string, most func() int) (e token.Encoding, err error) {
	matches, err := p.v.Scan(text)
	if err != nil {
		return e, err
	}
	put := func(id token.ID, start, end int) {
		e.IDs = append(e.IDs, id)
		e.Offsets = append(e.Offsets, harmony.Span{Start: int64(start), End: int64(end)})
	}
	for i := 0; i < len(text); {
		end := len(text)
		if len(matches) > 0 {
			if end = int(matches[0].Span.Start); end == i {
				end = int(matches[0].Span.End)
				put(matches[0].ID, i, end)
				matches = matches[1:]
				i = end
				continue
			}
		}
		n := min(most(), end-i)
		for ; n > 0; n-- {
			if id, ok := p.pieces[text[i:i+n]]; ok {
				put(id, i, i+n)
				break
			}
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(text[i:])
			for k := range n {
				put(p.bytes[text[i+k]], i, i+n)
			}
		}
		i += n
	}
	return e, nil
}

// Damage loses, doubles, swaps or adds a few ids, also some that stand for
// nothing: what is left of a stream that went wrong.
func (p *Speller) Damage(s *fuzz.Source, ids []token.ID) []token.ID {
	for n := 1 + s.N(4); n > 0 && len(ids) > 1; n-- {
		i := s.N(len(ids) - 1)
		switch s.N(5) {
		case 0:
			ids = append(ids[:i], ids[i+1:]...)
		case 1:
			ids = append(ids[:i+1], ids[i:]...)
		case 2:
			ids[i], ids[i+1] = ids[i+1], ids[i]
		case 3:
			ids[i] = token.ID(s.N(p.v.Size() + 3))
		case 4:
			ids[i] = p.bytes[s.N(256)]
		}
	}
	return ids
}
