package typing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// walk reads the schemas of one tool's arguments (reply-syntaxes-spec.md, section
// 4). Each of them may refer to parts of the whole that others refer to, so that
// reading them costs up to the square of its size: the walk has an end, behind
// which nothing is said of an argument.
type walk struct {
	root  value.Value
	left  int             // how much may still be looked at
	seen  map[string]bool // the references followed for an argument: each is once
	enums map[*value.Array]*enum
}

// The share of the schema's size that may be looked at, and what may be anyway.
const walkFactor, walkLeast = 16, 10_000

func newWalk(root value.Value) *walk {
	return &walk{root: root, left: walkLeast + walkFactor*size(root), seen: map[string]bool{}, enums: map[*value.Array]*enum{}}
}

// size is about how much there is to look at in a value: one for each value and
// for 16 bytes of text.
func size(v value.Value) int {
	n := 1
	if s, ok := v.AsString(); ok {
		n += len(s) / 16
	}
	if a, ok := v.AsArray(); ok {
		for _, item := range a.All() {
			n += size(item)
		}
	}
	if o, ok := v.AsObject(); ok {
		for name, item := range o.All() {
			n += len(name)/16 + size(item)
		}
	}
	return n
}

// property reads the schema of one argument.
func (w *walk) property(schema value.Value) *Property {
	p := &Property{}
	p.declared, p.err = declaredTypes(nil, schema, 0)
	clear(w.seen)
	p.types, p.open = w.types(schema, 0)
	clear(w.seen)
	p.enum = w.enum(schema)
	return p
}

// types gives the types of a schema and its parts, and whether some part allows
// what they do not tell.
func (w *walk) types(schema value.Value, depth int) (t Types, open bool) {
	w.left--
	if depth > value.MaxDepth || w.left < 0 {
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
		w.left -= a.Len()
		for _, name := range a.All() {
			add(name)
		}
	}
	if a, ok := schema.Get("enum").AsArray(); ok {
		w.left -= a.Len()
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
	if target, ok, first := w.follow(schema); first {
		more, any := w.types(target, depth+1)
		t |= more
		open = open || any || !ok
	}
	if schema.Get("nullable").Truthy() {
		t |= Null
	}
	return t, open
}

// enum gives the values of a schema's enum or const, or of the one it refers to.
func (w *walk) enum(schema value.Value) *enum {
	for {
		if o, ok := schema.AsObject(); ok {
			if v, has := o.Get("const"); has {
				only, _ := value.List(v).AsArray()
				return newEnum(only)
			}
		}
		if a, ok := schema.Get("enum").AsArray(); ok && a.Len() > 0 {
			e := w.enums[a]
			if e == nil {
				e = newEnum(a)
				w.enums[a] = e
			}
			return e
		}
		target, ok, first := w.follow(schema)
		if !ok || !first {
			return nil
		}
		schema = target
	}
}

// follow gives what a schema refers to, if it is there; first tells whether there
// is a reference that was not followed yet.
func (w *walk) follow(schema value.Value) (target value.Value, ok, first bool) {
	ref, isText := schema.Get("$ref").AsString()
	w.left -= 1 + len(ref)/16
	if !isText || w.seen[ref] || w.left < 0 {
		return value.Value{}, false, isText && w.left < 0
	}
	w.seen[ref] = true
	target, ok = w.find(ref)
	return target, ok, true
}

var pointer = strings.NewReplacer("~1", "/", "~0", "~")

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
		name := pointer.Replace(step)
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

// declaredTypes adds the types that a schema declares, each once, in the order in
// which the reference tries them (response-template-spec.md, section 10.3).
func declaredTypes(types []string, schema value.Value, depth int) ([]string, error) {
	o, ok := schema.AsObject()
	if !ok {
		return types, nil
	}
	if depth > value.MaxDepth {
		return types, &value.DepthError{Limit: value.MaxDepth}
	}
	add := func(name string) {
		if _, known := typeNamed(name); known && !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	declared, _ := o.Get("type")
	if s, ok := declared.AsString(); ok {
		add(s)
	} else if a, ok := declared.AsArray(); ok {
		for _, v := range a.All() {
			if s, ok := v.AsString(); ok {
				add(s)
			}
		}
	}
	for _, union := range []string{"anyOf", "oneOf"} {
		choices, _ := o.Get(union)
		switch choices.Kind() {
		case value.KindArray:
			a, _ := choices.AsArray()
			for _, choice := range a.All() {
				var err error
				if types, err = declaredTypes(types, choice, depth+1); err != nil {
					return types, err
				}
			}
		case value.KindObject, value.KindString: // what iterating over them gives is text, and no schema
		default:
			if choices.Truthy() {
				return types, &SchemaError{fmt.Sprintf("'%s' object is not iterable", choices.Kind().PyType())}
			}
		}
	}
	if v, _ := o.Get("nullable"); v.Truthy() {
		add("null")
	}
	return types, nil
}
