package typing

import "github.com/beamdiff/beamdiff/harmony/value"

// Change is an argument, or an item of its list, of which typing made something
// else than text.
type Change struct {
	Name     string // of the argument
	Text     string // as it was written
	Value    value.Value
	Property *Property
}

// tellChanges compares an argument before and after typing.
func tellChanges(told func(Change), name string, before, after value.Value, p *Property) {
	if s, ok := before.AsString(); ok {
		if after.Kind() != value.KindString {
			told(Change{name, s, after, p})
		}
		return
	}
	old, ok1 := before.AsArray()
	list, ok2 := after.AsArray()
	if !ok1 || !ok2 || old == list || old.Len() != list.Len() {
		return
	}
	for i, item := range old.All() {
		if s, ok := item.AsString(); ok && list.At(i).Kind() != value.KindString {
			told(Change{name, s, list.At(i), p})
		}
	}
}

// Loss says how the value differs from what the text says, "" where it does not:
// what may be text became something else, or a number lost digits or was written
// as JSON writes none.
func (c *Change) Loss() string {
	if c.Property.types.Has(String) {
		return "may be text"
	}
	if k := c.Value.Kind(); k != value.KindInt && k != value.KindFloat {
		return ""
	}
	before, ok := value.ParseDecimal(value.Strip(c.Text))
	after, _ := value.ParseDecimal(value.Dumps(c.Value))
	switch {
	case !ok:
		return "is not written as a number"
	case before != after:
		return "lost digits"
	}
	return ""
}
