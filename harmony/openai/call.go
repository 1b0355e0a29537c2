package openai

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// call is the function of a call as the template sees it: a typed one by its
// fields, or whatever stands in its place.
type call struct {
	typed *harmony.ToolCall
	rest  value.Value // the typed one's other members
	odd   dynamic
}

// firstCall is message.tool_calls[0], or its function where there is one.
func (w *writer) firstCall(m message) (call, error) {
	if m.ToolCalls == nil {
		item, err := w.first(m.get("tool_calls"))
		if err != nil {
			return call{}, err
		}
		return w.function(item)
	}
	if len(m.ToolCalls) == 0 {
		return call{}, w.undefined(dynamic{Value: present.Value, gap: noElement})
	}
	c := &m.ToolCalls[0]
	rest, split := c.Extra.Get("function")
	_, isObject := rest.AsObject()
	if c.Name == "" && c.Arguments.IsNull() || split && !isObject {
		return w.function(defined(c.Value()))
	}
	return call{typed: c, rest: rest}, nil
}

// function is the function of a call, or the call where there is none.
func (w *writer) function(item dynamic) (call, error) {
	f, err := w.attr(item, "function")
	if err != nil {
		return call{}, err
	}
	if f.truthy() {
		return call{odd: f}, nil
	}
	return call{odd: item}, nil
}

// get is an attribute of the function.
func (w *writer) get(c call, name string) (dynamic, error) {
	if c.typed == nil {
		return w.attr(c.odd, name)
	}
	switch {
	case name == "name" && c.typed.Name != "":
		return defined(value.String(c.typed.Name)), nil
	case name == "arguments" && !c.typed.Arguments.IsNull():
		return defined(c.typed.Arguments), nil
	}
	o, _ := c.rest.AsObject()
	if v, has := o.Get(name); has {
		return defined(v), nil
	}
	return lacks(name), nil
}
