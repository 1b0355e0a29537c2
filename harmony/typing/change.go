package typing

import (
	"math/big"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Change is an argument, or an item of its list, of which typing made something
// else than text.
type Change struct {
	Name     string // of the argument
	Text     string // as it was written
	Value    value.Value
	Property *Property
}

// tellChanges compares an argument before and after typing.
func tellChanges(told func(Change), name string, before, after value.Value, p *Property) {
	if s, ok := before.AsString(); ok {
		if after.Kind() != value.KindString {
			told(Change{name, s, after, p})
		}
		return
	}
	old, ok1 := before.AsArray()
	list, ok2 := after.AsArray()
	if !ok1 || !ok2 || old == list || old.Len() != list.Len() {
		return
	}
	for i, item := range old.All() {
		if s, ok := item.AsString(); ok && list.At(i).Kind() != value.KindString {
			told(Change{name, s, list.At(i), p})
		}
	}
}

// Loss says how the value differs from what the text says, "" where it does not:
// what may be text became something else, or a number lost digits or was written
// as JSON writes none.
func (c *Change) Loss() string {
	if c.Property.types.Has(String) {
		return "may be text"
	}
	if k := c.Value.Kind(); k != value.KindInt && k != value.KindFloat {
		return ""
	}
	before, ok := number(value.Strip(c.Text))
	after, _ := number(value.Dumps(c.Value))
	switch {
	case !ok:
		return "is not written as a number"
	case before != after:
		return "lost digits"
	}
	return ""
}

// decimal is a number as its sign and digits, without zeros at either end, and
// the power of ten of the last one.
type decimal struct {
	negative bool
	digits   string
	exponent string
}

// number reads a number as JSON writes one. Zero has no sign here: -0 is an
// integer to Python, and 0.
func number(text string) (d decimal, ok bool) {
	s, negative := strings.CutPrefix(text, "-")
	d.negative = negative
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	if !isDigits(whole) || whole[0] == '0' && whole != "0" || hasPoint && !isDigits(fraction) {
		return d, false
	}
	exp := &big.Int{}
	if hasExponent {
		if !isDigits(strings.TrimLeft(exponent, "+-")) || len(exponent) > 20 {
			return d, false
		}
		if _, ok := exp.SetString(exponent, 10); !ok {
			return d, false
		}
	}
	exp.Sub(exp, big.NewInt(int64(len(fraction))))
	digits := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(digits, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	d.exponent = exp.Add(exp, big.NewInt(int64(len(digits)-len(d.digits)))).String()
	return d, true
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
