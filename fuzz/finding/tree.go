package finding

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// place is where a value stands in another: the numbers of the items and members
// on the way.
type place []int

// size is the number of items or members; 0 for what has none.
func size(v value.Value) int {
	if a, ok := v.AsArray(); ok {
		return a.Len()
	}
	o, _ := v.AsObject()
	return o.Len()
}

// child is item or member i.
func child(v value.Value, i int) value.Value {
	if a, ok := v.AsArray(); ok {
		return a.At(i)
	}
	o, _ := v.AsObject()
	return o.At(i).Value
}

// of is the value at the place.
func (p place) of(root value.Value) value.Value {
	for _, i := range p {
		root = child(root, i)
	}
	return root
}

// edit is a copy of root with another value at the place. What is not on the way
// is shared.
func (p place) edit(root value.Value, change func(value.Value) value.Value) value.Value {
	if len(p) == 0 {
		return change(root)
	}
	if a, ok := root.AsArray(); ok {
		items := make([]value.Value, 0, a.Len())
		for _, item := range a.All() {
			items = append(items, item)
		}
		items[p[0]] = p[1:].edit(items[p[0]], change)
		return value.List(items...)
	}
	o, _ := root.AsObject()
	out := value.NewObject(o.Len())
	for i := range o.Len() {
		m := o.At(i)
		if i == p[0] {
			m.Value = p[1:].edit(m.Value, change)
		}
		out.Set(m.Name, m.Value)
	}
	return out.Value()
}

// without leaves out the items or members from number from up to to.
func without(v value.Value, from, to int) value.Value {
	if a, ok := v.AsArray(); ok {
		var items []value.Value
		for i, item := range a.All() {
			if i < from || to <= i {
				items = append(items, item)
			}
		}
		return value.List(items...)
	}
	o, _ := v.AsObject()
	out := value.NewObject(o.Len())
	for i := range o.Len() {
		if i < from || to <= i {
			out.Set(o.At(i).Name, o.At(i).Value)
		}
	}
	return out.Value()
}

// words are the names in an input, longest first: runs of letters, digits and
// underscores in its texts, and the keys of what callers name.
func words(root value.Value) []string {
	seen := map[string]bool{}
	add := func(text string) {
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if len(w) > 1 {
				seen[w] = true
			}
		}
	}
	each(root, func(v value.Value) {
		if s, ok := v.AsString(); ok {
			add(s)
		}
		if o, ok := v.AsObject(); ok {
			for name := range o.All() {
				add(name)
			}
		}
	})
	return slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
}

func each(v value.Value, visit func(value.Value)) {
	visit(v)
	for i := range size(v) {
		each(child(v, i), visit)
	}
}

// replaced is a copy in which a name is another one, wherever it stands. The
// keys of the case itself stay.
func replaced(root value.Value, name, other string) value.Value {
	var walk func(v value.Value, top bool) value.Value
	walk = func(v value.Value, top bool) value.Value {
		switch v.Kind() {
		case value.KindString:
			s, _ := v.AsString()
			return value.String(strings.ReplaceAll(s, name, other))
		case value.KindArray:
			a, _ := v.AsArray()
			items := make([]value.Value, 0, a.Len())
			for _, item := range a.All() {
				items = append(items, walk(item, false))
			}
			return value.List(items...)
		case value.KindObject:
			o, _ := v.AsObject()
			out := value.NewObject(o.Len())
			for key, item := range o.All() {
				if !top {
					key = strings.ReplaceAll(key, name, other)
				}
				out.Set(key, walk(item, false))
			}
			return out.Value()
		}
		return v
	}
	return walk(root, true)
}
