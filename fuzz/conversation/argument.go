package conversation

import (
	"math"
	"math/big"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// argumentNames are keys of schemas and of arguments.
var argumentNames = []string{"city", "days", "a", "b", "unit", "flag", "items", "é", "x1", "key with space", "a<b", "name", "ключ", "a=1", "<|end|>", "&amp;", "$ref", "properties"}

// quoted are names that break a tag, or a line of a declaration.
var quoted = []string{"", `a"b`, "a\nb", "\n", `"`}

// callArguments are the arguments of one call: those of the tool's schema and
// others.
func (m *maker) callArguments(t tool) value.Value {
	if m.wrong(8) {
		m.seen("arguments=misfit")
		return fuzz.Pick(m.s, parse(`"{\"a\": 1}"`), parse(`""`), parse("[]"), parse("5"), parse("false"), parse(`[["a", 1]]`), parse("0"))
	}
	o := &value.Object{}
	for _, p := range t.properties {
		switch {
		case m.s.OneIn(4):
		case m.s.OneIn(8) && !m.plain:
			m.seen("argument=not of its type")
			o.Set(p.name, m.value(0))
		default:
			m.seen("argument=typed")
			o.Set(p.name, m.valueOf(p.schema, 0))
		}
	}
	more := m.s.N(4)
	if len(t.properties) > 0 {
		more = max(0, more-2) // half of the calls keep to the schema
	}
	if m.plain {
		more = 0
	}
	for range more {
		m.seen("argument=not in the schema")
		o.Set(fuzz.Pick(m.s, argumentNames...), m.value(0))
	}
	if m.wrong(10) {
		m.seen("argument=name misfit")
		o.Set(fuzz.Pick(m.s, quoted...), m.value(0))
	}
	return o.Value()
}

// value makes any value.
func (m *maker) value(depth int) value.Value {
	n := m.s.N(10)
	if depth > 3 && n > 6 {
		n = 0
	}
	switch {
	case n < 4:
		return m.string()
	case n == 4:
		return m.int()
	case n == 5:
		return m.float()
	case n == 6:
		m.seen("value=literal")
		return fuzz.Pick(m.s, value.Bool(true), value.Bool(false), value.Null())
	case n < 9:
		m.seen("value=list")
		items := make([]value.Value, m.s.N(4))
		for i := range items {
			items[i] = m.value(depth + 1)
		}
		return value.List(items...)
	}
	m.seen("value=object")
	o := &value.Object{}
	for n := m.s.N(4); n > 0; n-- {
		o.Set(fuzz.Pick(m.s, append(argumentNames, quoted...)...), m.value(depth+1))
	}
	return o.Value()
}

// string makes a string: often one that is read as something else once it is
// written.
func (m *maker) string() value.Value {
	m.seen("value=string")
	switch m.s.N(4) {
	case 2:
		m.seen("value=text like a value")
		return value.String(fuzz.Pick(m.s, "7", "007", "1_000", "+5", "٣", "1.0", "1e3", "NaN", "true", "True", "null", "None", "[1]", "{}", `{"a": 1}`, `"x"`, " 7 ", "7\n",
			"-0", "9007199254740993", "1e400", "inf", "", "[", `"`, "&lt;b&gt;", "&amp;amp;", "%20", `\n`, `\u0041`, "it's"))
	case 3:
		m.seen("value=space around")
		return value.String(fuzz.Pick(m.s, "\n", "", " ", "\n\n", "\r\n", "\t", "\u00a0") + m.text(closeParameter) + fuzz.Pick(m.s, "\n", "\n\n", "", " ", "\r\n", "\u2028"))
	}
	return value.String(m.text(closeParameter))
}

func (m *maker) int() value.Value {
	m.seen("value=integer")
	if m.s.OneIn(5) {
		m.seen("value=big integer")
		n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(15+m.s.N(60))), nil)
		return value.BigInt(n.Sub(n, big.NewInt(int64(m.s.N(7)))))
	}
	return value.Int(fuzz.Pick[int64](m.s, 0, 1, -1, 7, 42, 1<<53+1, math.MaxInt64, math.MinInt64))
}

func (m *maker) float() value.Value {
	m.seen("value=float")
	if m.s.OneIn(12) {
		m.seen("value=not finite")
		return value.Float(fuzz.Pick(m.s, math.NaN(), math.Inf(1), math.Inf(-1)))
	}
	if m.s.OneIn(3) {
		return value.Float(math.Ldexp(float64(m.s.N(1<<20)), m.s.N(200)-100))
	}
	return value.Float(fuzz.Pick(m.s, 0, math.Copysign(0, -1), 1, 1.5, -2.25, 1e16, 1e22, 1e-7, 0.1, 1e300, 5e-324, 9007199254740993))
}

// valueOf makes a value that a schema allows, any where it says nothing.
func (m *maker) valueOf(schema value.Value, depth int) value.Value {
	if list, ok := schema.Get("enum").AsArray(); ok && list.Len() > 0 {
		return list.At(m.s.N(list.Len()))
	}
	if o, ok := schema.AsObject(); ok {
		if v, ok := o.Get("const"); ok {
			return v
		}
	}
	if schema.Get("nullable").Truthy() && m.s.OneIn(4) {
		return value.Null()
	}
	kind, _ := schema.Get("type").AsString()
	for _, key := range []string{"type", "anyOf", "oneOf"} {
		if list, ok := schema.Get(key).AsArray(); ok && list.Len() > 0 {
			one := list.At(m.s.N(list.Len()))
			if key != "type" {
				return m.valueOf(one, depth+1)
			}
			kind, _ = one.AsString()
		}
	}
	switch kind {
	case "string":
		return m.string()
	case "integer":
		return m.int()
	case "number":
		if m.s.OneIn(2) {
			return m.int()
		}
		return m.float()
	case "boolean":
		return value.Bool(m.s.OneIn(2))
	case "null":
		return value.Null()
	case "array":
		m.seen("value=list")
		items := make([]value.Value, m.s.N(4))
		for i := range items {
			items[i] = m.valueOf(schema.Get("items"), depth+1)
		}
		return value.List(items...)
	case "object":
		m.seen("value=object")
		out := &value.Object{}
		properties, _ := schema.Get("properties").AsObject()
		for name, sub := range properties.All() {
			if !m.s.OneIn(3) {
				out.Set(name, m.valueOf(sub, depth+1))
			}
		}
		return out.Value()
	}
	return m.value(depth + 1)
}
