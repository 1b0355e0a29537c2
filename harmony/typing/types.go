package typing

import (
	"math"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Types is a set of JSON schema's types.
type Types uint8

// The types, by the names that JSON schema has for them.
const (
	String Types = 1 << iota
	Integer
	Number
	Boolean
	Null
	Object
	Array
)

var typeNames = [...]string{"string", "integer", "number", "boolean", "null", "object", "array"}

// Has tells whether all of the types are in the set.
func (t Types) Has(types Types) bool { return t&types == types }

// Fits tells whether a value is of one of the types. A float that is whole is
// an integer, too.
func (t Types) Fits(v value.Value) bool {
	kind := typeOf(v)
	if f, ok := v.AsFloat(); ok && f == math.Trunc(f) {
		kind |= Integer
	}
	if kind.Has(Integer) {
		kind |= Number
	}
	return t&kind != 0
}

// String is the names of the types: "integer or null".
func (t Types) String() string {
	var names []string
	for i, name := range typeNames {
		if t.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

func typeOf(v value.Value) Types {
	switch v.Kind() {
	case value.KindString:
		return String
	case value.KindInt:
		return Integer
	case value.KindFloat:
		return Number
	case value.KindBool:
		return Boolean
	case value.KindArray:
		return Array
	case value.KindObject:
		return Object
	}
	return Null
}

func typeNamed(name string) (t Types, known bool) {
	for i, n := range typeNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}
