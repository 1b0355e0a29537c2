package typing

import (
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// str reads a text in quotes, which r.at stands on. Half a surrogate pair is
// kept, as in JSON; two that fit are one character.
func (r *literalReader) str() (string, error) {
	open, quote := r.at, r.text[r.at]
	var out []byte // nil while the text has no escapes
	high := -1     // where out ends with half a pair
	from := open + 1
	for at := from; ; {
		if at >= len(r.text) {
			return "", r.fail(open, "the text that begins here has no end")
		}
		if c := r.text[at]; c == quote {
			r.at = at + 1
			if out == nil {
				return r.text[from:at], nil
			}
			return string(append(out, r.text[from:at]...)), nil
		} else if c != '\\' {
			at++
			continue
		}
		if at > from {
			high = -1
		}
		out = append(out, r.text[from:at]...)
		c, n, ok := escape(r.text[at:])
		switch {
		case !ok:
			return "", r.fail(at, "this escape says no character")
		case c < 0: // none: an escaped line break
		case 0xdc00 <= c && c <= 0xdfff && high >= 0:
			first, _ := value.DecodeWTF8(string(out[high:]))
			out = value.AppendWTF8(out[:high], 0x10000+(first-0xd800)<<10+(c-0xdc00))
			high = -1
		default:
			high = -1
			if 0xd800 <= c && c <= 0xdbff {
				high = len(out)
			}
			out = value.AppendWTF8(out, c)
		}
		if out == nil {
			out = []byte{}
		}
		at += n
		from = at
	}
}

const simple, means = `\'"abfnrtv`, "\\'\"\a\b\f\n\r\t\v"

// escape reads the escape that s begins with: the character it says, -1 for none,
// and its bytes. An unknown one is a backslash, and what follows stands for itself.
func escape(s string) (c rune, n int, ok bool) {
	if len(s) < 2 {
		return 0, 0, false
	}
	digits := 0
	switch k := s[1]; {
	case strings.IndexByte(simple, k) >= 0:
		return rune(means[strings.IndexByte(simple, k)]), 2, true
	case k == '\n':
		return -1, 2, true
	case k == 'x':
		digits = 2
	case k == 'u':
		digits = 4
	case k == 'U':
		digits = 8
	case k == 'N':
		return 0, 0, false
	case '0' <= k && k <= '7':
		n = 1
		for ; n < min(4, len(s)) && '0' <= s[n] && s[n] <= '7'; n++ {
			c = c<<3 | rune(s[n]-'0')
		}
		return c, n, true
	default:
		return '\\', 1, true
	}
	if len(s) < 2+digits {
		return 0, 0, false
	}
	hex, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	if err != nil || hex > 0x10ffff || s[2] == '+' {
		return 0, 0, false
	}
	return rune(hex), 2 + digits, true
}
