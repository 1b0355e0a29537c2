package response

import (
	"math"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// checkCall compares a call with the tools.
func (m *machine) checkCall(f *field, i int) {
	c := m.calls[i]
	name, args, ok := callParts(c.Value)
	if !ok {
		name, _ = c.Value.Get("function").Get("name").AsString()
		m.problem(harmony.BadArgs, c.Span, f.name, i, "the arguments are not an object")
	}
	if m.hasMarker(name) {
		m.problem(harmony.MarkerInName, c.Span, f.name, i, "the name %q holds a marker", name)
	}
	for key := range args.All() {
		if m.hasMarker(key) {
			m.problem(harmony.MarkerInName, c.Span, f.name, i, "the argument name %q holds a marker", key)
		}
	}
	if m.o.Tools.len() == 0 {
		return
	}
	m.checkTyped(f, i, args)
	t := m.o.Tools.byName[name]
	if t == nil {
		m.problem(harmony.UnknownAction, c.Span, f.name, i, "there is no tool %q", name)
		return
	}
	for _, key := range t.required {
		if _, has := args.Get(key); !has {
			m.problem(harmony.BadArgs, c.Span, f.name, i, "the argument %q is missing", key)
		}
	}
	for key, v := range args.All() {
		p, known := t.properties[key]
		switch {
		case !known && t.closed:
			m.problem(harmony.BadArgs, c.Span, f.name, i, "the tool has no argument %q", key)
		case known && !p.fits(v):
			m.problem(harmony.BadArgs, c.Span, f.name, i, "the argument %q is not of type %s", key, strings.Join(p.types, " or "))
		case known && p.enum != nil && !slices.ContainsFunc(p.enum, func(e value.Value) bool { return sameNumberOrValue(e, v) }):
			m.problem(harmony.BadArgs, c.Span, f.name, i, "the argument %q is none of the values it may have", key)
		}
	}
}

// fits tells whether a value is of one of the types; of a type that JSON schema
// does not know, every value is. A float that is whole is an integer, too.
func (p *property) fits(v value.Value) bool {
	if p.loose {
		return true
	}
	for _, t := range p.types {
		switch k := v.Kind(); t {
		case "string", "integer", "boolean", "null", "object", "array":
			if k.String() == t {
				return true
			}
			if f, ok := v.AsFloat(); ok && t == "integer" && f == math.Trunc(f) {
				return true
			}
		case "number":
			if k == value.KindInt || k == value.KindFloat {
				return true
			}
		default:
			return true
		}
	}
	return len(p.types) == 0
}

// sameNumberOrValue compares numbers by what they say, and all else whole.
func sameNumberOrValue(a, b value.Value) bool {
	f, ok1 := a.AsFloat()
	g, ok2 := b.AsFloat()
	i, ok3 := a.AsInt()
	j, ok4 := b.AsInt()
	return value.Equal(a, b) || ok1 && ok4 && f == float64(j) || ok2 && ok3 && g == float64(i)
}
