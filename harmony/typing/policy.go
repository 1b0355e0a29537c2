package typing

import "github.com/beamdiff/beamdiff/harmony/value"

// Policy says what value an argument stands for. It is shared by readers of many
// replies at once and keeps nothing.
type Policy interface {
	// Type gives the value of the argument that the property describes. v is what
	// was read: mostly text, which stays what it is where it fits no other type. An
	// error ends the reading of the call.
	Type(v value.Value, p *Property, o Options) (value.Value, error)
}

// Options bound and watch the reading of one argument.
type Options struct {
	// Depth is the limit of nesting; 0 means [value.MaxDepth].
	Depth int
	// Repeated, if not nil, is told of each member of an object that a later one
	// of its name replaces: the bytes at which it stands in the text.
	Repeated func(start, end int)
	// Inexact, if not nil, is told of each number of which the value keeps not all
	// digits: likewise.
	Inexact func(start, end int)
	// Steps, if not nil, is added to the bytes that were looked at, each reading
	// of a text by itself.
	Steps *int64
}

// looked counts a reading of a text.
func (o Options) looked(text string) {
	if o.Steps != nil {
		*o.Steps += int64(len(text))
	}
}

func (o Options) depth() int {
	if o.Depth == 0 {
		return value.MaxDepth
	}
	return o.Depth
}

// texts types a text, or each text of a list; anything else stays.
func texts(v value.Value, lists bool, read func(string) (value.Value, error)) (value.Value, error) {
	if s, ok := v.AsString(); ok {
		return read(s)
	}
	list, ok := v.AsArray()
	if !ok || !lists {
		return v, nil
	}
	items := make([]value.Value, 0, list.Len())
	for _, item := range list.All() {
		if s, ok := item.AsString(); ok {
			var err error
			if item, err = read(s); err != nil {
				return v, err
			}
		}
		items = append(items, item)
	}
	return value.List(items...), nil
}
