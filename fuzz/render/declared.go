package render

import (
	"math"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// schemas are the properties of tools, by the name of the tool.
type schemas map[string]*value.Object

// newSchemas takes the tools as the reference does (response-template-spec.md,
// section 10.1): of two with one name the later counts.
func newSchemas(tools []harmony.ToolDef) schemas {
	s := schemas{}
	for _, t := range tools {
		if name, ok := t.Name(); ok {
			s[name], _ = t.Parameters().Get("properties").AsObject()
		}
	}
	return s
}

// declared are the types that a schema declares, in the order in which they are
// tried (section 10.3).
func declared(schema value.Value) (types []string) {
	o, ok := schema.AsObject()
	if !ok {
		return nil
	}
	if one, ok := schema.Get("type").AsString(); ok {
		types = append(types, one)
	}
	list, _ := schema.Get("type").AsArray()
	for _, v := range list.All() {
		if one, ok := v.AsString(); ok {
			types = append(types, one)
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		choices, _ := schema.Get(key).AsArray()
		for _, choice := range choices.All() {
			types = append(types, declared(choice)...)
		}
	}
	if nullable, _ := o.Get("nullable"); nullable.Truthy() && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	return types
}

// What the format cannot say of an argument.
const (
	notText          = "a value that no schema types"
	likeValue        = "a text that its schema may take for another type"
	ofOtherType      = "a value that its schema takes for another type"
	inexact          = "a number that is not exact"
	markerInArgument = "a marker in an argument"
)

// unwritable names what is lost when a value is written as text and read back under
// the types, "" for nothing. It knows the types' own words only so far as needed:
// of a text it says that it may be lost wherever a type but string is declared and
// the text is one that some type takes.
func unwritable(v value.Value, types []string) string {
	text, isText := v.AsString()
	if !isText {
		text = written(v)
	}
	for _, t := range types {
		if !takes(t, text) {
			continue
		}
		switch {
		case isText:
			return likeValue
		case t == "number" && !exact(v):
			return inexact
		case t == kindType(v) || t == "number" && v.Kind() != value.KindBool:
			return ""
		}
		return ofOtherType
	}
	if isText {
		return ""
	}
	if f, ok := v.AsFloat(); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return notText + ", being not finite"
	}
	return notText
}

// written is the text of an argument.
func written(v value.Value) string {
	if text, ok := v.AsString(); ok {
		return text
	}
	return string(value.Append(nil, v, value.ToJSON))
}

// kindType is the type of JSON schema that a value has.
func kindType(v value.Value) string {
	if v.Kind() == value.KindFloat {
		return "number"
	}
	return v.Kind().String()
}

// takes tells whether a type takes a text (section 10.4).
func takes(kind, text string) bool {
	plain := value.Strip(text)
	switch kind {
	case "integer", "number":
		f, err := value.ParseFloat(text)
		if _, whole := value.ParseInt(text); kind == "integer" && whole == nil {
			return true
		}
		return err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) && (kind == "number" || f == math.Trunc(f))
	case "boolean":
		return slices.Contains([]string{"true", "1", "false", "0"}, strings.ToLower(plain))
	case "null":
		return plain == "null" || plain == "None"
	case "object", "array":
		v, err := value.Loads(text)
		return err == nil && v.Kind().String() == kind
	}
	return false
}

// exact tells whether a number comes back from float(), which makes an integer of
// a text without a point.
func exact(v value.Value) bool {
	if f, ok := v.AsFloat(); ok {
		return strings.Contains(string(value.AppendFloat(nil, f)), ".")
	}
	n, ok := v.AsInt()
	return ok && n <= 1<<53 && n >= -1<<53
}
