package response

import (
	"math/big"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// typed is an argument of which typing made something else than text.
type typed struct {
	name  string
	raw   string // as it was written
	value value.Value
	types []string
}

// noteTyped notes what typing made of an argument's text.
func (r *reading) noteTyped(args *value.Object, name, raw string, made value.Value, types []string) {
	if r.notes && made.Kind() != value.KindString {
		if r.typed == nil {
			r.typed = map[*value.Object][]typed{}
		}
		r.typed[args] = append(r.typed[args], typed{name, raw, made, types})
	}
}

// checkTyped tells what typing changed in the arguments of a call.
func (m *machine) checkTyped(f *field, call int, args *value.Object) {
	for _, t := range m.content.typed[args] {
		span := m.calls[call].Span
		if why := t.changed(); why != "" {
			m.problem(harmony.ValueChanged, span, f.name, call, "the argument %q %s: %q became %s", t.name, why, t.raw, value.Dumps(t.value))
		}
		if k := t.value.Kind(); k == value.KindObject || k == value.KindArray {
			// It was read once already; this time what a later member replaces is told.
			o := value.LoadOptions{MaxDepth: m.content.depth, Repeated: func(from, to int) {
				m.problem(harmony.BadArgs, span, f.name, call, "the argument %q has a key again; this value is lost: %s", t.name, t.raw[from:to])
			}}
			_, _ = o.Loads(t.raw)
		}
	}
}

// changed says how the value differs from what the text says, "" where it does
// not: what may be text became something else, or a number lost digits or was
// written as JSON writes none.
func (t *typed) changed() string {
	if slices.Contains(t.types, "string") {
		return "may be text"
	}
	if k := t.value.Kind(); k != value.KindInt && k != value.KindFloat {
		return ""
	}
	before, ok := number(value.Strip(t.raw))
	after, _ := number(value.Dumps(t.value))
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
