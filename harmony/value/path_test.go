package value

import (
	"strings"
	"testing"
)

// loop is a list that holds itself behind n more lists, twice at each level.
func loop(n int) Value {
	head := &Array{}
	inner := head.Value()
	for range n {
		inner = List(inner, inner)
	}
	head.Append(inner)
	return head.Value()
}

// A value that holds itself is written, copied and compared in bounded time.
func TestHoldsItself(t *testing.T) {
	o := &Object{}
	o.Set("a", List(Int(1), o.Value(), String("x")))
	for _, c := range []struct {
		v    Value
		want string
	}{
		{loop(0), `[null]`},
		{loop(2), `[[[null, null], [null, null]]]`},
		{o.Value(), `{"a": [1, null, "x"]}`},
		{List(o.Value(), o.Value()), `[{"a": [1, null, "x"]}, {"a": [1, null, "x"]}]`},
	} {
		if got := Dumps(c.v); got != c.want {
			t.Errorf("Dumps: %s, want %s", got, c.want)
		}
		if got := Dumps(c.v.Clone()); got != c.want {
			t.Errorf("Clone: %s, want %s", got, c.want)
		}
		if !Equal(c.v, c.v) || Equal(c.v, List(c.v)) {
			t.Errorf("Equal is wrong for %s", c.want)
		}
	}
	if !Equal(loop(1), loop(1)) || Equal(loop(0), List(loop(0))) {
		t.Error("Equal is wrong for lists that hold themselves")
	}
	long := &Array{} // through more levels than are kept nearby
	inner := long.Value()
	for range 100 {
		inner = List(inner)
	}
	long.Append(inner)
	if got, want := Dumps(long.Value()), strings.Repeat("[", 101)+"null"+strings.Repeat("]", 101); got != want {
		t.Errorf("Dumps: %s", got)
	}
}

// What stands twice in a value, but not in itself, is written twice, at any depth.
func TestShared(t *testing.T) {
	shared := List(Int(7))
	deep := List(shared, shared)
	for range 40 {
		deep = List(deep)
	}
	if got := Dumps(deep); strings.Count(got, "[7]") != 2 || !Equal(deep, deep.Clone()) {
		t.Errorf("%s", got)
	}
}

// Nesting beyond what the stack holds ends in null.
func TestDeep(t *testing.T) {
	v := List(Int(1))
	for range 1 << 20 {
		v = List(v)
	}
	text := Dumps(v)
	if want := strings.Repeat("[", writeDepth) + "null" + strings.Repeat("]", writeDepth); text != want {
		t.Errorf("%d bytes, want %d", len(text), len(want))
	}
	if got := Dumps(v.Clone()); got != text || !Equal(v, v) {
		t.Errorf("the copy has %d bytes, and %d are written", len(got), len(text))
	}
}

func TestAppendAllocates(t *testing.T) {
	v := Members(Member{"a", List(Int(1), Members(Member{"b", String("c")}))})
	dst := make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() { dst = Append(dst[:0], v, PyDumps) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { Equal(v, v) }); n != 0 {
		t.Errorf("Equal: %v allocations", n)
	}
}
