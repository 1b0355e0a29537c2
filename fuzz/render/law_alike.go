package render

import (
	"fmt"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// variant says the same in another way.
type variant struct {
	name string
	// change changes a copy of a request wherever it can, and tells whether it
	// could. s chooses between several ways.
	change func(s *fuzz.Source, request *value.Object) bool
}

// Variants are the names of the ways of saying the same that CheckAlike tries.
func Variants() []string {
	var names []string
	for _, v := range variants {
		names = append(names, v.name)
	}
	return names
}

// CheckAlike says a conversation in other ways that mean the same: each renders to
// the same bytes, or is refused with the same class of error.
func CheckAlike(sub Subject, c *conversation.Conversation, tally Tally) *Violation {
	req := sub.decode(c)
	if req == nil || req.Continue != "" { // continuing looks at the fields themselves
		return nil
	}
	want, err := sub.Render(req)
	// One conversation is always said in the same other ways.
	s := fuzz.FromSeed(uint64(len(want) + len(c.Traits)))
	for _, v := range variants {
		request, _ := c.Input.Value().Clone().AsObject()
		if !v.change(s, request) {
			continue
		}
		other, err2 := sub.Decode(request.Value())
		got := ""
		if err2 == nil {
			got, err2 = sub.Render(other)
		}
		if classOf(err) != classOf(err2) || got != want {
			return &Violation{Alike, c, fmt.Sprintf("%s:\n  other case %s\n  is rendered %q, %v\n  and was     %q, %v", v.name, value.Dumps(request.Value()), got, err2, want, err)}
		}
		tally("alike=" + v.name)
	}
	return nil
}

// messages are the messages of a request.
func messages(request *value.Object) (list []*value.Object) {
	v, _ := request.Get("messages")
	a, _ := v.AsArray()
	for _, m := range a.All() {
		o, _ := m.AsObject()
		list = append(list, o)
	}
	return list
}

func setMessages(request *value.Object, list []*value.Object) {
	items := make([]value.Value, len(list))
	for i, m := range list {
		items[i] = m.Value()
	}
	request.Set("messages", value.List(items...))
}

// textOf is a member that is a string.
func textOf(o *value.Object, key string) (string, bool) {
	v, _ := o.Get(key)
	return v.AsString()
}

// isEmpty tells whether a content holds no text: null, missing, "", an empty list, a
// part without text.
func isEmpty(v value.Value) bool {
	if a, ok := v.AsArray(); ok && a.Len() == 1 {
		kind, _ := a.At(0).Get("type").AsString()
		text, isText := a.At(0).Get("text").AsString()
		return kind == "text" && isText && text == ""
	}
	text, isText := v.AsString()
	a, isList := v.AsArray()
	return v.IsNull() || isText && text == "" || isList && a.Len() == 0
}
