package response

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

var constants = map[string]value.Value{
	"True": value.Bool(true), "true": value.Bool(true), "False": value.Bool(false), "false": value.Bool(false),
	"None": value.Null(), "null": value.Null(),
}

func (c *callList) number(n int, float bool) value.Value {
	lit := c.text[c.at : c.at+n]
	if float {
		f, _ := strconv.ParseFloat(lit, 64)
		if math.IsInf(f, 0) {
			c.fail("number too large")
		}
		if c.r.notes && !value.Exact(lit, f) {
			c.r.losses = append(c.r.losses, loss{span: span(c.at, c.at+n), kind: harmony.ValueChanged, detail: lostDigits})
		}
		c.at += n
		return value.Float(f)
	}
	i, err := strconv.ParseInt(lit, 10, 64)
	if n > 17 || err != nil || i > maxCallInteger || i < -maxCallInteger {
		c.fail("integer outside the range that a double holds exactly: 2^53 - 1 either way")
	}
	c.at += n
	return value.Int(i)
}

// numberLen matches -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?.
func numberLen(s string) (n int, float bool) {
	digits := func(at int) int {
		for at < len(s) && '0' <= s[at] && s[at] <= '9' {
			at++
		}
		return at
	}
	at := 0
	if strings.HasPrefix(s, "-") {
		at = 1
	}
	n = digits(at)
	switch {
	case n == at:
		return 0, false
	case s[at] == '0':
		n = at + 1
	}
	if n < len(s) && s[n] == '.' {
		if end := digits(n + 1); end > n+1 {
			n, float = end, true
		}
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		e := n + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if end := digits(e); end > e {
			n, float = end, true
		}
	}
	return n, float
}

func isNameByte(c byte, first bool) bool {
	return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || !first && '0' <= c && c <= '9'
}

// nameLen matches [A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*.
func nameLen(s string) int {
	if s == "" || !isNameByte(s[0], true) {
		return 0
	}
	n := 1
	for n < len(s) {
		switch {
		case isNameByte(s[n], false):
			n++
		case (s[n] == '-' || s[n] == '.') && n+1 < len(s) && isNameByte(s[n+1], false):
			n += 2
		default:
			return n
		}
	}
	return n
}

func (c *callList) name(what string) string {
	c.space()
	n := nameLen(c.text[c.at:])
	if n == 0 {
		c.fail("expected %s", what)
	}
	c.at += n
	return c.text[c.at-n : c.at]
}

// str reads a string; c.at stands on its quote.
func (c *callList) str() string {
	s := c.text[c.at:]
	end := 1
	for ; end < len(s) && s[end] != s[0]; end++ {
		if s[end] == '\n' || s[end] == '\r' {
			c.fail("invalid string")
		}
		if s[end] == '\\' {
			end++
		}
	}
	if end >= len(s) {
		c.fail("invalid string")
	}
	body := s[1:end]
	if i := value.InvalidUTF8(body); i >= 0 {
		c.fail("lone surrogate in a string")
	}
	var out []byte
	for {
		i := strings.IndexByte(body, '\\')
		if i < 0 {
			break
		}
		out = append(out, body[:i]...)
		if j := strings.IndexByte(`\'"/bfnrt`, body[i+1]); j >= 0 {
			out = append(out, "\\'\"/\b\f\n\r\t"[j])
			body = body[i+2:]
			continue
		}
		r, ok := escape4(body[i:])
		if !ok {
			_, size := utf8.DecodeRuneInString(body[i+1:])
			c.fail("unsupported escape '%s' in a string", body[i:i+1+size])
		}
		body = body[i+6:]
		if low, ok := escape4(body); ok && r&^0x3ff == 0xd800 && low&^0x3ff == 0xdc00 {
			r = 0x10000 + (r-0xd800)<<10 + (low - 0xdc00)
			body = body[6:]
		}
		if 0xd800 <= r && r <= 0xdfff {
			c.fail("lone surrogate escape in a string")
		}
		out = utf8.AppendRune(out, r)
	}
	c.at += end + 1
	if out == nil {
		return body
	}
	return string(append(out, body...))
}

// escape4 reads \uXXXX at the start of s.
func escape4(s string) (rune, bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	for _, c := range []byte(s[2:6]) {
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(s[2:6], 16, 32)
	return rune(n), err == nil
}
