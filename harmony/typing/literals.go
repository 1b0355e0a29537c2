package typing

import (
	"math"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Literals is the policy of the formats whose templates write a value as JSON or
// as Python prints it: Qwen3-Coder, MiMo, GLM, DSML and others
// (reply-syntaxes-spec.md, section 4, "Typing text values"). It has no errors.
//
//  1. Without types, or with none but string, the text stays: it is never decoded.
//  2. Else, without the space around it, it may be JSON;
//  3. or a literal of Python ([Literal]); both count if they are no text and of
//     one of the types;
//  4. or true, false, null or none, in any case, if the type fits.
//  5. Else the text stays; where no text may be, [Tool.Check] says so.
type Literals struct{}

// literalDepth is the deepest nesting that reply-syntaxes-spec.md allows.
const literalDepth = 512

// Type types a text; of a list, where the types allow none, each text in it.
func (Literals) Type(v value.Value, p *Property, o Options) (value.Value, error) {
	if p.types|String == String {
		return v, nil
	}
	o.Depth = min(o.depth(), literalDepth)
	return texts(v, !p.types.Has(Array), func(s string) (value.Value, error) {
		return literal(s, p.types, o), nil
	})
}

func literal(text string, types Types, o Options) value.Value {
	fits := func(v value.Value) bool {
		return v.Kind() != value.KindString && types.Fits(v) && finite(v)
	}
	from, to := trimmed(text)
	x := text[from:to]
	// What is lost is told only of the reading that counts.
	var losses []func()
	watch := func(told func(start, end int)) func(start, end int) {
		if told == nil {
			return nil
		}
		return func(start, end int) { losses = append(losses, func() { told(from+start, from+end) }) }
	}
	in := Options{Depth: o.Depth, Repeated: watch(o.Repeated), Inexact: watch(o.Inexact)}
	take := func(v value.Value) value.Value {
		for _, tell := range losses {
			tell()
		}
		return v
	}
	o.looked(x)
	if v, err := (value.LoadOptions{MaxDepth: in.Depth, Repeated: in.Repeated, Inexact: in.Inexact}).Loads(x); err == nil && fits(v) {
		return take(v)
	}
	losses = nil
	o.looked(x)
	if v, n, err := Literal(x, in); err == nil && n == len(x) && fits(v) {
		return take(v)
	}
	switch word := lower(x); {
	case types.Has(Boolean) && (word == "true" || word == "false"):
		return value.Bool(word == "true")
	case types.Has(Null) && (word == "null" || word == "none"):
		return value.Null()
	}
	return value.String(text)
}

// finite tells whether JSON can write all numbers of a value.
func finite(v value.Value) bool {
	if f, ok := v.AsFloat(); ok {
		return !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	if a, ok := v.AsArray(); ok {
		for _, item := range a.All() {
			if !finite(item) {
				return false
			}
		}
	}
	if o, ok := v.AsObject(); ok {
		for _, item := range o.All() {
			if !finite(item) {
				return false
			}
		}
	}
	return true
}

const space = " \t\r\n"

// trimmed gives where a text without the space around it begins and ends.
func trimmed(text string) (from, to int) {
	rest := strings.TrimLeft(text, space)
	from = len(text) - len(rest)
	return from, from + len(strings.TrimRight(rest, space))
}

// lower writes the letters of ASCII small, of a word that may be a constant.
func lower(word string) string {
	if len(word) > len("false") {
		return word
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, word)
}
