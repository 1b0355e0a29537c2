package openai

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// NOTE: The template looks at values of any type with Jinja's operators, and what
// it cannot do with one is an error with Python's text. dynamic is such a value;
// its operations are those that the template uses, each as Jinja has it in
// Transformers' sandbox.
//
//	x.name, x["name"]    attr       may be undefined; of an undefined value an error
//	x + y                writer.add both sides a text, else an error
//	x in y               contains
//	if x                 truthy
//	{{ x }}              writer.print

// dynamic is a value that a template sees.
type dynamic struct {
	value.Value
	undefined string // what Jinja says of a value that is not there; "" of one that is
}

func defined(v value.Value) dynamic { return dynamic{Value: v} }

func missing(message string) dynamic { return dynamic{undefined: message} }

// isDefined is Jinja's test of that name.
func (d dynamic) isDefined() bool { return d.undefined == "" }

// truthy is Python's truth.
func (d dynamic) truthy() bool { return d.isDefined() && d.Truthy() }

// is tells whether the value is the text.
func (d dynamic) is(text string) bool {
	s, ok := d.AsString()
	return ok && d.isDefined() && s == text
}

// undefinedError is what an operation on an undefined value raises.
func undefinedError(path, message string) *template.Error {
	return &template.Error{Class: "UndefinedError", Message: message, Path: path}
}

// noAttribute is what Jinja says of an attribute that a value does not have.
func noAttribute(v value.Value, name string) string {
	if v.IsNull() {
		return "'None' has no attribute '" + name + "'"
	}
	return "'" + v.Kind().PyType() + " object' has no attribute '" + name + "'"
}

// attr is x.name, and x["name"] for a name that Python's own types do not have.
func (w *writer) attr(d dynamic, name string) (dynamic, error) {
	if !d.isDefined() {
		return d, undefinedError(w.where(), d.undefined)
	}
	if o, ok := d.AsObject(); ok {
		if v, has := o.Get(name); has {
			return defined(v), nil
		}
	}
	return missing(noAttribute(d.Value, name)), nil
}

// first is x[0].
func (w *writer) first(d dynamic) (dynamic, error) {
	if !d.isDefined() {
		return d, undefinedError(w.where(), d.undefined)
	}
	if a, ok := d.AsArray(); ok && a.Len() > 0 {
		return defined(a.At(0)), nil
	}
	if s, ok := d.AsString(); ok && s != "" {
		_, size := value.DecodeWTF8(s)
		return defined(value.String(s[:size])), nil
	}
	if d.IsNull() {
		return missing("None has no element 0"), nil
	}
	return missing(d.Kind().PyType() + " object has no element 0"), nil
}

// contains is text in x.
func (w *writer) contains(d dynamic, text string) (bool, error) {
	if !d.isDefined() {
		return false, nil // it is iterated, and has no item
	}
	if s, ok := d.AsString(); ok {
		return strings.Contains(s, text), nil
	}
	if a, ok := d.AsArray(); ok {
		for _, item := range a.All() {
			if defined(item).is(text) {
				return true, nil
			}
		}
		return false, nil
	}
	if o, ok := d.AsObject(); ok {
		_, has := o.Get(text)
		return has, nil
	}
	return false, template.TypeError(w.where(), "argument of type '%s' is not a container or iterable", d.Kind().PyType())
}

// each calls f with what iterating x gives.
func (w *writer) each(d dynamic, f func(i, n int, item dynamic) error) error {
	if !d.isDefined() {
		return nil
	}
	if a, ok := d.AsArray(); ok {
		for i, item := range a.All() {
			if err := f(i, a.Len(), defined(item)); err != nil {
				return err
			}
		}
		return nil
	}
	if o, ok := d.AsObject(); ok {
		for i := range o.Len() {
			if err := f(i, o.Len(), defined(value.String(o.At(i).Name))); err != nil {
				return err
			}
		}
		return nil
	}
	s, ok := d.AsString()
	if !ok {
		return template.TypeError(w.where(), "'%s' object is not iterable", d.Kind().PyType())
	}
	n := value.Len(s)
	for i := 0; s != ""; i++ {
		_, size := value.DecodeWTF8(s)
		if err := f(i, n, defined(value.String(s[:size]))); err != nil {
			return err
		}
		s = s[size:]
	}
	return nil
}

// items calls f with the members of x.items().
func (w *writer) items(d dynamic, f func(i, n int, name string, v dynamic) error) error {
	if !d.isDefined() {
		return undefinedError(w.where(), d.undefined)
	}
	o, ok := d.AsObject()
	if !ok {
		return undefinedError(w.where(), noAttribute(d.Value, "items"))
	}
	for i := range o.Len() {
		m := o.At(i)
		if err := f(i, o.Len(), m.Name, defined(m.Value)); err != nil {
			return err
		}
	}
	return nil
}

// add writes x of text + x.
func (w *writer) add(d dynamic) error {
	switch s, ok := d.AsString(); {
	case !d.isDefined():
		return undefinedError(w.where(), d.undefined)
	case !ok:
		return template.TypeError(w.where(), `can only concatenate str (not "%s") to str`, d.Kind().PyType())
	default:
		w.text(s)
		return nil
	}
}

// addTo writes x of x + text.
func (w *writer) addTo(d dynamic) error {
	switch s, ok := d.AsString(); {
	case !d.isDefined():
		return undefinedError(w.where(), d.undefined)
	case d.Kind() == value.KindArray:
		return template.TypeError(w.where(), `can only concatenate list (not "str") to list`)
	case !ok:
		return template.TypeError(w.where(), "unsupported operand type(s) for +: '%s' and 'str'", d.Kind().PyType())
	default:
		w.text(s)
		return nil
	}
}

// print writes {{ x }}.
func (w *writer) print(d dynamic) {
	if s, ok := d.AsString(); ok {
		w.text(s)
	} else if d.isDefined() {
		w.buf = value.AppendRepr(w.buf, d.Value)
	}
}

// json writes x|tojson.
func (w *writer) json(d dynamic) error {
	if !d.isDefined() {
		return template.TypeError(w.where(), "Object of type Undefined is not JSON serializable")
	}
	if template.IsDeeper(d.Value, value.MaxDepth) {
		return template.TooDeep()
	}
	w.buf = value.Append(w.buf, d.Value, value.ToJSON)
	return nil
}

// message is a message as the template sees it: a typed one by its fields.
type message struct {
	*harmony.Message
	reasoning [3]value.Value
	reasons   bool
}

func see(m *harmony.Message) message {
	fields, some := template.Reasoning(m)
	return message{m, fields, some}
}

// get is message.name; whether it is defined is whether name in message.
func (m message) get(name string) dynamic {
	switch name {
	case "role":
		if m.Role != "" {
			return defined(value.String(m.Role))
		}
	case "content":
		if m.Content != "" {
			return defined(value.String(m.Content))
		}
		if m.Parts != nil {
			parts := make([]value.Value, len(m.Parts))
			for i := range m.Parts {
				parts[i] = m.Parts[i].Value()
			}
			return defined(value.List(parts...))
		}
	case "thinking":
		if m.reasons && !m.reasoning[1].IsNull() {
			return defined(m.reasoning[1])
		}
	case "tool_calls":
		if m.ToolCalls != nil {
			return defined(value.List()) // only that it is there; see writer.call
		}
	}
	if v, has := m.Extra.Get(name); has {
		return defined(v)
	}
	return missing("'dict object' has no attribute '" + name + "'")
}
