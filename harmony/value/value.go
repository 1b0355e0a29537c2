// Package value is JSON as Python's json module reads and writes it: an ordered
// value model, a decoder with json.loads' grammar and a writer with json.dumps'
// bytes. Everything in this project that holds a message, a schema, an argument
// or a template holds a [Value].
//
// The pipeline is short:
//
//  1. [Loads] reads JSON text into a Value: integers of any size stay exact and
//     apart from floats, objects keep the order of their members, a repeated
//     name keeps its first position and takes the last value.
//  2. Values are looked at through [Value.Kind] and the accessors, and changed
//     through the [Array] and [Object] they refer to. Like Python's lists and
//     dicts those two are references: two Values may share one.
//  3. [Dumps], or [Append] with a [Style], writes the bytes that Python writes.
//
// Text is WTF-8: valid UTF-8 except that a lone surrogate, which can only come
// out of a JSON \ud800 escape, is kept as its three-byte form. Text that comes
// in from outside must be valid UTF-8.
//
// Python's text rules that readers of replies share (str.strip, int(), float())
// stand here too: [Strip], [ParseInt], [ParseFloat].
package value

import (
	"math"
	"math/big"
	"strconv"
)

// Kind is what a Value is.
type Kind uint8

// The kinds. The zero Value is null.
const (
	KindNull Kind = iota
	KindBool
	KindInt
	KindFloat
	KindString
	KindArray
	KindObject
)

// String gives the JSON name of the kind; integers and floats keep apart.
func (k Kind) String() string {
	return k.name("null", "boolean", "integer", "float", "string", "array", "object")
}

// PyType gives the name of the Python type that json.loads makes of the kind.
func (k Kind) PyType() string {
	return k.name("NoneType", "bool", "int", "float", "str", "list", "dict")
}

func (k Kind) name(names ...string) string {
	if int(k) < len(names) {
		return names[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Value is one JSON value. The zero Value is null. Values are small and meant
// to be copied; arrays and objects are shared between the copies.
type Value struct {
	num  uint64 // bool: 0 or 1; float: its bits; int: its two's complement where str is ""
	str  string // string: the text; int outside int64: its decimal digits
	arr  *Array
	obj  *Object
	kind Kind
}

// Null returns null, which is also the zero Value.
func Null() Value { return Value{} }

// Bool returns a boolean.
func Bool(b bool) Value {
	v := Value{kind: KindBool}
	if b {
		v.num = 1
	}
	return v
}

// Int returns an integer.
func Int(i int64) Value { return Value{kind: KindInt, num: uint64(i)} }

// BigInt returns an integer of any size. It does not keep i.
func BigInt(i *big.Int) Value {
	if i.IsInt64() {
		return Int(i.Int64())
	}
	return Value{kind: KindInt, str: i.String()}
}

// Float returns a floating-point number; NaN and the infinities are allowed, as
// they are in Python.
func Float(f float64) Value { return Value{kind: KindFloat, num: math.Float64bits(f)} }

// String returns a string. s is UTF-8 or WTF-8.
func String(s string) Value { return Value{kind: KindString, str: s} }

// List returns an array that holds items (the slice is kept, not copied).
func List(items ...Value) Value {
	return Value{kind: KindArray, arr: &Array{items: items}}
}

// Members returns an object with the members in their order; a repeated name
// keeps its first position and takes the last value.
func Members(members ...Member) Value {
	o := &Object{}
	for _, m := range members {
		o.Set(m.Name, m.Value)
	}
	return o.Value()
}

// Kind tells what v is.
func (v Value) Kind() Kind { return v.kind }

// IsNull tells whether v is null.
func (v Value) IsNull() bool { return v.kind == KindNull }

// AsBool returns the boolean, and whether v is one.
func (v Value) AsBool() (b, ok bool) { return v.kind == KindBool && v.num == 1, v.kind == KindBool }

// AsString returns the text, and whether v is a string.
func (v Value) AsString() (s string, ok bool) {
	if v.kind != KindString {
		return "", false
	}
	return v.str, true
}

// AsInt returns the integer, and whether v is one that fits an int64.
func (v Value) AsInt() (i int64, ok bool) {
	if v.kind != KindInt || v.str != "" {
		return 0, false
	}
	return int64(v.num), true
}

// AsBig returns the integer, whatever its size, and whether v is one.
func (v Value) AsBig() (i *big.Int, ok bool) {
	if v.kind != KindInt {
		return nil, false
	}
	if v.str == "" {
		return big.NewInt(int64(v.num)), true
	}
	return new(big.Int).SetString(v.str, 10)
}

// AsFloat returns the float, and whether v is one. An integer is not.
func (v Value) AsFloat() (f float64, ok bool) {
	if v.kind != KindFloat {
		return 0, false
	}
	return math.Float64frombits(v.num), true
}

// AsArray returns the array, and whether v is one.
func (v Value) AsArray() (a *Array, ok bool) { return v.arr, v.kind == KindArray }

// AsObject returns the object, and whether v is one.
func (v Value) AsObject() (o *Object, ok bool) { return v.obj, v.kind == KindObject }

// Get returns the member of that name when v is an object that has it, else null.
func (v Value) Get(name string) Value {
	if v.kind != KindObject {
		return Value{}
	}
	m, _ := v.obj.Get(name)
	return m
}

// Truthy is Python's bool(v): null, false, zero, "", [] and {} are false.
func (v Value) Truthy() bool {
	switch v.kind {
	case KindBool:
		return v.num == 1
	case KindInt:
		return v.str != "" || v.num != 0
	case KindFloat:
		return math.Float64frombits(v.num) != 0
	case KindString:
		return v.str != ""
	case KindArray:
		return v.arr.Len() > 0
	case KindObject:
		return v.obj.Len() > 0
	}
	return false
}

// Equal tells whether a and b are the same value: the same kinds throughout, so
// that 1, 1.0 and true all differ, members in the same order, NaN equal to
// itself and 0.0 different from -0.0. It is equality of what [Dumps] writes; of
// values that hold themselves, of what each writes at the same place.
func Equal(a, b Value) bool {
	var inA, inB path
	return equal(a, b, &inA, &inB)
}

func equal(a, b Value, inA, inB *path) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case KindArray:
		if a.arr.Len() != b.arr.Len() {
			return false
		}
		if a.arr.Len() == 0 {
			return true
		}
		newA, newB := inA.enter(a.arr), inB.enter(b.arr)
		same := newA == newB
		for i := 0; same && newA && i < len(a.arr.items); i++ {
			same = equal(a.arr.items[i], b.arr.items[i], inA, inB)
		}
		if newA && same {
			inA.leave(a.arr)
			inB.leave(b.arr)
		}
		return same // where not, nothing more is compared
	case KindObject:
		if a.obj.Len() != b.obj.Len() {
			return false
		}
		if a.obj.Len() == 0 {
			return true
		}
		newA, newB := inA.enter(a.obj), inB.enter(b.obj)
		same := newA == newB
		for i := 0; same && newA && i < len(a.obj.members); i++ {
			m, n := &a.obj.members[i], &b.obj.members[i]
			same = m.Name == n.Name && equal(m.Value, n.Value, inA, inB)
		}
		if newA && same {
			inA.leave(a.obj)
			inB.leave(b.obj)
		}
		return same
	case KindFloat:
		f, g := math.Float64frombits(a.num), math.Float64frombits(b.num)
		return a.num == b.num || f != f && g != g
	}
	return a.num == b.num && a.str == b.str
}

// Clone returns a deep copy of v, of what [Dumps] writes: it never holds itself.
func (v Value) Clone() Value {
	var p path
	return v.clone(&p)
}

func (v Value) clone(p *path) Value {
	switch v.kind {
	case KindArray:
		if !p.enter(v.arr) {
			return Value{}
		}
		items := make([]Value, v.arr.Len())
		for i := range items {
			items[i] = v.arr.items[i].clone(p)
		}
		p.leave(v.arr)
		return List(items...)
	case KindObject:
		if !p.enter(v.obj) {
			return Value{}
		}
		o := &Object{members: make([]Member, 0, v.obj.Len())}
		for name, member := range v.obj.All() {
			o.Set(name, member.clone(p))
		}
		p.leave(v.obj)
		return o.Value()
	}
	return v
}

// GoString makes %#v and test failures readable.
func (v Value) GoString() string { return "value(" + Dumps(v) + ")" }

// intDigits gives the decimal digits of an integer.
func (v Value) appendInt(dst []byte) []byte {
	if v.str != "" {
		return append(dst, v.str...)
	}
	return strconv.AppendInt(dst, int64(v.num), 10)
}
