package response

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Tools are the tools a model may call, prepared once for any number of replies:
// the types of their arguments. They do not change and may be shared.
type Tools struct{ byName map[string]*tool }

// tool is what typing and checking need of one tool.
type tool struct {
	properties map[string]property
	required   []string
	closed     bool // additionalProperties is false
}

// property is one argument: the types that its schema declares, in order.
type property struct {
	types []string
	err   *Error // raised when the argument is typed
	loose bool   // some choice of its unions declares no type: anything may fit
	enum  []value.Value
}

// PrepareTools reads tool definitions, in OpenAI's form or as the bare function
// object. What is no such object is passed over, as the reference does; of two
// tools of one name the later counts.
func PrepareTools(defs []value.Value) *Tools {
	t := &Tools{byName: map[string]*tool{}}
	for _, def := range defs {
		fn, ok := def.AsObject()
		if !ok {
			continue
		}
		if f, has := fn.Get("function"); has {
			if fn, ok = f.AsObject(); !ok {
				continue
			}
		}
		v, _ := fn.Get("name")
		name, ok := v.AsString()
		if !ok {
			continue
		}
		params, _ := fn.Get("parameters")
		made := &tool{properties: map[string]property{}}
		if props, ok := params.Get("properties").AsObject(); ok {
			for key, schema := range props.All() {
				p := property{}
				p.types, p.err = schemaTypes(schema, 0)
				p.loose = isLoose(schema, 0)
				if a, ok := schema.Get("enum").AsArray(); ok {
					for _, v := range a.All() {
						p.enum = append(p.enum, v)
					}
				}
				made.properties[key] = p
			}
		}
		if a, ok := params.Get("required").AsArray(); ok {
			for _, v := range a.All() {
				if s, ok := v.AsString(); ok {
					made.required = append(made.required, s)
				}
			}
		}
		extra, isBool := params.Get("additionalProperties").AsBool()
		made.closed = isBool && !extra
		t.byName[name] = made
	}
	return t
}

func (t *Tools) len() int {
	if t == nil {
		return 0
	}
	return len(t.byName)
}

// schemaTypes lists the types that a schema declares (response-template-spec.md, section 10.3).
func schemaTypes(schema value.Value, depth int) (types []string, err *Error) {
	o, ok := schema.AsObject()
	if !ok {
		return nil, nil
	}
	if depth > value.MaxDepth {
		return nil, fail(KindDepth, "a schema is nested more than %d deep", value.MaxDepth)
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
		if !choices.Truthy() {
			continue
		}
		items, ok := iterate(choices)
		if !ok {
			return types, fail(KindType, "'%s' object is not iterable", choices.Kind().PyType())
		}
		for _, choice := range items {
			more, err := schemaTypes(choice, depth+1)
			if err != nil {
				return types, err
			}
			types = append(types, more...)
		}
	}
	if v, _ := o.Get("nullable"); v.Truthy() && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	return types, nil
}

// isLoose tells whether a union has a choice without types.
func isLoose(schema value.Value, depth int) bool {
	for _, union := range []string{"anyOf", "oneOf"} {
		a, _ := schema.Get(union).AsArray()
		for _, choice := range a.All() {
			if depth > value.MaxDepth || isLoose(choice, depth+1) {
				return true
			}
			if types, _ := schemaTypes(choice, depth+1); len(types) == 0 {
				return true
			}
		}
	}
	return false
}

// cast types the arguments of the calls in v, in place: every alias of the
// arguments sees it, as in the reference.
func (t *Tools) cast(v value.Value, r *reading) (value.Value, *Error) {
	if a, ok := v.AsArray(); ok {
		items := make([]value.Value, 0, a.Len())
		for _, item := range a.All() {
			made, err := t.cast(item, r)
			if err != nil {
				return v, err
			}
			items = append(items, made)
		}
		return value.List(items...), nil
	}
	name, args, ok := callParts(v)
	if !ok {
		return v, nil
	}
	tool := t.byName[name]
	if tool == nil {
		return v, nil
	}
	for i := range args.Len() {
		m := args.At(i)
		p, ok := tool.properties[m.Name]
		if !ok {
			continue
		}
		if p.err != nil {
			return v, p.err
		}
		if len(p.types) == 0 {
			continue
		}
		if s, ok := m.Value.AsString(); ok {
			made, err := coerce(s, p.types, r)
			if err != nil {
				return v, err
			}
			r.noteTyped(args, m.Name, s, made, p.types)
			args.Set(m.Name, made)
		} else if list, ok := m.Value.AsArray(); ok && !slices.Contains(p.types, "array") {
			items := make([]value.Value, 0, list.Len())
			for _, item := range list.All() {
				if s, ok := item.AsString(); ok {
					var err *Error
					if item, err = coerce(s, p.types, r); err != nil {
						return v, err
					}
					r.noteTyped(args, m.Name, s, item, p.types)
				}
				items = append(items, item)
			}
			args.Set(m.Name, value.List(items...))
		}
	}
	return v, nil
}

// callParts gives the name and arguments of a value that is a call.
func callParts(v value.Value) (name string, args *value.Object, ok bool) {
	fn, ok := v.Get("function").AsObject()
	if !ok {
		return "", nil, false
	}
	n, _ := fn.Get("name")
	a, _ := fn.Get("arguments")
	name, ok1 := n.AsString()
	args, ok2 := a.AsObject()
	return name, args, ok1 && ok2
}

// coerce tries the types in order; the first that fits wins, none leaves the
// text as it is (response-template-spec.md, section 10.4).
func coerce(raw string, types []string, r *reading) (value.Value, *Error) {
	for _, name := range types {
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
			v, err := value.LoadOptions{MaxDepth: r.depth}.Loads(raw)
			if err != nil {
				if e := asValueError(err); e.Kind == KindDepth {
					return v, e
				}
				continue
			}
			if v.Kind().String() == name {
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
