package beam

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// maxLevel is how deep schemas may nest.
const maxLevel = 32

// typeOf writes a JSON schema as a TypeScript type. depth counts the objects
// around it, level the schemas.
func (w *writer) typeOf(schema value.Value, depth, level int, at toolAt) *Error {
	if level > maxLevel {
		return refuseAt(at.path()+".parameters", " is nested more than 32 levels deep.")
	}
	o, ok := schema.AsObject()
	if !ok {
		w.text("any")
		return nil
	}
	u := union{w: w, from: len(w.buf)}
	enum, _ := schema.Get("enum").AsArray()
	constant, isConst := o.Get("const")
	types := typesOf(schema)
	choices := schema.Get("anyOf")
	if !choices.Truthy() {
		choices = schema.Get("oneOf")
	}
	all, _ := schema.Get("allOf").AsArray()
	switch {
	case enum.Len() > 0:
		for _, member := range enum.All() {
			u.begin()
			w.json(member)
			u.end()
		}
	case isConst:
		u.begin()
		w.json(constant)
		u.end()
	case types.some():
		if err := w.namedTypes(&u, schema, types, depth, level, at); err != nil {
			return err
		}
	case choices.Kind() == value.KindArray:
		list, _ := choices.AsArray()
		for _, choice := range list.All() {
			u.begin()
			if err := w.typeOf(choice, depth, level+1, at); err != nil {
				return err
			}
			u.end()
		}
	case all.Len() > 0:
		u.begin()
		if err := w.intersection(all, depth, level, at); err != nil {
			return err
		}
		u.end()
	}
	if u.count == 0 {
		u.begin()
		w.text(w.reference(schema))
		u.end()
	}
	if nullable, _ := schema.Get("nullable").AsBool(); nullable && !u.any {
		u.begin()
		w.text("null")
		u.end()
	}
	return nil
}

// reference is the type of a schema that says nothing, but may refer to another.
func (w *writer) reference(schema value.Value) string {
	if w.opts.Decisions.SchemaRef == decide.SchemaRefName {
		ref, _ := schema.Get("$ref").AsString()
		if name := ref[strings.LastIndexByte(ref, '/')+1:]; name != "" {
			return name
		}
	}
	return "any"
}

// types are the types that a schema names: one, or a list of anything.
type types struct {
	one  string
	is   bool // one is set
	list *value.Array
}

func (t types) some() bool { return t.is || t.list.Len() > 0 }

func typesOf(schema value.Value) types {
	v := schema.Get("type")
	switch v.Kind() {
	case value.KindString:
		name, _ := v.AsString()
		return types{one: name, is: true}
	case value.KindArray:
		list, _ := v.AsArray()
		return types{list: list}
	}
	switch {
	case schema.Get("properties").Truthy():
		return types{one: "object", is: true}
	case schema.Get("items").Truthy():
		return types{one: "array", is: true}
	}
	return types{}
}

// namedTypes writes the types that a schema names as members of its union.
func (w *writer) namedTypes(u *union, schema value.Value, t types, depth, level int, at toolAt) *Error {
	if t.is {
		u.begin()
		err := w.namedType(schema, t.one, depth, level, at)
		u.end()
		return err
	}
	array, object := false, false // a second one is the same, and would be costly
	for _, v := range t.list.All() {
		name, _ := v.AsString()
		if name == "array" && array || name == "object" && object {
			continue
		}
		array, object = array || name == "array", object || name == "object"
		u.begin()
		if err := w.namedType(schema, name, depth, level, at); err != nil {
			return err
		}
		u.end()
	}
	return nil
}

// namedType writes one type that a schema names.
func (w *writer) namedType(schema value.Value, name string, depth, level int, at toolAt) *Error {
	switch {
	case name == "string" || name == "number" || name == "boolean" || name == "null":
		w.text(name)
	case name == "integer":
		w.text("number")
	case name == "array":
		from := len(w.buf)
		if err := w.typeOf(schema.Get("items"), depth, level+1, at); err != nil {
			return err
		}
		if w.contains(from, " | ") || w.contains(from, " & ") {
			w.parenthesize(from)
		}
		w.text("[]")
	case name == "object" && hasProperties(schema):
		w.text("{\n")
		if err := w.members(schema, depth+1, level+1, at); err != nil {
			return err
		}
		if w.opts.Decisions.NestedClose == decide.NestedCloseMembers {
			w.indent(depth + 1)
		} else {
			w.indent(depth)
		}
		w.text("}")
	case name == "object":
		w.text("object")
	default:
		w.text("any")
	}
	return nil
}

// intersection writes the schemas of an allOf.
func (w *writer) intersection(all *value.Array, depth, level int, at toolAt) *Error {
	for i, schema := range all.All() {
		if i > 0 {
			w.text(" & ")
		}
		from := len(w.buf)
		if err := w.typeOf(schema, depth, level+1, at); err != nil {
			return err
		}
		if all.Len() > 1 && w.contains(from, " | ") {
			w.parenthesize(from)
		}
	}
	return nil
}

// parenthesize puts parentheses around what was written from a byte on.
func (w *writer) parenthesize(from int) {
	w.buf = append(w.buf, "()"...)
	copy(w.buf[from+1:], w.buf[from:len(w.buf)-2])
	w.buf[from] = '('
	w.buf[len(w.buf)-1] = ')'
}

// union writes the members of a union type, each once.
type union struct {
	w     *writer
	from  int // where the union begins in the writer's buf
	at    int // where the open member begins
	count int // members written
	any   bool
	ends  [longList]int   // of the first members
	seen  map[string]bool // all members, once there are more than ends holds
}

const unionBar = " | "

// begin opens a member.
func (u *union) begin() {
	if u.count > 0 {
		u.w.text(unionBar)
	}
	u.at = len(u.w.buf)
}

// end closes a member, and takes it back where it was there before.
func (u *union) end() {
	member := u.w.buf[u.at:]
	if u.has(member) {
		u.w.buf = u.w.buf[:u.at-len(unionBar)]
		return
	}
	u.any = u.any || string(member) == "any"
	if u.seen != nil {
		u.seen[string(member)] = true
	} else {
		u.ends[u.count] = len(u.w.buf)
	}
	u.count++
}

func (u *union) has(member []byte) bool {
	if u.count == len(u.ends) && u.seen == nil {
		u.seen = make(map[string]bool, 2*len(u.ends))
		for from, i := u.from, 0; i < u.count; i++ {
			u.seen[string(u.w.buf[from:u.ends[i]])] = true
			from = u.ends[i] + len(unionBar)
		}
	}
	if u.seen != nil {
		return u.seen[string(member)]
	}
	for from, i := u.from, 0; i < u.count; i++ {
		if string(u.w.buf[from:u.ends[i]]) == string(member) {
			return true
		}
		from = u.ends[i] + len(unionBar)
	}
	return false
}
