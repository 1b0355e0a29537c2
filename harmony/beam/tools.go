package beam

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// toolAt is where a tool's function stands, for paths.
type toolAt struct {
	i       int
	wrapped bool // in "function"
}

func (t toolAt) path() string {
	if t.wrapped {
		return fmt.Sprintf("tools[%d].function", t.i)
	}
	return fmt.Sprintf("tools[%d]", t.i)
}

// section says which tools to write.
type section uint8

const (
	everyTool      section = iota // in the order of the request
	systemTools                   // the built-in ones
	developerTools                // all others
)

// toolSection writes a section's tools under their heading, a blank line apart,
// and tells whether there are any.
func (w *writer) toolSection(s section) (some bool, err *Error) {
	from := len(w.buf)
	for i := range w.req.Tools {
		before := len(w.buf)
		if some {
			w.text("\n\n")
		} else {
			w.text("# Tools\n\n")
		}
		wrote, err := w.tool(i, s)
		if err != nil {
			return false, err
		}
		if !wrote {
			w.buf = w.buf[:before]
		}
		some = some || wrote
	}
	if !some {
		w.buf = w.buf[:from]
	}
	return some, nil
}

// tool writes the declaration of tool i if it stands in the section.
func (w *writer) tool(i int, s section) (wrote bool, err *Error) {
	def, _ := w.req.Tools[i].Def.AsObject()
	at := toolAt{i: i}
	function := def.Value()
	if f, ok := def.Get("function"); ok {
		at.wrapped, function = true, f
	}
	f, ok := function.AsObject()
	if !ok {
		return false, refuseAt(at.path(), " must be an object.")
	}
	bash := replacesBash(f, w.opts.Decisions.BashCommand)
	name, _ := function.Get("name").AsString()
	in := developerTools
	if bash || w.args.isBuiltin(name) {
		in = systemTools
	}
	if s != everyTool && s != in {
		return false, nil
	}
	if bash {
		w.text(bashDeclaration)
		return true, nil
	}
	return true, w.declare(f, at)
}

// declare writes one tool as TypeScript.
func (w *writer) declare(f *value.Object, at toolAt) *Error {
	function := f.Value()
	if text, _ := function.Get("description").AsString(); text != "" {
		w.comment(text, 0)
	}
	w.text("type ")
	if name, ok := function.Get("name").AsString(); !ok || !w.name(name) {
		return refuseAt(at.path()+".name", notName)
	}
	w.text(" = ")
	parameters := function.Get("parameters")
	if !parameters.IsNull() && parameters.Kind() != value.KindObject {
		return refuseAt(at.path()+".parameters", " must be an object: a JSON schema.")
	}
	switch {
	case hasProperties(parameters):
		w.text("(_: {\n")
		if err := w.members(parameters, 0, 1, at); err != nil {
			return err
		}
		w.text("}) => any;")
	case w.opts.Decisions.NoParameters == decide.NoParametersBraces:
		w.text("(_: {\n}) => any;")
	default:
		w.text("() => any;")
	}
	return nil
}

func hasProperties(schema value.Value) bool {
	o, _ := schema.Get("properties").AsObject()
	return o.Len() > 0
}

// members writes the properties of an object schema, one a line. depth counts
// the objects around it, level the schemas.
func (w *writer) members(schema value.Value, depth, level int, at toolAt) *Error {
	properties, _ := schema.Get("properties").AsObject()
	required := newNameSet(schema.Get("required"))
	for name, spec := range properties.All() {
		if text, _ := spec.Get("description").AsString(); text != "" {
			w.comment(text, depth)
		}
		if examples, _ := spec.Get("examples").AsArray(); examples.Len() > 0 {
			w.comment("Examples:", depth)
			for _, example := range examples.All() {
				w.indent(depth)
				w.text("// - ")
				w.json(example)
				w.text("\n")
			}
		}
		w.indent(depth)
		if w.opts.Decisions.PropertyName == decide.PropertyNameQuote && strings.ContainsAny(name, "\"\n") {
			w.json(value.String(name))
		} else {
			w.text(name)
		}
		if !required.has(name) {
			w.text("?")
		}
		w.text(": ")
		if spec.Kind() != value.KindObject {
			spec = emptySchema
		}
		if err := w.typeOf(spec, depth, level, at); err != nil {
			return err
		}
		w.text(",")
		w.defaultOf(spec)
		w.text("\n")
	}
	return nil
}

var emptySchema = (&value.Object{}).Value()

// defaultOf writes a property's default as a comment.
func (w *writer) defaultOf(spec value.Value) {
	o, _ := spec.AsObject()
	v, ok := o.Get("default")
	if !ok {
		return
	}
	w.text(" // default: ")
	bare := spec.Get("enum").Truthy() || w.opts.Decisions.StringDefault == decide.StringDefaultBare
	if text, ok := v.AsString(); ok && bare && strings.IndexByte(text, '\n') < 0 {
		w.text(text)
	} else {
		w.json(v)
	}
}

// comment writes a text as comment lines.
func (w *writer) comment(text string, depth int) {
	for {
		line, rest, more := strings.Cut(text, "\n")
		w.indent(depth)
		w.text("// ")
		w.text(line)
		w.text("\n")
		if !more {
			return
		}
		text = rest
	}
}

func (w *writer) indent(depth int) {
	for range depth {
		w.text("    ")
	}
}

// contains tells whether what was written from a byte on has the text.
func (w *writer) contains(from int, text string) bool {
	return bytes.Contains(w.buf[from:], []byte(text))
}

// nameSet is the names of a list that may hold anything, looked up mostly in
// their order.
type nameSet struct {
	list *value.Array
	next int
	all  map[string]bool // nil while the list is short
}

const longList = 64

func newNameSet(list value.Value) nameSet {
	a, _ := list.AsArray()
	s := nameSet{list: a}
	if a.Len() > longList {
		s.all = make(map[string]bool, a.Len())
		for _, v := range a.All() {
			if name, ok := v.AsString(); ok {
				s.all[name] = true
			}
		}
	}
	return s
}

func (s *nameSet) has(name string) bool {
	if s.all != nil {
		return s.all[name]
	}
	for range s.list.Len() {
		if s.next >= s.list.Len() {
			s.next = 0
		}
		item, ok := s.list.At(s.next).AsString()
		s.next++
		if ok && item == name {
			return true
		}
	}
	return false
}
