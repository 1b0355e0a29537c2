package value

import (
	"math/big"
	"strings"
)

// Decimal is what a number of JSON says, in a form to compare: its sign, its
// digits without zeros at either end, and the power of ten of the last one. Zero
// has no sign: -0 is an integer to Python, and 0.
type Decimal struct {
	negative bool
	digits   string
	exponent string
}

// Exact tells whether a float is the number that a text writes as JSON does, with
// no digit lost.
func Exact(text string, f float64) bool {
	before, ok1 := ParseDecimal(text)
	after, ok2 := ParseDecimal(string(AppendFloat(nil, f)))
	return ok1 && ok2 && before == after
}

// ParseDecimal reads a number as JSON writes one, whatever its size.
func ParseDecimal(text string) (d Decimal, ok bool) {
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
		return Decimal{}, true
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
