package value

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Style is how JSON is written: the arguments of Python's json.dumps that the
// formats use.
type Style struct {
	// Unicode writes characters outside ASCII as they are (ensure_ascii=False);
	// otherwise they are written as \uXXXX.
	Unicode bool
	// Indent, if not empty, puts each member on a line of its own behind that
	// text once a level (the indent argument as a string).
	Indent string
	// Compact writes no space after a comma or a colon (separators=(",", ":")).
	Compact bool
}

// PyDumps is json.dumps with its defaults: ASCII, ", " and ": ".
var PyDumps = Style{}

// ToJSON is the tojson filter of chat templates with its defaults: as PyDumps,
// but characters outside ASCII stand as they are.
var ToJSON = Style{Unicode: true}

// Dumps writes v as Python's json.dumps(v) does. NaN and the infinities are
// written NaN, Infinity and -Infinity.
func Dumps(v Value) string { return string(Append(nil, v, PyDumps)) }

// Append appends v as JSON in the style to dst. An array or object that holds
// itself, which no text can say, is null where it comes up inside itself (Python
// raises ValueError); so is one that stands more than 262,144 deep.
func Append(dst []byte, v Value, s Style) []byte {
	var p path
	return s.append(dst, v, &p)
}

func (s Style) append(dst []byte, v Value, p *path) []byte {
	switch v.kind {
	case KindBool:
		return strconv.AppendBool(dst, v.num == 1)
	case KindInt:
		return v.appendInt(dst)
	case KindFloat:
		return AppendFloat(dst, math.Float64frombits(v.num))
	case KindString:
		return s.AppendString(dst, v.str)
	case KindArray:
		if v.arr.Len() == 0 {
			return append(dst, "[]"...)
		}
		if !p.enter(v.arr) {
			break
		}
		dst = append(dst, '[')
		for i, x := range v.arr.items {
			dst = s.separate(dst, i, p.depth)
			dst = s.append(dst, x, p)
		}
		p.leave(v.arr)
		return append(s.newline(dst, p.depth), ']')
	case KindObject:
		if v.obj.Len() == 0 {
			return append(dst, "{}"...)
		}
		if !p.enter(v.obj) {
			break
		}
		dst = append(dst, '{')
		for i, m := range v.obj.members {
			dst = s.separate(dst, i, p.depth)
			dst = s.AppendString(dst, m.Name)
			dst = append(dst, ':')
			if !s.Compact {
				dst = append(dst, ' ')
			}
			dst = s.append(dst, m.Value, p)
		}
		p.leave(v.obj)
		return append(s.newline(dst, p.depth), '}')
	}
	return append(dst, "null"...)
}

// separate writes what stands before item i.
func (s Style) separate(dst []byte, i, depth int) []byte {
	if i > 0 {
		dst = append(dst, ',')
		if s.Indent == "" && !s.Compact {
			dst = append(dst, ' ')
		}
	}
	return s.newline(dst, depth)
}

func (s Style) newline(dst []byte, depth int) []byte {
	if s.Indent == "" {
		return dst
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, s.Indent...)
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// AppendString appends text as a JSON string, quotes included.
func (s Style) AppendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0x20 && c != '"' && c != '\\' && (c < 0x7f || s.Unicode) {
			i++
			continue
		}
		dst = append(dst, text[from:i]...)
		size := 1
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c < 0x80:
			dst = appendEscape(dst, rune(c))
		default:
			var r rune
			r, size = DecodeWTF8(text[i:])
			if r >= 0x10000 {
				r -= 0x10000
				dst = appendEscape(dst, 0xd800+r>>10)
				dst = appendEscape(dst, 0xdc00+r&0x3ff)
			} else {
				dst = appendEscape(dst, r)
			}
		}
		i += size
		from = i
	}
	dst = append(dst, text[from:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// DecodeWTF8 reads the first character of s, which may be a lone surrogate in its
// three-byte form, and gives its size in bytes. A byte that is neither is read as
// U+FFFD of size 1, and no text at all as U+FFFD of size 0.
func DecodeWTF8(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 && len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return r, size
}

// AppendFloat appends a float as Python's repr writes it: the shortest digits
// that read back, positional from 1e-04 to below 1e16, with ".0" where there is
// no fraction, else with an exponent of at least two digits.
func AppendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	exp := 0
	if f != 0 {
		var buf [32]byte
		e := strconv.AppendFloat(buf[:0], f, 'e', -1, 64)
		at := strings.LastIndexByte(string(e), 'e')
		exp, _ = strconv.Atoi(string(e[at+1:]))
	}
	if exp < -4 || exp >= 16 {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[start:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, '.', '0')
}
