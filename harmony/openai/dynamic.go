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
	gap  gap    // why it is undefined
	name string // of the attribute or the argument that is not there
}

// gap is why a value is undefined.
type gap uint8

const (
	none        gap = iota // it is defined
	noAttribute            // of the name, of what Value holds
	noElement              // of a list, the first one
	noArgument             // of the template, of the name
)

func defined(v value.Value) dynamic { return dynamic{Value: v} }

// isDefined is Jinja's test of that name.
func (d dynamic) isDefined() bool { return d.gap == none }

// undefined is what an operation on an undefined value raises.
func (w *writer) undefined(d dynamic) *template.Error {
	of := d.Kind().PyType() + " object"
	if d.IsNull() {
		of = "None"
	}
	text := ""
	switch d.gap {
	case noAttribute:
		text = "'" + of + "' has no attribute '" + d.name + "'"
	case noElement:
		text = of + " has no element 0"
	case noArgument:
		text = "'" + d.name + "' is undefined"
	}
	return &template.Error{Class: "UndefinedError", Message: text, Path: w.where()}
}

// truthy is Python's truth.
func (d dynamic) truthy() bool { return d.isDefined() && d.Truthy() }

// is tells whether the value is the text.
func (d dynamic) is(text string) bool {
	s, ok := d.AsString()
	return ok && d.isDefined() && s == text
}

// attr is x.name, and x["name"] for a name that Python's own types do not have.
func (w *writer) attr(d dynamic, name string) (dynamic, error) {
	if !d.isDefined() {
		return d, w.undefined(d)
	}
	if o, ok := d.AsObject(); ok {
		if v, has := o.Get(name); has {
			return defined(v), nil
		}
	}
	return dynamic{Value: d.Value, gap: noAttribute, name: name}, nil
}

// first is x[0].
func (w *writer) first(d dynamic) (dynamic, error) {
	if !d.isDefined() {
		return d, w.undefined(d)
	}
	if a, ok := d.AsArray(); ok && a.Len() > 0 {
		return defined(a.At(0)), nil
	}
	if s, ok := d.AsString(); ok && s != "" {
		_, size := value.DecodeWTF8(s)
		return defined(value.String(s[:size])), nil
	}
	return dynamic{Value: d.Value, gap: noElement}, nil
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

// iterable is what iterating a value gives: the items of a list, the names of an
// object, the characters of a text.
type iterable struct {
	list  *value.Array
	names *value.Object
	text  string
	i, n  int // items that were given, and all
}

// iterate is for item in x.
func (w *writer) iterate(d dynamic) (it iterable, err error) {
	if !d.isDefined() {
		return it, nil
	}
	if a, ok := d.AsArray(); ok {
		return iterable{list: a, n: a.Len()}, nil
	}
	if o, ok := d.AsObject(); ok {
		return iterable{names: o, n: o.Len()}, nil
	}
	s, ok := d.AsString()
	if !ok {
		return it, template.TypeError(w.where(), "'%s' object is not iterable", d.Kind().PyType())
	}
	return iterable{text: s, n: value.Len(s)}, nil
}

// next gives the next item, and whether there is one.
func (it *iterable) next() (item dynamic, ok bool) {
	if it.i == it.n {
		return item, false
	}
	switch {
	case it.list != nil:
		item = defined(it.list.At(it.i))
	case it.names != nil:
		item = defined(value.String(it.names.At(it.i).Name))
	default:
		_, size := value.DecodeWTF8(it.text)
		item = defined(value.String(it.text[:size]))
		it.text = it.text[size:]
	}
	it.i++
	return item, true
}

// items is x.items().
func (w *writer) items(d dynamic) (*value.Object, error) {
	if !d.isDefined() {
		return nil, w.undefined(d)
	}
	o, ok := d.AsObject()
	if !ok {
		return nil, w.undefined(dynamic{Value: d.Value, gap: noAttribute, name: "items"})
	}
	return o, nil
}

// add writes x of text + x.
func (w *writer) add(d dynamic) error {
	switch s, ok := d.AsString(); {
	case !d.isDefined():
		return w.undefined(d)
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
		return w.undefined(d)
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
	if !d.isDefined() {
		return
	}
	if s, ok := d.AsString(); ok {
		w.text(s)
	} else {
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
			return present // see writer.firstCall
		}
	}
	if v, has := m.Extra.Get(name); has {
		return defined(v)
	}
	return lacks(name)
}

// present is a value of which only that it is there is looked at, someObject one of
// which only that it is an object.
var (
	present    = defined(value.List())
	someObject = value.Members()
)

// lacks is an attribute that an object does not have.
func lacks(name string) dynamic { return dynamic{Value: someObject, gap: noAttribute, name: name} }
