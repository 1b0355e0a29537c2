package value

import (
	"fmt"
	"strings"
	"unicode"
)

// Repr is what Python's str makes of a value that is no text, and its repr of one
// that is: {'a': [1, None, True]}. Templates write it where they print a value that
// should have been text.
func Repr(v Value) string { return string(AppendRepr(nil, v)) }

// AppendRepr appends [Repr] of v to dst. A value that holds itself, or stands more
// than [MaxDepth] deep, is "...".
func AppendRepr(dst []byte, v Value) []byte { return appendRepr(dst, v, MaxDepth) }

func appendRepr(dst []byte, v Value, depth int) []byte {
	if depth < 0 {
		return append(dst, "..."...)
	}
	switch v.Kind() {
	case KindNull:
		return append(dst, "None"...)
	case KindBool:
		if b, _ := v.AsBool(); b {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case KindFloat:
		f, _ := v.AsFloat()
		switch {
		case f != f:
			return append(dst, "nan"...)
		case f-f != 0 && f > 0:
			return append(dst, "inf"...)
		case f-f != 0:
			return append(dst, "-inf"...)
		}
		return AppendFloat(dst, f)
	case KindString:
		return appendStringRepr(dst, v.str)
	case KindArray:
		dst = append(dst, '[')
		for i, item := range v.arr.All() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendRepr(dst, item, depth-1)
		}
		return append(dst, ']')
	case KindObject:
		dst = append(dst, '{')
		first := true
		for name, member := range v.obj.All() {
			if !first {
				dst = append(dst, ", "...)
			}
			first = false
			dst = append(appendStringRepr(dst, name), ": "...)
			dst = appendRepr(dst, member, depth-1)
		}
		return append(dst, '}')
	}
	return Append(dst, v, PyDumps)
}

// appendStringRepr appends the repr of a text: in single quotes, unless only those
// are in it.
func appendStringRepr(dst []byte, s string) []byte {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	dst = append(dst, quote)
	for i := 0; i < len(s); {
		r, size := DecodeWTF8(s[i:])
		i += size
		switch {
		case r == rune(quote) || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case unicode.IsPrint(r):
			dst = AppendWTF8(dst, r)
		case r < 0x100:
			dst = fmt.Appendf(dst, `\x%02x`, r)
		case r < 0x10000:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = fmt.Appendf(dst, `\U%08x`, r)
		}
	}
	return append(dst, quote)
}
