package openai

import "github.com/beamdiff/beamdiff/harmony/value"

// tools writes the declaration of the tools, as types in a namespace.
func (w *writer) tools() error {
	w.text("## functions\n\nnamespace functions {\n\n")
	for i := range w.req.Tools {
		w.place = place{"tools", i, "function"}
		if err := w.tool(defined(w.req.Tools[i].Def)); err != nil {
			return err
		}
	}
	w.text("} // namespace functions")
	return nil
}

// tool writes one tool: its description, then its type.
func (w *writer) tool(def dynamic) error {
	tool, err := w.attr(def, "function")
	if err != nil {
		return err
	}
	description, err := w.attr(tool, "description")
	if err != nil {
		return err
	}
	w.text("// ")
	if err := w.add(description); err != nil {
		return err
	}
	w.text("\ntype ")
	name, err := w.attr(tool, "name")
	if err != nil {
		return err
	}
	if err := w.add(name); err != nil {
		return err
	}
	w.text(" = ")
	parameters, err := w.attr(tool, "parameters")
	if err != nil {
		return err
	}
	if parameters.truthy() {
		properties, _ := w.attr(parameters, "properties")
		if properties.truthy() {
			return w.parameters(parameters, properties)
		}
	}
	w.text("() => any;\n\n")
	return nil
}

// parameters writes the type of a tool that has parameters.
func (w *writer) parameters(parameters, properties dynamic) error {
	w.text("(_: {\n")
	required, _ := w.attr(parameters, "required")
	members, err := w.items(properties)
	if err != nil {
		return err
	}
	for i := range members.Len() {
		if err := w.parameter(members.At(i), required); err != nil {
			return err
		}
	}
	w.text("}) => any;\n\n")
	return nil
}

// parameter writes one parameter of a tool.
func (w *writer) parameter(m value.Member, required dynamic) error {
	spec := defined(m.Value)
	if description, _ := w.attr(spec, "description"); description.truthy() {
		w.text("// ")
		if err := w.add(description); err != nil {
			return err
		}
		w.text("\n")
	}
	if err := w.member(m.Name, required); err != nil {
		return err
	}
	if err := w.typeOf(spec); err != nil {
		return err
	}
	if err := w.byDefault(spec); err != nil {
		return err
	}
	w.text(",\n")
	return nil
}

// member writes the name of a property, with a question mark where it is not
// required.
func (w *writer) member(name string, required dynamic) error {
	w.text(name)
	has := false
	if required.truthy() {
		var err error
		if has, err = w.contains(required, name); err != nil {
			return err
		}
	}
	if !has {
		w.text("?")
	}
	w.text(": ")
	return nil
}

// byDefault writes the default of a parameter, as a comment.
func (w *writer) byDefault(spec dynamic) error {
	byDefault, _ := w.attr(spec, "default")
	if !byDefault.isDefined() {
		return nil
	}
	if enum, _ := w.attr(spec, "enum"); enum.truthy() {
		w.text(", // default: ")
		return w.add(byDefault)
	}
	if oneOf, _ := w.attr(spec, "oneOf"); oneOf.truthy() {
		w.text("// default: ")
		return w.add(byDefault)
	}
	w.text(", // default: ")
	return w.json(byDefault)
}

// typeOf writes the type of a schema. A schema here is always defined, so that
// its attributes are never an error.
func (w *writer) typeOf(spec dynamic) error {
	kind, _ := w.attr(spec, "type")
	oneOf, _ := w.attr(spec, "oneOf")
	switch {
	case kind.is("array"):
		return w.arrayType(spec)
	case isFilled(kind):
		return w.join(kind, " | ")
	case oneOf.truthy():
		return w.variants(oneOf)
	case kind.is("string"):
		return w.stringType(spec)
	case kind.is("number"), kind.is("integer"):
		w.text("number")
	case kind.is("boolean"):
		w.text("boolean")
	case kind.is("object"):
		return w.objectType(spec)
	default:
		w.text("any")
	}
	return nil
}

// isFilled tells whether a value is a list with an item.
func isFilled(d dynamic) bool {
	a, ok := d.AsArray()
	return ok && d.isDefined() && a.Len() > 0
}

// longType is the length of an item's type, in characters, beyond which an array
// is one of anything.
const longType = 50

// arrayType writes the type of an array.
func (w *writer) arrayType(spec dynamic) error {
	items, _ := w.attr(spec, "items")
	kind, _ := w.attr(items, "type")
	switch {
	case !items.truthy():
		w.text("any[]")
	case kind.is("string"), kind.is("boolean"), kind.is("number"):
		w.print(kind)
		w.text("[]")
	case kind.is("integer"):
		w.text("number[]")
	default:
		from := len(w.buf)
		if err := w.typeOf(items); err != nil {
			return err
		}
		if inner := string(w.buf[from:]); inner == "object | object" || value.Len(inner) > longType {
			w.buf = append(w.buf[:from], "any"...)
		}
		w.text("[]")
	}
	w.nullable(spec)
	return nil
}

func (w *writer) nullable(spec dynamic) {
	if nullable, _ := w.attr(spec, "nullable"); nullable.truthy() {
		w.text(" | null")
	}
}

// variants writes the schemas of oneOf.
func (w *writer) variants(oneOf dynamic) error {
	list, err := w.iterate(oneOf)
	if err != nil {
		return err
	}
	for spec, ok := list.next(); ok; spec, ok = list.next() {
		if err := w.variant(spec); err != nil {
			return err
		}
		if list.i < list.n {
			w.text(" | \n")
		}
	}
	return nil
}

// variant writes one schema of oneOf. The white space is the template's own, where
// it does not trim.
func (w *writer) variant(spec dynamic) error {
	if err := w.typeOf(spec); err != nil {
		return err
	}
	if description, _ := w.attr(spec, "description"); description.truthy() {
		w.text("// ")
		if err := w.add(description); err != nil {
			return err
		}
	}
	if byDefault, _ := w.attr(spec, "default"); byDefault.isDefined() {
		w.text("                    // default: ")
		if err := w.json(byDefault); err != nil {
			return err
		}
	}
	return nil
}

// stringType writes the type of a text: its choices, where it has some.
func (w *writer) stringType(spec dynamic) error {
	if enum, _ := w.attr(spec, "enum"); enum.truthy() {
		w.text(`"`)
		if err := w.join(enum, `" | "`); err != nil {
			return err
		}
		w.text(`"`)
		return nil
	}
	w.text("string")
	w.nullable(spec)
	return nil
}

// objectType writes the type of an object. A line break and spaces, which the
// template does not trim, stand before the type of each member.
func (w *writer) objectType(spec dynamic) error {
	properties, _ := w.attr(spec, "properties")
	if !properties.truthy() {
		w.text("object")
		return nil
	}
	w.text("{\n")
	required, _ := w.attr(spec, "required")
	members, err := w.items(properties)
	if err != nil {
		return err
	}
	for i := range members.Len() {
		if i > 0 {
			w.text(", ")
		}
		m := members.At(i)
		if err := w.member(m.Name, required); err != nil {
			return err
		}
		w.text("\n                ")
		if err := w.typeOf(defined(m.Value)); err != nil {
			return err
		}
	}
	w.text("}")
	return nil
}

// join writes x|join(with).
func (w *writer) join(d dynamic, with string) error {
	list, err := w.iterate(d)
	if err != nil {
		return err
	}
	for item, ok := list.next(); ok; item, ok = list.next() {
		if list.i > 1 {
			w.text(with)
		}
		w.print(item)
	}
	return nil
}
