package beam

import (
	"math"

	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Effort is the reasoning effort of a request: a label, an integer, or whatever
// was sent. The zero value is Beam's default, 512.
type Effort struct{ sent value.Value }

// The labels of the page, "Reasoning effort".
var (
	Minimal = EffortOf(value.String("minimal"))
	Low     = EffortOf(value.String("low"))
	Medium  = EffortOf(value.String("medium"))
	High    = EffortOf(value.String("high"))
	XHigh   = EffortOf(value.String("xhigh"))
	Max     = EffortOf(value.String("max"))
)

// EffortInt is an effort as an integer. Beam does not respect one below 8.
func EffortInt(n int64) Effort { return EffortOf(value.Int(n)) }

// EffortOf is an effort as it was sent. Only integers, the six labels and null
// can be rendered.
func EffortOf(v value.Value) Effort { return Effort{sent: v} }

// Value gives what was sent, null where nothing was.
func (e Effort) Value() value.Value { return e.sent }

const defaultEffort = 512

// number gives the integer that the prompt shows.
func (e Effort) number(decision decide.EffortType) (value.Value, *Error) {
	switch e.sent.Kind() {
	case value.KindNull:
		return value.Int(defaultEffort), nil
	case value.KindInt:
		return e.sent, nil
	case value.KindString:
		label, _ := e.sent.AsString()
		switch label {
		case "minimal":
			return value.Int(8), nil
		case "low":
			return value.Int(32), nil
		case "medium":
			return value.Int(64), nil
		case "high":
			return value.Int(128), nil
		case "xhigh":
			return value.Int(256), nil
		case "max":
			return value.Int(512), nil
		}
	case value.KindBool, value.KindFloat:
		if decision == decide.EffortTypeWrite {
			return value.String(pythonText(e.sent)), nil
		}
	}
	return value.Value{}, refuse("reasoning_effort", "reasoning_effort must be an int or one of: minimal, low, medium, high, xhigh, max")
}

// pythonText is Python's str of a boolean or a float.
func pythonText(v value.Value) string {
	if b, ok := v.AsBool(); ok {
		if b {
			return "True"
		}
		return "False"
	}
	f, _ := v.AsFloat()
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return string(value.AppendFloat(nil, f))
}
