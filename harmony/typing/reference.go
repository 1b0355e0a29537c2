package typing

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Reference is the policy of transformers' response templates: the declared
// types are tried in order, the first that takes the text wins, and text that
// none takes stays. That text may be text too does not stop it
// (response-template-spec.md, sections 10.2 to 10.4). Its errors are a
// *[SchemaError] and a *[value.DepthError].
type Reference struct{}

// Type types a text; of a list, where no list is declared, each text in it.
func (Reference) Type(v value.Value, p *Property, o Options) (value.Value, error) {
	if p.err != nil || len(p.declared) == 0 {
		return v, p.err
	}
	return texts(v, !slices.Contains(p.declared, "array"), func(s string) (value.Value, error) {
		return coerce(s, p.declared, o)
	})
}

func coerce(raw string, types []string, o Options) (value.Value, error) {
	for _, name := range types {
		o.looked(raw)
		switch name {
		case "integer":
			if v, err := value.ParseInt(raw); err == nil {
				return v, nil
			}
			if f, err := value.ParseFloat(raw); err == nil {
				if v, ok := integral(f); ok {
					return v, nil
				}
			}
		case "number":
			f, err := value.ParseFloat(raw)
			if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
				continue
			}
			if v, ok := integral(f); ok && !strings.Contains(raw, ".") {
				return v, nil
			}
			return value.Float(f), nil
		case "boolean":
			switch s := strings.ToLower(value.Strip(raw)); s {
			case "true", "1":
				return value.Bool(true), nil
			case "false", "0":
				return value.Bool(false), nil
			}
		case "null":
			if s := value.Strip(raw); s == "null" || s == "None" {
				return value.Null(), nil
			}
		case "object", "array":
			v, err := value.LoadOptions{MaxDepth: o.Depth, Repeated: o.Repeated, Inexact: o.Inexact}.Loads(raw)
			if _, deep := err.(*value.DepthError); deep {
				return v, err
			}
			if err == nil && v.Kind().String() == name {
				return v, nil
			}
		}
	}
	return value.String(raw), nil
}

// integral gives the integer that a float is, if it is one.
func integral(f float64) (value.Value, bool) {
	if math.IsInf(f, 0) || math.IsNaN(f) || f != math.Trunc(f) {
		return value.Value{}, false
	}
	i, _ := new(big.Float).SetFloat64(f).Int(nil)
	return value.BigInt(i), true
}
