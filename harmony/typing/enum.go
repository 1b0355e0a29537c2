package typing

import (
	"slices"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// enum is a set of values that an argument may have. Numbers are compared by what
// they say, and all else whole.
type enum struct {
	simple map[string]bool // by key
	others []value.Value   // arrays and objects
}

func newEnum(values *value.Array) *enum {
	e := &enum{simple: make(map[string]bool, values.Len())}
	for _, v := range values.All() {
		if k, ok := enumKey(v); ok {
			e.simple[k] = true
		} else {
			e.others = append(e.others, v)
		}
	}
	return e
}

func (e *enum) has(v value.Value) bool {
	if k, ok := enumKey(v); ok {
		return e.simple[k]
	}
	return slices.ContainsFunc(e.others, func(o value.Value) bool { return value.Equal(o, v) })
}

// enumKey writes a simple value so that those that are the same read the same.
func enumKey(v value.Value) (key string, ok bool) {
	switch v.Kind() {
	case value.KindArray, value.KindObject:
		return "", false
	case value.KindString:
		s, _ := v.AsString()
		return `"` + s, true
	case value.KindFloat:
		f, _ := v.AsFloat()
		if i, whole := integral(f); whole {
			v = i
		}
	}
	return value.Dumps(v), true
}
