package response

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Tools are the tools a model may call, prepared once for any number of replies.
type Tools = typing.Tools

// PrepareTools reads tool definitions, such as the Def of each
// [harmony.ToolDef]: see [typing.Prepare].
func PrepareTools(defs []value.Value) *Tools { return typing.Prepare(defs) }

// cast types the arguments of the calls in v, in place: every alias of the
// arguments sees it, as in the reference (response-template-spec.md, section 10.2).
func (m *machine) cast(v value.Value) (value.Value, *Error) {
	if a, ok := v.AsArray(); ok {
		items := make([]value.Value, 0, a.Len())
		for _, item := range a.All() {
			made, err := m.cast(item)
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
	var told func(typing.Change)
	if m.o.Problems {
		told = func(c typing.Change) {
			if m.record.typed == nil {
				m.record.typed = map[*value.Object][]typing.Change{}
			}
			m.record.typed[args] = append(m.record.typed[args], c)
		}
	}
	err := m.o.Tools.Get(name).Type(args, m.o.Typing, typing.Options{Depth: m.o.Limits.Depth, Steps: &m.steps}, told)
	return v, asValueError(err)
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

// noteTyped tells what typing changed in the arguments of a call.
func (m *machine) noteTyped(f *field, call int, args *value.Object) {
	span := m.calls[call].Span
	for _, c := range m.record.typed[args] {
		if why := c.Loss(); why != "" {
			m.problem(harmony.ValueChanged, span, f.name, call, "the argument %q %s: %q became %s", c.Name, why, c.Text, value.Dumps(c.Value))
		}
		// It was read once already; this time what a later member replaces is told.
		o := typing.Options{Depth: m.o.Limits.Depth, Steps: &m.steps, Repeated: func(from, to int) {
			m.problem(harmony.BadArgs, span, f.name, call, "the argument %q has a key again; this value is lost: %s", c.Name, short(c.Text[from:to]))
		}}
		if k := c.Value.Kind(); k == value.KindArray || k == value.KindObject {
			o.Inexact = func(from, to int) {
				m.problem(harmony.ValueChanged, span, f.name, call, "in the argument %q a number lost digits: %s", c.Name, short(c.Text[from:to]))
			}
		}
		_, _ = m.o.Typing.Type(value.String(c.Text), c.Property, o)
	}
}
