package value

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var negInfinity = Float(math.Inf(-1))

// literals are the words of Python's JSON; "-Infinity" is read with the numbers.
var literals = []struct {
	text string
	v    Value
}{
	{"null", Null()},
	{"true", Bool(true)},
	{"false", Bool(false)},
	{"NaN", Float(math.NaN())},
	{"Infinity", Float(math.Inf(1))},
}

// InvalidUTF8 gives the byte offset of the first byte of s that is not UTF-8,
// or -1 where all of it is.
func InvalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// InvalidWTF8 is [InvalidUTF8] that lets lone surrogates pass.
func InvalidWTF8(s string) int {
	for at := 0; ; {
		i := InvalidUTF8(s[at:])
		if i < 0 {
			return -1
		}
		if r, size := DecodeWTF8(s[at+i:]); size == 1 || r == utf8.RuneError {
			return at + i
		}
		at += i + 3
	}
}

// Len is the length of s in characters (code points), as Python's len: a lone
// surrogate counts one.
func Len(s string) int {
	n := utf8.RuneCountInString(s)
	// A surrogate's three bytes count as three errors above.
	for i := strings.IndexByte(s, 0xed); i >= 0; {
		if len(s)-i >= 3 && s[i+1]&0xe0 == 0xa0 {
			n -= 2
		}
		j := strings.IndexByte(s[i+1:], 0xed)
		if j < 0 {
			break
		}
		i += 1 + j
	}
	return n
}

// IsSpace tells whether Python's str.strip removes r: the White_Space
// characters and the separators U+001C to U+001F.
func IsSpace(r rune) bool {
	return 0x1c <= r && r <= 0x1f || unicode.Is(unicode.White_Space, r)
}

// Strip is Python's str.strip().
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }

// stripNumber removes the space that int() and float() allow around a number:
// White_Space, but not the separators that str.strip removes.
func stripNumber(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.Is(unicode.White_Space, r) })
}

// ParseInt reads an integer as Python's int(text) does: space around it, one
// sign, decimal digits of any script, single underscores between digits. It
// fails with a *NumberError or a *DigitsError.
func ParseInt(text string) (Value, error) {
	s := stripNumber(text)
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 {
		return Value{}, &NumberError{Text: text, Float: false}
	}
	digits, ok := asciiDigits(body)
	if !ok {
		return Value{}, &NumberError{Text: text, Float: false}
	}
	if len(digits) > MaxIntDigits {
		return Value{}, &DigitsError{Digits: len(digits)}
	}
	i, _ := new(big.Int).SetString(digits, 10)
	if strings.HasPrefix(s, "-") {
		i.Neg(i)
	}
	return BigInt(i), nil
}

// ParseFloat reads a float as Python's float(text) does, NaN and infinities
// included; out of range gives an infinity or zero. It fails with a
// *NumberError.
func ParseFloat(text string) (float64, error) {
	fail := func() (float64, error) { return 0, &NumberError{Text: text, Float: true} }
	s := stripNumber(text)
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 {
		return fail()
	}
	neg := strings.HasPrefix(s, "-")
	var f float64
	switch {
	case equalASCII(body, "inf"), equalASCII(body, "infinity"):
		f = math.Inf(1)
	case equalASCII(body, "nan"):
		f = math.NaN()
	default:
		lit, ok := floatLiteral(body)
		if !ok {
			return fail()
		}
		f, _ = strconv.ParseFloat(lit, 64)
	}
	if neg {
		f = -f
	}
	return f, nil
}

// equalASCII tells whether s is the lower-case word, whatever the case of its
// ASCII letters.
func equalASCII(s, word string) bool {
	if len(s) != len(word) {
		return false
	}
	for i := range len(s) {
		if s[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// floatLiteral brings digits[.digits][e[sign]digits] into ASCII without
// underscores.
func floatLiteral(s string) (string, bool) {
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i+1:]
		sign := ""
		if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
			sign, exponent = exponent[:1], exponent[1:]
		}
		digits, ok := asciiDigits(exponent)
		if !ok {
			return "", false
		}
		exponent = "e" + sign + digits
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" {
		return "", false
	}
	out := ""
	for _, part := range []string{whole, fraction} {
		if part != "" {
			digits, ok := asciiDigits(part)
			if !ok {
				return "", false
			}
			out += digits
		}
		if point {
			out += "."
			point = false
		}
	}
	return out + exponent, true
}

// asciiDigits turns decimal digits of any script, with single underscores
// between them, into ASCII digits.
func asciiDigits(s string) (string, bool) {
	out := make([]byte, 0, len(s))
	gap := true // an underscore may not stand here
	for _, r := range s {
		if r == '_' && !gap {
			gap = true
			continue
		}
		d, ok := digit(r)
		if !ok {
			return "", false
		}
		out = append(out, '0'+d)
		gap = false
	}
	return string(out), !gap
}

// digit gives the value of a decimal digit of any script.
func digit(r rune) (byte, bool) {
	if r < 0x80 {
		return byte(r - '0'), '0' <= r && r <= '9'
	}
	i, exact := slices.BinarySearch(digitZeros, r)
	if !exact {
		i--
	}
	if i < 0 || r > digitZeros[i]+9 {
		return 0, false
	}
	return byte(r - digitZeros[i]), true
}

// NumberError is a text that Python's int() or float() refuses.
type NumberError struct {
	Text  string
	Float bool // float(), else int()
}

func (e *NumberError) Error() string {
	if e.Float {
		return fmt.Sprintf("could not convert string to float: %q", e.Text)
	}
	return fmt.Sprintf("invalid literal for int() with base 10: %q", e.Text)
}
