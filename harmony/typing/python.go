package typing

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// LiteralError says why a text is no literal of Python, and at which byte.
type LiteralError struct {
	Offset int
	Msg    string
}

func (e *LiteralError) Error() string { return fmt.Sprintf("%s at byte %d", e.Msg, e.Offset) }

// Literal reads the literal of Python that a text begins with and gives the bytes
// it takes (reply-syntaxes-spec.md, sections 4 and 13): True, False and None,
// also as JSON spells them; a number; a text in single or double quotes, with
// Python's escapes but \N, and with line breaks as they are; a list; a tuple,
// which becomes a list; a dict whose keys are texts. Expressions, sets, complex
// numbers, prefixed and triple quotes are none, nor is what JSON has no number
// for; texts side by side and a tuple without parentheses end behind their first
// value. The error is a *[LiteralError].
func Literal(text string, o Options) (v value.Value, n int, err error) {
	r := literalReader{text: text, depth: o.depth(), repeated: o.Repeated, inexact: o.Inexact}
	v, err = r.value(0)
	return v, r.at, err
}

type literalReader struct {
	text     string
	at       int
	depth    int
	repeated func(start, end int)
	inexact  func(start, end int)
}

func (r *literalReader) fail(at int, msg string) error { return &LiteralError{at, msg} }

// next steps over space and gives the next byte, 0 at the end.
func (r *literalReader) next() byte {
	for r.at < len(r.text) && strings.IndexByte(space, r.text[r.at]) >= 0 {
		r.at++
	}
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *literalReader) value(depth int) (value.Value, error) {
	switch c := r.next(); {
	case c == '\'' || c == '"':
		s, err := r.str()
		return value.String(s), err
	case c == '[' || c == '(' || c == '{':
		if depth >= r.depth {
			return value.Value{}, r.fail(r.at, fmt.Sprintf("lists and dicts are nested more than %d deep", r.depth))
		}
		if c == '{' {
			return r.dict(depth + 1)
		}
		return r.list(c, depth+1)
	case c == '+' || c == '-' || c == '.' || '0' <= c && c <= '9':
		return r.number()
	}
	end := r.at
	for end < len(r.text) && isWordByte(r.text[end]) {
		end++
	}
	v := value.Null()
	switch r.text[r.at:end] {
	case "True", "true":
		v = value.Bool(true)
	case "False", "false":
		v = value.Bool(false)
	case "None", "null":
	default:
		return v, r.fail(r.at, "here is no literal")
	}
	r.at = end
	return v, nil
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// list reads a list or a tuple; one value in parentheses, without a comma, is
// that value.
func (r *literalReader) list(open byte, depth int) (value.Value, error) {
	close := byte(']')
	if open == '(' {
		close = ')'
	}
	items := []value.Value{}
	comma := false
	for r.at++; r.next() != close; {
		v, err := r.value(depth)
		if err != nil {
			return v, err
		}
		items = append(items, v)
		if comma = r.next() == ','; comma {
			r.at++
		} else if r.next() != close {
			return v, r.fail(r.at, "here should be a comma or the end of the list")
		}
	}
	r.at++
	if open == '(' && len(items) == 1 && !comma {
		return items[0], nil
	}
	return value.List(items...), nil
}

func (r *literalReader) dict(depth int) (value.Value, error) {
	o := &value.Object{}
	var spans map[string][2]int // where the members stand, if somebody asks
	for r.at++; r.next() != '}'; {
		if c := r.next(); c != '\'' && c != '"' {
			return value.Value{}, r.fail(r.at, "a key of a dict is no text")
		}
		from := r.at
		key, err := r.str()
		if err != nil {
			return value.Value{}, err
		}
		if r.next() != ':' {
			return value.Value{}, r.fail(r.at, "here should be a colon")
		}
		r.at++
		v, err := r.value(depth)
		if err != nil {
			return v, err
		}
		if r.repeated != nil {
			if old, twice := spans[key]; twice {
				r.repeated(old[0], old[1])
			}
			if spans == nil {
				spans = map[string][2]int{}
			}
			spans[key] = [2]int{from, r.at}
		}
		o.Set(key, v)
		if r.next() == ',' {
			r.at++
		} else if r.next() != '}' {
			return v, r.fail(r.at, "here should be a comma or the end of the dict")
		}
	}
	r.at++
	return o.Value(), nil
}

// number reads an integer in any of Python's bases or a float.
func (r *literalReader) number() (value.Value, error) {
	from := r.at
	sign := ""
	if c := r.text[r.at]; c == '+' || c == '-' {
		r.at++
		if c == '-' {
			sign = "-"
		}
	}
	start := r.at
	for r.at < len(r.text) && (isWordByte(r.text[r.at]) || r.text[r.at] == '.' ||
		(r.text[r.at] == '+' || r.text[r.at] == '-') && r.text[r.at-1]|0x20 == 'e' && !based(r.text[start:r.at])) {
		r.at++
	}
	written := r.text[start:r.at]
	bad := func() (value.Value, error) {
		r.at = from
		return value.Value{}, r.fail(from, "here is no number")
	}
	if !isASCII(written) {
		return bad()
	}
	if based(written) {
		// Python allows an underscore behind the base, as Go does.
		i, ok := new(big.Int).SetString(sign+written, 0)
		if !ok || len(written) > value.MaxIntDigits {
			return bad()
		}
		return value.BigInt(i), nil
	}
	if strings.ContainsAny(written, ".eE") {
		// What begins with a letter is inf or nan, or a name.
		f, err := value.ParseFloat(sign + written)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return bad()
		}
		if r.inexact != nil && !value.Exact(asJSON(written), math.Abs(f)) {
			r.inexact(start, r.at)
		}
		return value.Float(f), nil
	}
	v, err := value.ParseInt(sign + written)
	if err != nil || written[0] == '0' && strings.Trim(written, "0_") != "" {
		return bad()
	}
	return v, nil
}

// asJSON writes a float of Python as JSON does.
func asJSON(written string) string {
	s := strings.TrimLeft(strings.ReplaceAll(written, "_", ""), "0")
	if s == "" || s[0] < '1' || s[0] > '9' {
		s = "0" + s
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	mantissa = strings.TrimSuffix(mantissa, ".")
	if exponent == "" {
		return mantissa
	}
	return mantissa + "e" + exponent
}

// based tells whether a number is written with another base than ten.
func based(s string) bool {
	return len(s) > 1 && s[0] == '0' && strings.IndexByte("xXoObB", s[1]) >= 0
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
