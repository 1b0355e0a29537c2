package typing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Property is what a tool's schema says of one argument.
type Property struct {
	types Types
	open  bool // some part of the schema allows what types does not tell
	enum  []value.Value

	// What the reference makes of the schema: fewer keywords, and an order.
	declared []string
	err      error
}

// SchemaError is a schema at which the reference raises an exception once the
// argument is given.
type SchemaError struct{ Msg string }

func (e *SchemaError) Error() string { return e.Msg }

// Class is the name of the exception.
func (e *SchemaError) Class() string { return "TypeError" }

// Types are the types that the schema allows: those of type, enum, const, anyOf,
// oneOf, allOf, nullable and a $ref into the same schema. None: it tells none.
func (p *Property) Types() Types { return p.types }

// Fits tells whether the schema allows a value, as far as its types and its own
// enum or const say.
func (p *Property) Fits(v value.Value) bool { return p.fault(v) == "" }

// fault says why the schema does not allow a value.
func (p *Property) fault(v value.Value) string {
	switch {
	case !p.open && p.types != 0 && !p.types.Fits(v):
		return "is not of type " + p.types.String()
	case p.enum != nil && !slices.ContainsFunc(p.enum, func(e value.Value) bool { return same(e, v) }):
		return "is none of the values it may have"
	}
	return ""
}

// same compares numbers by what they say, and all else whole.
func same(a, b value.Value) bool {
	f, ok1 := a.AsFloat()
	g, ok2 := b.AsFloat()
	i, ok3 := a.AsInt()
	j, ok4 := b.AsInt()
	return value.Equal(a, b) || ok1 && ok4 && f == float64(j) || ok2 && ok3 && g == float64(i)
}

// newProperty reads the schema of one argument; root is what its references
// begin at.
func newProperty(schema, root value.Value) *Property {
	p := &Property{}
	p.declared, p.err = declaredTypes(schema, 0)
	w := walk{root: root, seen: map[string]bool{}}
	p.types, p.open = w.types(schema, 0)
	for i := 0; i < value.MaxDepth && p.enum == nil; i++ {
		if a, ok := schema.Get("enum").AsArray(); ok {
			for _, v := range a.All() {
				p.enum = append(p.enum, v)
			}
		}
		if o, ok := schema.AsObject(); ok {
			if v, has := o.Get("const"); has {
				p.enum = []value.Value{v}
			}
		}
		ref, ok := schema.Get("$ref").AsString()
		if !ok {
			break
		}
		if schema, ok = w.find(ref); !ok {
			break
		}
	}
	return p
}

// walk collects the types of a schema (reply-syntaxes-spec.md, section 4).
type walk struct {
	root value.Value
	seen map[string]bool // the references followed: each is once
}

// types gives the types of a schema and its parts, and whether some part allows
// what they do not tell.
func (w *walk) types(schema value.Value, depth int) (t Types, open bool) {
	if depth > value.MaxDepth {
		return 0, true
	}
	add := func(name value.Value) {
		s, ok := name.AsString()
		if !ok {
			return
		}
		one, known := typeNamed(s)
		t |= one
		open = open || !known
	}
	declared := schema.Get("type")
	add(declared)
	if a, ok := declared.AsArray(); ok {
		for _, name := range a.All() {
			add(name)
		}
	}
	if a, ok := schema.Get("enum").AsArray(); ok {
		for _, v := range a.All() {
			t |= typeOf(v)
		}
	}
	if o, ok := schema.AsObject(); ok {
		if v, has := o.Get("const"); has {
			t |= typeOf(v)
		}
	}
	own := t != 0
	for _, key := range [...]string{"anyOf", "oneOf", "allOf"} {
		a, _ := schema.Get(key).AsArray()
		for _, part := range a.All() {
			more, any := w.types(part, depth+1)
			t |= more
			open = open || any || more == 0 && key != "allOf" && !own
		}
	}
	if ref, ok := schema.Get("$ref").AsString(); ok && !w.seen[ref] {
		w.seen[ref] = true
		target, found := w.find(ref)
		more, any := w.types(target, depth+1)
		t |= more
		open = open || any || !found
	}
	if schema.Get("nullable").Truthy() {
		t |= Null
	}
	return t, open
}

// find follows a reference within the schema: # and a JSON pointer.
func (w *walk) find(ref string) (value.Value, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || path != "" && path[0] != '/' {
		return value.Value{}, false
	}
	v := w.root
	for step := range strings.SplitSeq(path, "/") {
		if step == "" {
			continue
		}
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if o, isObject := v.AsObject(); isObject {
			if v, ok = o.Get(name); !ok {
				return v, false
			}
			continue
		}
		a, _ := v.AsArray()
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= a.Len() {
			return v, false
		}
		v = a.At(i)
	}
	return v, true
}

// declaredTypes lists the types of a schema as the reference does
// (response-template-spec.md, section 10.3).
func declaredTypes(schema value.Value, depth int) (types []string, err error) {
	o, ok := schema.AsObject()
	if !ok {
		return nil, nil
	}
	if depth > value.MaxDepth {
		return nil, &value.DepthError{Limit: value.MaxDepth}
	}
	declared, _ := o.Get("type")
	if s, ok := declared.AsString(); ok {
		types = append(types, s)
	} else if a, ok := declared.AsArray(); ok {
		for _, v := range a.All() {
			if s, ok := v.AsString(); ok {
				types = append(types, s)
			}
		}
	}
	for _, union := range []string{"anyOf", "oneOf"} {
		choices, _ := o.Get(union)
		switch choices.Kind() {
		case value.KindArray:
			a, _ := choices.AsArray()
			for _, choice := range a.All() {
				more, err := declaredTypes(choice, depth+1)
				if err != nil {
					return types, err
				}
				types = append(types, more...)
			}
		case value.KindObject, value.KindString: // what iterating over them gives is text, and no schema
		default:
			if choices.Truthy() {
				return types, &SchemaError{fmt.Sprintf("'%s' object is not iterable", choices.Kind().PyType())}
			}
		}
	}
	if v, _ := o.Get("nullable"); v.Truthy() && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	return types, nil
}
