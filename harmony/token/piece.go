package token

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenStep is a step of a decoder that works on tokens one by one.
type tokenStep struct {
	kind     tokenStepKind
	from, to string
	count    int
	clean    bool // take out spaces before punctuation
	// keepFirst, of metaspaceStep: the first token's replacements are spaces too.
	keepFirst bool
}

type tokenStepKind uint8

const (
	replaceStep   tokenStepKind = iota + 1 // from becomes to
	stripStep                              // up to count times from is cut off the start
	metaspaceStep                          // from becomes a space; in the first token nothing
	wordPieceStep                          // from at the start continues a word; else a space goes before
	suffixStep                             // from becomes a space; in the last token nothing
	ctcStep                                // a repeated token counts once; from is nothing, to a space
	joinStep                               // a space goes before
)

// place is where a token stands among those that are decoded.
type place uint8

const (
	inside place = 0
	first  place = 1
	last   place = 2
)

// apply takes a token through the step.
func (s *tokenStep) apply(token string, at place) string {
	switch s.kind {
	case replaceStep:
		return strings.ReplaceAll(token, s.from, s.to)
	case stripStep:
		for range s.count {
			rest, ok := strings.CutPrefix(token, s.from)
			if !ok {
				break
			}
			token = rest
		}
	case metaspaceStep:
		space := " "
		if at&first != 0 && !s.keepFirst {
			space = ""
		}
		return strings.ReplaceAll(token, s.from, space)
	case wordPieceStep:
		if at&first == 0 {
			if rest, ok := strings.CutPrefix(token, s.from); ok {
				token = rest
			} else {
				token = " " + token
			}
		}
		if s.clean {
			return pieceCleaner(token)
		}
	case suffixStep:
		space := " "
		if at&last != 0 {
			space = ""
		}
		return strings.ReplaceAll(token, s.from, space)
	case ctcStep:
		token = strings.ReplaceAll(token, s.from, "")
		if s.clean {
			return strings.ReplaceAll(pieceCleaner(token), s.to, " ")
		}
	case joinStep:
		if at&first == 0 {
			return " " + token
		}
	}
	return token
}

// cleanUps are the spaces that cleaning up takes out, in the order in which it
// does: those of Transformers, and one more of the library's own.
var cleanUps = [...]struct {
	from, to string
	library  bool
}{
	{" .", ".", false}, {" ?", "?", false}, {" !", "!", false}, {" ,", ",", false}, {" ' ", "'", false},
	{" n't", "n't", false}, {" 'm", "'m", false}, {" do not", " don't", true},
	{" 's", "'s", false}, {" 've", "'ve", false}, {" 're", "'re", false},
}

// pieceCleaner cleans up one token, as the library's own decoders do.
func pieceCleaner(token string) string {
	for _, c := range cleanUps {
		token = strings.ReplaceAll(token, c.from, c.to)
	}
	return token
}

// piece gives what a token becomes at a place before bytes are characters.
func (c *chain) piece(token string, at place) string {
	for i := range c.tokens {
		token = c.tokens[i].apply(token, at)
	}
	return token
}

// decoded gives what a token becomes at a place, and of what kind it is.
func (c *chain) decoded(token string, at place) (string, entryKind) {
	piece := c.piece(token, at)
	switch c.bytes {
	case byteLevel:
		if piece = levelBytes(piece); !utf8.ValidString(piece) {
			return piece, brokenEntry
		}
	case byteFallback:
		if b, ok := fallbackByte(piece); ok {
			return string([]byte{b}), byteEntry
		}
	}
	return piece, textEntry
}

// pieces fills in what each token becomes inside a text.
func (v *Vocabulary) pieces() {
	for i := range v.tokens {
		if e := &v.tokens[i]; e.kind != unknownEntry {
			form := v.form(ID(i))
			e.piece, e.kind = v.chain.decoded(form, inside)
			e.special = v.special[form]
		}
	}
}

// form is a token as the decoder gets it.
func (v *Vocabulary) form(id ID) string {
	if form, ok := v.forms[id]; ok {
		return form
	}
	return v.tokens[id].text
}

// levelChars are the characters that stand for bytes in byte-level vocabularies
// (GPT-2's table), from 0; -1 is no byte.
var levelChars = func() (table [0x144]int16) {
	for i := range table {
		table[i] = -1
	}
	next := 0x100
	for b := range 256 {
		if b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE {
			table[b] = int16(b)
			continue
		}
		table[next] = int16(b)
		next++
	}
	return table
}()

// levelBytes gives the bytes that a byte-level token stands for. A token with a
// character that is no byte stands for itself.
func levelBytes(token string) string {
	plain := true
	for i := range len(token) {
		if token[i] <= ' ' || token[i] >= 0x7F {
			plain = false
			break
		}
	}
	if plain {
		return token
	}
	out := make([]byte, 0, len(token))
	for _, r := range token {
		if int(r) >= len(levelChars) || levelChars[r] < 0 {
			return token
		}
		out = append(out, byte(levelChars[r]))
	}
	return string(out)
}

// fallbackByte reads a token such as <0x0A>. As in the library, a plus sign may
// stand for the first digit.
func fallbackByte(token string) (byte, bool) {
	if len(token) != 6 || token[:3] != "<0x" || token[5] != '>' {
		return 0, false
	}
	digits := token[3:5]
	if digits[0] == '+' {
		digits = digits[1:]
	}
	n, err := strconv.ParseUint(digits, 16, 8)
	return byte(n), err == nil
}
