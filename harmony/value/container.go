package value

import "iter"

// Array is a JSON array, held by reference.
type Array struct{ items []Value }

// Len is the number of items; a nil Array has none.
func (a *Array) Len() int {
	if a == nil {
		return 0
	}
	return len(a.items)
}

// At returns item i.
func (a *Array) At(i int) Value { return a.items[i] }

// Set replaces item i.
func (a *Array) Set(i int, v Value) { a.items[i] = v }

// Append adds items at the end.
func (a *Array) Append(items ...Value) { a.items = append(a.items, items...) }

// All walks the items in order.
func (a *Array) All() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		for i := range a.Len() {
			if !yield(i, a.items[i]) {
				return
			}
		}
	}
}

// Value wraps the array, sharing it.
func (a *Array) Value() Value { return Value{kind: KindArray, arr: a} }

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}

// Object is a JSON object that keeps the order of its members, held by
// reference. The zero Object is empty and ready to use.
type Object struct {
	members []Member
	index   map[string]int // nil while there are few members
}

// indexFrom is the number of members from which on names are looked up in a map.
const indexFrom = 12

// NewObject returns an empty object with room for n members. A small one is a
// single allocation with its members.
func NewObject(n int) *Object {
	switch {
	case n == 1:
		s := &struct {
			Object
			room [1]Member
		}{}
		s.members = s.room[:0]
		return &s.Object
	case n == 2:
		s := &struct {
			Object
			room [2]Member
		}{}
		s.members = s.room[:0]
		return &s.Object
	}
	return &Object{members: make([]Member, 0, n)}
}

// Len is the number of members; a nil Object has none.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.members)
}

// At returns member i in order.
func (o *Object) At(i int) Member { return o.members[i] }

// Get returns the member of that name, and whether there is one.
func (o *Object) Get(name string) (Value, bool) {
	if i := o.find(name); i >= 0 {
		return o.members[i].Value, true
	}
	return Value{}, false
}

// Set gives the member of that name a value: in place where the name exists, as
// Python's dict does, else at the end.
func (o *Object) Set(name string, v Value) {
	if i := o.find(name); i >= 0 {
		o.members[i].Value = v
		return
	}
	o.members = append(o.members, Member{name, v})
	switch {
	case o.index != nil:
		o.index[name] = len(o.members) - 1
	case len(o.members) == indexFrom:
		o.reindex()
	}
}

// Delete removes the member of that name, if there is one.
func (o *Object) Delete(name string) {
	i := o.find(name)
	if i < 0 {
		return
	}
	o.members = append(o.members[:i], o.members[i+1:]...)
	if o.index != nil {
		o.reindex()
	}
}

// All walks the members in order.
func (o *Object) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i := range o.Len() {
			if m := o.members[i]; !yield(m.Name, m.Value) {
				return
			}
		}
	}
}

// Value wraps the object, sharing it.
func (o *Object) Value() Value { return Value{kind: KindObject, obj: o} }

func (o *Object) find(name string) int {
	if o == nil {
		return -1
	}
	if o.index != nil {
		if i, ok := o.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range o.members {
		if o.members[i].Name == name {
			return i
		}
	}
	return -1
}

func (o *Object) reindex() {
	o.index = make(map[string]int, 2*len(o.members))
	for i := range o.members {
		o.index[o.members[i].Name] = i
	}
}
