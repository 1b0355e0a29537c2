package beam

import (
	"slices"

	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// tools checks each tool.
func (c *checker) tools() {
	first := map[string]int{}
	builtin := map[string]bool{}
	for _, name := range c.req.BuiltinTools {
		builtin[name] = true
	}
	for i := range c.req.Tools {
		t := &c.req.Tools[i]
		def, _ := t.Def.AsObject()
		at := toolAt{i: i}
		function, ok := t.Function().AsObject()
		if !ok || template.IsDeeper(t.Def, value.MaxDepth) {
			continue
		}
		if _, at.wrapped = def.Get("function"); at.wrapped {
			c.extra(at.path()[:len(at.path())-len(".function")], def, "type", "function")
			c.extra(at.path(), function, "name", "description", "parameters")
		} else {
			c.extra(at.path(), function, "type", "name", "description", "parameters")
		}
		name, named := t.Name()
		if named {
			if j, twice := first[name]; twice {
				c.warn(WarnRepeatedTool, at.path()+".name", "is %s, like that of tools[%d]", name, j)
			} else {
				first[name] = i
			}
		}
		if replacesBash(function, decide.BashCommandKeywords) {
			c.warn(WarnBashReplaced, at.path(), "is declared with the definition that Beam was trained with, not with this one")
			continue
		}
		if builtin[name] {
			c.trained(name, function, at)
		}
		c.marker(at.path()+".description", t.Description())
		c.values(at.path()+".parameters", t.Parameters())
		if parameters, ok := t.Parameters().AsObject(); ok {
			s := schemaChecker{checker: c, at: at}
			s.parameters(parameters)
		}
	}
}

// trained checks a built-in search or browse against the definition that Beam
// was trained with: what counts is what Beam sees, the declaration.
func (c *checker) trained(name string, function *value.Object, at toolAt) {
	var trained string
	switch name {
	case "search":
		trained = searchDeclaration
	case "browse":
		trained = browseDeclaration
	default:
		return
	}
	w := writer{req: c.req}
	if w.declare(function, at) == nil && string(w.buf) != trained {
		c.warn(WarnBuiltinDiffers, at.path(), "is not the %s that Beam was trained with; leave it out of builtin_tools", name)
	}
}

// Keywords of JSON Schema that shape no value and are not missed.
var silentKeywords = []string{"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "title", "deprecated", "readOnly", "writeOnly"}

// schemaChecker finds what of a schema is not rendered.
type schemaChecker struct {
	*checker
	at toolAt
}

// parameters checks the schema of all arguments, of which only the properties
// are rendered.
func (s *schemaChecker) parameters(schema *value.Object) {
	path := s.at.path() + ".parameters"
	s.keywords(path, schema, "type", "properties", "required")
	s.properties(path, schema, 1)
}

// schema checks a schema inside. level counts the schemas around it.
func (s *schemaChecker) schema(path string, v value.Value, level int, isProperty bool) {
	o, ok := v.AsObject()
	if !ok || level > maxLevel {
		return
	}
	known := []string{"type", "properties", "required", "items", "nullable", "enum"}
	if isProperty {
		known = append(known, "description", "default", "examples")
	}
	enum, _ := v.Get("enum").AsArray()
	_, isConst := o.Get("const")
	any := v.Get("anyOf").Truthy()
	// One of these is rendered, and hides those after it; a type beside an enum
	// or a const says nothing more.
	switch {
	case enum.Len() > 0:
	case isConst:
		known = append(known, "const")
	case typesOf(v).some():
	case any:
		known = append(known, "anyOf")
	case v.Get("oneOf").Truthy():
		known = append(known, "oneOf")
	default:
		known = append(known, "allOf")
	}
	s.keywords(path, o, known...)
	s.properties(path, o, level)
	s.schema(path+".items", v.Get("items"), level+1, false)
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		choices, _ := v.Get(key).AsArray()
		for i, choice := range choices.All() {
			s.schema(path+"."+key+index(i), choice, level+1, false)
		}
	}
}

// properties checks the properties of a schema.
func (s *schemaChecker) properties(path string, schema *value.Object, level int) {
	properties, _ := schema.Value().Get("properties").AsObject()
	for name, property := range properties.All() {
		s.schema(path+".properties."+name, property, level+1, true)
	}
}

// keywords warns of keywords other than the known ones.
func (s *schemaChecker) keywords(path string, schema *value.Object, known ...string) {
	for name, v := range schema.All() {
		_, switched := v.AsBool()
		switch {
		case slices.Contains(known, name), slices.Contains(silentKeywords, name):
		case name == "additionalProperties" && switched:
		default:
			s.warn(WarnSchemaNotRendered, path+"."+name, "%s is not rendered here", name)
		}
	}
}
