package typing

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Tools are the tools a model may call, prepared once for any number of replies:
// the types of their arguments. They do not change and may be shared. nil is no
// tools.
type Tools struct{ byName map[string]*Tool }

// Tool is what typing and checking need of one tool.
type Tool struct {
	properties map[string]*Property
	required   []string
	closed     bool // additionalProperties is false
}

// Prepare reads tool definitions, in OpenAI's form or as the bare function
// object. What is no such object is passed over, as the reference does; of two
// tools of one name the later counts. The cost is linear in the size of a schema:
// where its parts refer to one another so often that it would be more, nothing is
// said of the arguments that are left, beyond what the reference reads of them.
func Prepare(defs []value.Value) *Tools {
	t := &Tools{byName: map[string]*Tool{}}
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
		if name, ok := v.AsString(); ok {
			params, _ := fn.Get("parameters")
			t.byName[name] = newTool(params)
		}
	}
	return t
}

func newTool(params value.Value) *Tool {
	t := &Tool{properties: map[string]*Property{}}
	if props, ok := params.Get("properties").AsObject(); ok {
		w := newWalk(params)
		for key, schema := range props.All() {
			t.properties[key] = w.property(schema)
		}
	}
	if a, ok := params.Get("required").AsArray(); ok {
		for _, v := range a.All() {
			if s, ok := v.AsString(); ok {
				t.required = append(t.required, s)
			}
		}
	}
	extra, isBool := params.Get("additionalProperties").AsBool()
	t.closed = isBool && !extra
	return t
}

// Len is the number of tools.
func (t *Tools) Len() int {
	if t == nil {
		return 0
	}
	return len(t.byName)
}

// Get gives the tool of that name, nil for none.
func (t *Tools) Get(name string) *Tool {
	if t == nil {
		return nil
	}
	return t.byName[name]
}

// Property gives what the schema says of an argument, nil where it has none of
// that name.
func (t *Tool) Property(name string) *Property {
	if t == nil {
		return nil
	}
	return t.properties[name]
}

// Type types the arguments of a call, in place, by a policy. told, if not nil, is
// told of each text that became something else. A nil Tool leaves all as it is.
func (t *Tool) Type(args *value.Object, policy Policy, o Options, told func(Change)) error {
	if t == nil {
		return nil
	}
	for i := range args.Len() {
		m := args.At(i)
		p, ok := t.properties[m.Name]
		if !ok {
			continue
		}
		v, err := policy.Type(m.Value, p, o)
		if err != nil {
			return err
		}
		if told != nil {
			tellChanges(told, m.Name, m.Value, v, p)
		}
		args.Set(m.Name, v)
	}
	return nil
}

// Check tells, in words, of each argument that the tool would not take: one that
// is missing, one that it does not have, and one whose value its schema does not
// allow. A nil Tool takes all.
func (t *Tool) Check(args *value.Object, tell func(what string)) {
	if t == nil {
		return
	}
	for _, name := range t.required {
		if _, has := args.Get(name); !has {
			tell(fmt.Sprintf("the argument %q is missing", name))
		}
	}
	for name, v := range args.All() {
		p, known := t.properties[name]
		switch {
		case known:
			if why := p.fault(v); why != "" {
				tell(fmt.Sprintf("the argument %q %s", name, why))
			}
		case t.closed:
			tell(fmt.Sprintf("the tool has no argument %q", name))
		}
	}
}
