package report

import (
	"strconv"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Where is the first place in which two answers part.
type Where struct {
	// Path is a JSON path: $ is the whole value, $.tool_calls[0].function.name
	// a part of it. An error's parts are $error.class and $error.message, an
	// event's $events[3].text.
	Path string
	// Offset is the first byte that differs in the text at Path, where both
	// sides hold a string there; else in the JSON of the two. -1 where one side
	// has nothing at Path.
	Offset int
	// Left and Right are what stands there on the two sides: about 40 bytes
	// around the offset with invisible characters shown, or (absent).
	Left, Right string
}

const absent = "(absent)"

// Locate finds the first place in which two values part, nil where they are
// equal. Values differ where their JSON does: also in the order of members and
// in 1 against 1.0. Two halves of a surrogate pair that texts put side by side
// are the character that their JSON reads back as.
func Locate(path string, left, right value.Value) *Where {
	if value.Equal(left, right) {
		return nil
	}
	if left.Kind() == right.Kind() {
		switch left.Kind() {
		case value.KindString:
			l, r := paired(left), paired(right)
			if l == r {
				return nil
			}
			return WhereText(path, l, r)
		case value.KindArray:
			l, _ := left.AsArray()
			r, _ := right.AsArray()
			return locateItems(path, l, r)
		case value.KindObject:
			l, _ := left.AsObject()
			r, _ := right.AsObject()
			return locateMembers(path, l, r)
		}
	}
	return whereJSON(path, left, right)
}

// whereJSON compares the JSON of two values. It is ASCII, so nothing in it has
// to be made visible.
func whereJSON(path string, left, right value.Value) *Where {
	l, r := value.Dumps(left), value.Dumps(right)
	at := FirstDifference(l, r)
	return &Where{Path: path, Offset: at, Left: clip(l, at, asIs), Right: clip(r, at, asIs)}
}

// paired is a text in which each high surrogate that a low one follows is the
// character that they stand for, as after JSON.
func paired(v value.Value) string {
	s, _ := v.AsString()
	if strings.Contains(s, "\xed") { // the first byte of every surrogate's form
		if again, err := value.Loads(value.Dumps(v)); err == nil {
			s, _ = again.AsString()
		}
	}
	return s
}

func asIs(text string) string { return text }

// WhereText is where two texts that differ part.
func WhereText(path, left, right string) *Where {
	at := FirstDifference(left, right)
	return &Where{Path: path, Offset: at, Left: Window(left, at), Right: Window(right, at)}
}

func locateItems(path string, left, right *value.Array) *Where {
	for i := range max(left.Len(), right.Len()) {
		at := path + "[" + strconv.Itoa(i) + "]"
		switch {
		case i >= left.Len():
			return &Where{Path: at, Offset: -1, Left: absent, Right: Short(right.At(i))}
		case i >= right.Len():
			return &Where{Path: at, Offset: -1, Left: Short(left.At(i)), Right: absent}
		}
		if w := Locate(at, left.At(i), right.At(i)); w != nil {
			return w
		}
	}
	return nil
}

// locateMembers prefers a member that one side lacks or that differs to a mere
// difference of order.
func locateMembers(path string, left, right *value.Object) *Where {
	for name, v := range left.All() {
		at := member(path, name)
		other, ok := right.Get(name)
		if !ok {
			return &Where{Path: at, Offset: -1, Left: Short(v), Right: absent}
		}
		if w := Locate(at, v, other); w != nil {
			return w
		}
	}
	for name, v := range right.All() {
		if _, ok := left.Get(name); !ok {
			return &Where{Path: member(path, name), Offset: -1, Left: absent, Right: Short(v)}
		}
	}
	if w := whereJSON(path, left.Value(), right.Value()); w.Left != w.Right {
		return w
	}
	return nil // but for surrogates
}

// member is the path of a member: .name, or ["a name"] where it is no word.
func member(path, name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return path + "[" + value.Dumps(value.String(name)) + "]"
	}
	return path + "." + name
}

// Short is v as json.dumps writes it, cut for one line of a report.
func Short(v value.Value) string {
	const most = 80
	text := value.Dumps(v)
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
