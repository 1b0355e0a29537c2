package response

import (
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// transform is a transform, compiled: an object, an array, a placeholder that
// stands for a value of the scope, or a literal.
type transform struct {
	names []string // object
	subs  []*transform
	list  bool
	path  []string // placeholder
	text  string   // the placeholder without braces
	value value.Value
}

func compileTransform(scope string, v value.Value) (*transform, *Error) {
	t := &transform{value: v}
	if o, ok := v.AsObject(); ok {
		t.names = []string{}
		for name, sub := range o.All() {
			s, err := compileTransform(scope, sub)
			if err != nil {
				return nil, err
			}
			t.names = append(t.names, name)
			t.subs = append(t.subs, s)
		}
		return t, nil
	}
	if a, ok := v.AsArray(); ok {
		t.list = true
		for _, sub := range a.All() {
			s, err := compileTransform(scope, sub)
			if err != nil {
				return nil, err
			}
			t.subs = append(t.subs, s)
		}
		return t, nil
	}
	s, ok := v.AsString()
	if !ok {
		return t, nil
	}
	for i := range len(s) {
		n := placeholder(s[i:])
		switch {
		case n == 0:
			continue
		case n < len(s):
			return nil, fail(KindTemplate, "%s: transform string '%s' has a {placeholder} and other text; "+
				"a string of a transform is one placeholder, from brace to brace, or has none", scope, s)
		}
		t.text = s[1 : len(s)-1]
		t.path = strings.Split(t.text, ".")
		break
	}
	return t, nil
}

// placeholder gives the length of the {name} or {name.key} that s begins with,
// 0 where it does not. A name is \w+.
func placeholder(s string) int {
	if !strings.HasPrefix(s, "{") {
		return 0
	}
	empty := true
	for i, r := range s {
		switch {
		case i == 0:
		case rx.IsWord(r):
			empty = false
		case empty:
			return 0
		case r == '.':
			empty = true
		case r == '}':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// capture is the text of a named group.
type capture struct{ name, text string }

// bindings are what placeholders may name. item, if there is one, hides
// captures of its names, and so does content.
type bindings struct {
	captures   []capture
	content    value.Value
	hasContent bool
	item       *value.Object
}

func (b *bindings) get(name string) (value.Value, bool) {
	if b.hasContent && name == "content" {
		return b.content, true
	}
	if v, ok := b.item.Get(name); ok {
		return v, true
	}
	for _, c := range b.captures {
		if c.name == name {
			return value.String(c.text), true
		}
	}
	return value.Value{}, false
}

func (b *bindings) names() []string {
	var names []string
	add := func(n string) {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for _, c := range b.captures {
		add(c.name)
	}
	for n := range b.item.All() {
		add(n)
	}
	if b.hasContent {
		add("content")
	}
	return names
}

// apply builds the value. What a placeholder names is shared, not copied.
func (t *transform) apply(b *bindings) (value.Value, *Error) {
	switch {
	case t.names != nil:
		o := value.NewObject(len(t.subs))
		for i, sub := range t.subs {
			v, err := sub.apply(b)
			if err != nil {
				return v, err
			}
			o.Set(t.names[i], v)
		}
		return o.Value(), nil
	case t.list:
		items := make([]value.Value, 0, len(t.subs))
		for _, sub := range t.subs {
			v, err := sub.apply(b)
			if err != nil {
				return v, err
			}
			items = append(items, v)
		}
		return value.List(items...), nil
	case t.path == nil:
		return t.value, nil
	}
	v, ok := b.get(t.path[0])
	if !ok {
		return v, fail(KindKey, "transform placeholder '{%s}' is not defined. Available: %s", t.text, quoted(b.names()))
	}
	for _, key := range t.path[1:] {
		o, ok := v.AsObject()
		if !ok {
			return v, fail(KindValue, "transform placeholder '{%s}' cannot index into %s at '%s'", t.text, v.Kind().PyType(), key)
		}
		if v, ok = o.Get(key); !ok {
			var names []string
			for n := range o.All() {
				names = append(names, n)
			}
			return v, fail(KindValue, "transform placeholder '{%s}' is missing key '%s'; there are %s", t.text, key, quoted(names))
		}
	}
	return v, nil
}

// process makes the value of a region: its content, transformed.
func (f *field) process(body string, captures []capture, r *reading) (value.Value, *Error) {
	v, err := f.content.parse(body, r)
	if err != nil || f.transform == nil {
		return v, err
	}
	if r.notes {
		f.noteUnused(v, len(body), r)
	}
	if !f.each {
		return f.transform.apply(&bindings{captures: captures, content: v, hasContent: true})
	}
	a, ok := v.AsArray()
	if !ok {
		return v, fail(KindValue, "Field '%s': transform_each is for content that is a list, but this is %s", f.name, v.Kind().PyType())
	}
	items := make([]value.Value, 0, a.Len())
	for _, item := range a.All() {
		o, ok := item.AsObject()
		if !ok {
			return v, fail(KindValue, "Field '%s': transform_each is for a list of dicts, but an item is %s", f.name, item.Kind().PyType())
		}
		made, err := f.transform.apply(&bindings{captures: captures, item: o})
		if err != nil {
			return v, err
		}
		items = append(items, made)
	}
	return value.List(items...), nil
}
