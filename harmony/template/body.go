package template

import (
	"slices"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Body is a request in OpenAI's form, or the keys of a render case, taken apart.
type Body struct {
	Messages []harmony.Message
	Tools    []harmony.ToolDef
	// Args are the template's arguments, in their order, wherever they stood.
	Args *value.Object
	// Extra is every other key, nil where there is none.
	Extra *value.Object
}

// Switch is a choice that has a default of its own where it is used.
type Switch uint8

const (
	Auto Switch = iota // on for a prompt, off where a message is continued and for spans
	On
	Off
)

// Decode takes a body apart. It needs a list of messages, each an object; tools,
// where there are any, are a list of objects. Errors are *[harmony.DecodeError].
//
// The template's arguments, those with the names that are given, stand beside
// messages; they and others in chat_template_kwargs or template_kwargs. One that is
// given twice must be the same.
func Decode(v value.Value, arguments ...string) (b Body, err error) {
	body, ok := v.AsObject()
	if !ok {
		return b, &harmony.DecodeError{Path: "request", Want: "an object", Got: v.Kind().String()}
	}
	if b.Messages, err = harmony.DecodeMessages(v.Get("messages"), pathMessages); err != nil {
		return b, err
	}
	if tools := v.Get("tools"); !tools.IsNull() {
		if b.Tools, err = harmony.DecodeTools(tools, "tools"); err != nil {
			return b, err
		}
	}
	b.Args = &value.Object{}
	for name, v := range body.All() {
		switch {
		case name == "messages" || name == "tools":
		case slices.Contains(arguments, name):
			if err := b.argument(name, v, name); err != nil {
				return b, err
			}
		case name == "template_kwargs" || name == "chat_template_kwargs":
			kwargs, ok := v.AsObject()
			if !ok && !v.IsNull() {
				return b, &harmony.DecodeError{Path: name, Want: "an object", Got: v.Kind().String()}
			}
			for arg, v := range kwargs.All() {
				if err := b.argument(arg, v, name+"."+arg); err != nil {
					return b, err
				}
			}
		default:
			Keep(&b.Extra, name, v)
		}
	}
	return b, nil
}

// argument keeps an argument, which may be given twice if it is the same.
func (b *Body) argument(name string, v value.Value, path string) error {
	if name == "messages" || name == "tools" {
		return &harmony.DecodeError{Path: path, Want: "beside the kwargs, not in them", Got: v.Kind().String()}
	}
	if before, twice := b.Args.Get(name); twice && !value.Equal(before, v) {
		return &harmony.DecodeError{Path: path, Want: "the same wherever it is given", Got: value.Dumps(v)}
	}
	b.Args.Set(name, v)
	return nil
}

// Keep puts a member into an object that is made when the first one comes.
func Keep(o **value.Object, name string, v value.Value) {
	if *o == nil {
		*o = &value.Object{}
	}
	(*o).Set(name, v)
}

// Texts gives the items of a list of strings, and whether v is one.
func Texts(v value.Value) ([]string, bool) {
	a, ok := v.AsArray()
	if !ok {
		return nil, false
	}
	list := make([]string, a.Len())
	for i, item := range a.All() {
		if list[i], ok = item.AsString(); !ok {
			return nil, false
		}
	}
	return list, true
}
