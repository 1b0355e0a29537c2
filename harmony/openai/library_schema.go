package openai

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// libraryType is the type of a schema as the library writes it. Unions but oneOf,
// references and null are any; texts are not escaped.
func libraryType(v value.Value, indent string) string {
	if oneOf, ok := v.Get("oneOf").AsArray(); ok {
		var b strings.Builder
		for _, variant := range oneOf.All() {
			kind := libraryNull(variant, libraryType(variant, indent+"   "))
			b.WriteString("\n" + indent + " | " + kind + libraryComment(variant, true, true))
		}
		return b.String()
	}
	if list, ok := v.Get("type").AsArray(); ok {
		var types []string
		for _, item := range list.All() {
			if s, ok := item.AsString(); ok {
				types = append(types, libraryNumber(s))
			}
		}
		if len(types) > 0 {
			return strings.Join(types, " | ")
		}
	}
	switch kind, _ := v.Get("type").AsString(); kind {
	case "object":
		return libraryObject(v, indent)
	case "string":
		return libraryString(v)
	case "number", "integer", "boolean":
		return libraryNumber(kind)
	case "array":
		if items, ok := member(v, "items"); ok {
			return libraryType(items, indent) + "[]"
		}
		return "Array<any>"
	}
	return "any"
}

func libraryNumber(kind string) string {
	if kind == "integer" {
		return "number"
	}
	return kind
}

// libraryString is the type of a text: those of its choices that are texts.
func libraryString(v value.Value) string {
	var choices []string
	enum, _ := v.Get("enum").AsArray()
	for _, item := range enum.All() {
		if s, ok := item.AsString(); ok {
			choices = append(choices, `"`+s+`"`)
		}
	}
	if len(choices) > 0 {
		return strings.Join(choices, " | ")
	}
	return "string"
}

func member(v value.Value, name string) (value.Value, bool) {
	o, _ := v.AsObject()
	return o.Get(name)
}

// libraryObject writes the description of an object in its midst, and its members
// where the next line begins.
func libraryObject(v value.Value, indent string) string {
	var b strings.Builder
	if text, ok := v.Get("description").AsString(); ok {
		b.WriteString(indent + "// " + text + "\n")
	}
	b.WriteString("{\n")
	required := map[string]bool{}
	list, _ := v.Get("required").AsArray()
	for _, item := range list.All() {
		s, _ := item.AsString()
		required[s] = true
	}
	members, _ := v.Get("properties").AsObject()
	for name, p := range members.All() {
		if !required[name] {
			name += "?"
		}
		libraryMember(&b, name, p, indent)
	}
	b.WriteString(indent + "}")
	return b.String()
}

// libraryMember writes a member. Only the first line of a text is a comment for
// sure: the library does not begin the others with slashes.
func libraryMember(b *strings.Builder, name string, p value.Value, indent string) {
	if title, ok := p.Get("title").AsString(); ok {
		b.WriteString(indent + "// " + title + "\n" + indent + "//\n")
	}
	oneOf, choice := p.Get("oneOf").AsArray()
	_, other := member(p, "oneOf")
	text, described := p.Get("description").AsString()
	if described && !other {
		b.WriteString(indent + "// " + text + "\n")
	}
	if examples, _ := p.Get("examples").AsArray(); examples.Len() > 0 {
		b.WriteString(indent + "// Examples:\n")
		for _, item := range examples.All() {
			if s, ok := item.AsString(); ok {
				b.WriteString(indent + "// - \"" + s + "\"\n")
			}
		}
	}
	standard, defaulted := libraryDefault(p, false)
	if !choice {
		b.WriteString(indent + name + ": " + libraryNull(p, libraryType(p, indent+"    ")) + ",")
		if defaulted {
			b.WriteString(" // " + standard)
		}
		b.WriteString("\n")
		return
	}
	if described && !(oneOf.Len() > 0 && has(oneOf.At(0), "description", text)) {
		b.WriteString(indent + "// " + text + "\n")
	}
	if defaulted {
		b.WriteString(indent + "// " + standard + "\n")
	}
	b.WriteString(indent + name + ":\n")
	for i, variant := range oneOf.All() {
		kind := libraryNull(variant, libraryType(variant, indent+"   "))
		b.WriteString(indent + " | " + kind + libraryComment(variant, i > 0 || !described, false) + "\n")
	}
	b.WriteString(indent + ",\n")
}

// libraryNull adds null to the type of a schema that may be null, unless the word
// stands anywhere in it.
func libraryNull(v value.Value, kind string) string {
	if is, ok := v.Get("nullable").AsBool(); ok && is && !strings.Contains(kind, "null") {
		return kind + " | null"
	}
	return kind
}

// libraryDefault is the comment of a default, if there is one. A text has quotes and
// no escapes; of a choice it has neither, or with escaped both.
func libraryDefault(v value.Value, escaped bool) (string, bool) {
	d, ok := member(v, "default")
	if !ok {
		return "", false
	}
	s, isText := d.AsString()
	enum, _ := v.Get("enum").AsArray()
	switch choice := enum.Len() > 0; {
	case isText && !choice:
		return `default: "` + s + `"`, true
	case isText && !escaped:
		return "default: " + s, true
	}
	return "default: " + string(value.Append(nil, d, value.Style{Unicode: true, Compact: true})), true
}

// libraryComment is what stands behind one of several types: its description, where
// described, and its default.
func libraryComment(v value.Value, described, escaped bool) string {
	comment := ""
	if text, ok := v.Get("description").AsString(); ok && described {
		comment = " " + text
	}
	if text, ok := libraryDefault(v, escaped); ok {
		comment += " " + text
	}
	if comment != "" {
		comment = " //" + comment
	}
	return comment
}
