package value

// NOTE. The decoder follows CPython's json scanner step by step, because the
// kind of a failure decides what a reader of replies does next, and its text is
// shown beside Python's. It reads bytes; offsets are bytes and are turned into
// Python's line, column and character only when an error is made.

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError says why a text is not JSON. Msg begins as Python's does, so that
// the two can be read side by side.
type SyntaxError struct {
	Offset int    // bytes from the start of the text
	Line   int    // from 1
	Column int    // characters, from 1
	Char   int    // characters from the start of the text
	Msg    string // what is wrong there
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s: line %d column %d (char %d)", e.Msg, e.Line, e.Column, e.Char)
}

// DigitsError is an integer of more than [MaxIntDigits] digits, which Python
// refuses with a plain ValueError.
type DigitsError struct {
	Offset int // bytes from the start of the text
	Digits int
}

func (e *DigitsError) Error() string {
	return fmt.Sprintf("an integer has %d digits, and Python converts no more than %d", e.Digits, MaxIntDigits)
}

// DepthError is nesting deeper than the limit. Python has a limit too, a far
// larger one, and then raises RecursionError.
type DepthError struct {
	Offset int // bytes from the start of the text
	Limit  int
}

func (e *DepthError) Error() string {
	return fmt.Sprintf("arrays and objects are nested more than %d deep", e.Limit)
}

// MaxIntDigits is the longest integer literal that Python converts.
const MaxIntDigits = 4300

// MaxDepth is the default limit of nesting.
const MaxDepth = 1000

// LoadOptions change what Loads accepts. The zero value is json.loads.
type LoadOptions struct {
	// Strict refuses what RFC 8259 does not allow though Python does: NaN and
	// the infinities, and a repeated name. For files that people write.
	Strict bool
	// MaxDepth is the limit of nesting; 0 means [MaxDepth].
	MaxDepth int
	// Repeated, if not nil, is told of each member that a later one of its name
	// replaces: the bytes at which it stands in the text.
	Repeated func(start, end int)
	// Inexact, if not nil, is told of each number of which the value keeps not all
	// digits, or none: the bytes at which it stands in the text.
	Inexact func(start, end int)
}

// Loads reads one JSON text as Python's json.loads does. Errors are
// *SyntaxError, *DigitsError or *DepthError.
func Loads(text string) (Value, error) { return LoadOptions{}.Loads(text) }

// Loads reads one JSON text under the options.
func (o LoadOptions) Loads(text string) (Value, error) {
	d := decoder{text: text, strict: o.Strict, limit: o.MaxDepth, repeated: o.Repeated, inexact: o.Inexact}
	if d.limit == 0 {
		d.limit = MaxDepth
	}
	if strings.HasPrefix(text, "\ufeff") {
		return Value{}, d.fail("Unexpected UTF-8 BOM", 0)
	}
	if i := InvalidWTF8(text); i >= 0 {
		return Value{}, d.fail("Invalid UTF-8", i)
	}
	d.space()
	v, err := d.value(0)
	if err != nil {
		return Value{}, err
	}
	if d.space(); d.at < len(text) {
		return Value{}, d.fail("Extra data", d.at)
	}
	return v, nil
}

type decoder struct {
	text   string
	at     int
	limit  int
	strict bool

	repeated func(start, end int) // nil where nobody asks
	inexact  func(start, end int) // likewise
}

func (d *decoder) fail(msg string, at int) error {
	before := d.text[:at]
	nl := strings.LastIndexByte(before, '\n')
	return &SyntaxError{
		Offset: at,
		Line:   1 + strings.Count(before, "\n"),
		Column: 1 + Len(before[nl+1:]),
		Char:   Len(before),
		Msg:    msg,
	}
}

func (d *decoder) space() {
	for d.at < len(d.text) {
		switch d.text[d.at] {
		case ' ', '\t', '\n', '\r':
			d.at++
		default:
			return
		}
	}
}

func (d *decoder) peek() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder) value(depth int) (Value, error) {
	switch c := d.peek(); {
	case c == '"':
		s, err := d.str()
		return String(s), err
	case c == '{' || c == '[':
		if depth >= d.limit {
			return Value{}, &DepthError{Offset: d.at, Limit: d.limit}
		}
		if c == '{' {
			return d.object(depth + 1)
		}
		return d.array(depth + 1)
	case c == '-' || '0' <= c && c <= '9':
		return d.number()
	}
	for _, l := range literals {
		if !strings.HasPrefix(d.text[d.at:], l.text) {
			continue
		}
		if d.strict && l.v.kind == KindFloat {
			return Value{}, d.fail("Expecting value (JSON has no "+l.text+")", d.at)
		}
		d.at += len(l.text)
		return l.v, nil
	}
	return Value{}, d.fail("Expecting value", d.at)
}

func (d *decoder) object(depth int) (Value, error) {
	o := &Object{}
	var spans map[string][2]int // where the members stand, if somebody asks
	d.at++
	if d.space(); d.peek() == '}' {
		d.at++
		return o.Value(), nil
	}
	for {
		if d.peek() != '"' {
			return Value{}, d.fail("Expecting property name enclosed in double quotes", d.at)
		}
		nameAt := d.at
		name, err := d.str()
		if err != nil {
			return Value{}, err
		}
		if d.strict {
			if _, has := o.Get(name); has {
				return Value{}, d.fail("Repeated name "+shortName(name), nameAt)
			}
		}
		if d.space(); d.peek() != ':' {
			return Value{}, d.fail("Expecting ':' delimiter", d.at)
		}
		d.at++
		d.space()
		v, err := d.value(depth)
		if err != nil {
			return Value{}, err
		}
		o.Set(name, v)
		if d.repeated != nil {
			if spans == nil {
				spans = map[string][2]int{}
			}
			if old, has := spans[name]; has {
				d.repeated(old[0], old[1])
			}
			spans[name] = [2]int{nameAt, d.at}
		}
		d.space()
		comma := d.at
		switch d.peek() {
		case '}':
			d.at++
			return o.Value(), nil
		case ',':
			d.at++
		default:
			return Value{}, d.fail("Expecting ',' delimiter", d.at)
		}
		if d.space(); d.peek() == '}' {
			return Value{}, d.fail("Illegal trailing comma before end of object", comma)
		}
	}
}

// shortName is a name as JSON; of a long one the beginning.
func shortName(name string) string {
	more := ""
	if n := 80; len(name) > n {
		for n > 0 && !utf8.RuneStart(name[n]) {
			n--
		}
		name, more = name[:n], "..."
	}
	return string(ToJSON.AppendString(nil, name)) + more
}

func (d *decoder) array(depth int) (Value, error) {
	a := &Array{}
	d.at++
	if d.space(); d.peek() == ']' {
		d.at++
		return a.Value(), nil
	}
	for {
		v, err := d.value(depth)
		if err != nil {
			return Value{}, err
		}
		a.items = append(a.items, v)
		d.space()
		comma := d.at
		switch d.peek() {
		case ']':
			d.at++
			return a.Value(), nil
		case ',':
			d.at++
		default:
			return Value{}, d.fail("Expecting ',' delimiter", d.at)
		}
		if d.space(); d.peek() == ']' {
			return Value{}, d.fail("Illegal trailing comma before end of array", comma)
		}
	}
}

// str reads a string literal; d.at stands on its opening quote.
func (d *decoder) str() (string, error) {
	open := d.at
	d.at++
	from := d.at
	var buf []byte // nil while the text has no escapes
	for {
		if d.at >= len(d.text) {
			return "", d.fail("Unterminated string starting at", open)
		}
		c := d.text[d.at]
		switch {
		case c == '"':
			s := d.text[from:d.at]
			d.at++
			if buf != nil {
				return string(append(buf, s...)), nil
			}
			return s, nil
		case c < 0x20:
			return "", d.fail("Invalid control character at", d.at)
		case c != '\\':
			d.at++
			continue
		}
		if buf == nil {
			buf = make([]byte, 0, d.at-from+16)
		}
		buf = append(buf, d.text[from:d.at]...)
		d.at++
		if d.at >= len(d.text) {
			return "", d.fail("Unterminated string starting at", open)
		}
		switch c := d.text[d.at]; c {
		case '"', '\\', '/':
			buf = append(buf, c)
		case 'b':
			buf = append(buf, '\b')
		case 'f':
			buf = append(buf, '\f')
		case 'n':
			buf = append(buf, '\n')
		case 'r':
			buf = append(buf, '\r')
		case 't':
			buf = append(buf, '\t')
		case 'u':
			r, ok := hex4(d.text[d.at+1:])
			if !ok {
				return "", d.fail(`Invalid \uXXXX escape`, d.at)
			}
			d.at += 4
			if r&0xfc00 == 0xd800 && strings.HasPrefix(d.text[d.at+1:], `\u`) {
				if low, ok := hex4(d.text[d.at+3:]); ok && low&0xfc00 == 0xdc00 {
					r = 0x10000 + (r-0xd800)<<10 + (low - 0xdc00)
					d.at += 6
				}
			}
			buf = AppendWTF8(buf, r)
		default:
			return "", d.fail(`Invalid \escape`, d.at-1)
		}
		d.at++
		from = d.at
	}
}

func hex4(s string) (r rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for i := range 4 {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// AppendWTF8 appends one code point, a surrogate as its three-byte form.
func AppendWTF8(dst []byte, r rune) []byte {
	if 0xd800 <= r && r <= 0xdfff {
		return append(dst, 0xed, 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f))
	}
	return utf8.AppendRune(dst, r)
}

func (d *decoder) number() (Value, error) {
	start := d.at
	at := start
	digit := func(i int) bool { return i < len(d.text) && '0' <= d.text[i] && d.text[i] <= '9' }
	if d.text[at] == '-' {
		at++
		if strings.HasPrefix(d.text[at:], "Infinity") {
			if d.strict {
				return Value{}, d.fail("Expecting value (JSON has no -Infinity)", start)
			}
			d.at = at + len("Infinity")
			return negInfinity, nil
		}
	}
	switch {
	case !digit(at):
		return Value{}, d.fail("Expecting value", start)
	case d.text[at] == '0':
		at++
	default:
		for digit(at) {
			at++
		}
	}
	isFloat := false
	if at < len(d.text) && d.text[at] == '.' && digit(at+1) {
		isFloat = true
		for at++; digit(at); at++ {
		}
	}
	if at < len(d.text) && d.text[at]|0x20 == 'e' {
		e := at + 1
		if e < len(d.text) && (d.text[e] == '+' || d.text[e] == '-') {
			e++
		}
		if digit(e) {
			isFloat = true
			for at = e; digit(at); at++ {
			}
		}
	}
	d.at = at
	lit := d.text[start:at]
	if isFloat {
		f, _ := strconv.ParseFloat(lit, 64) // out of range gives ±Inf or 0, as in Python
		if d.inexact != nil && !Exact(lit, f) {
			d.inexact(start, at)
		}
		return Float(f), nil
	}
	if i, err := strconv.ParseInt(lit, 10, 64); err == nil {
		return Int(i), nil
	}
	if n := len(strings.TrimPrefix(lit, "-")); n > MaxIntDigits {
		return Value{}, &DigitsError{Offset: start, Digits: n}
	}
	i, _ := new(big.Int).SetString(lit, 10)
	return BigInt(i), nil
}
