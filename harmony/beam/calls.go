package beam

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// callList is the calls of a turn: typed ones, or a list as it was sent of which
// an item is no object.
type callList struct {
	typed []harmony.ToolCall
	sent  *value.Array
}

func (l callList) len() int { return len(l.typed) + l.sent.Len() }

// at gives call j, and whether it is an object with a function.
func (l callList) at(j int) (c harmony.ToolCall, ok bool) {
	if l.sent == nil {
		c = l.typed[j]
	} else {
		var err error
		if c, err = harmony.DecodeToolCall(l.sent.At(j), ""); err != nil {
			return c, false
		}
	}
	if c.Extra != nil && c.Name == "" && c.Arguments.IsNull() {
		if f, sent := c.Extra.Get("function"); sent && f.Kind() != value.KindObject {
			return c, false
		}
	}
	return c, true
}

// callsOf gives the calls of message i.
func callsOf(m *harmony.Message, i int) (callList, *Error) {
	if m.ToolCalls != nil || m.Extra == nil {
		return callList{typed: m.ToolCalls}, nil
	}
	v, _ := m.Extra.Get("tool_calls")
	sent, ok := v.AsArray()
	if !ok && !v.IsNull() {
		return callList{}, refuseAt(messageAt(i)+".tool_calls", " must be a list.")
	}
	return callList{sent: sent}, nil
}

// call writes call j of message i without the marker that ends it.
func (w *writer) call(calls callList, i, j int) *Error {
	d := &w.opts.Decisions
	c, ok := calls.at(j)
	if !ok {
		return refuseAt(callAt(i, j), " must be an object with a function.")
	}
	w.text(" to=")
	if !w.name(c.Name) {
		return refuseAt(callAt(i, j)+".function.name", notName)
	}
	w.text(callHead)
	arguments := c.Arguments
	if text, ok := arguments.AsString(); ok {
		if d.StringArguments == decide.StringArgumentsRefuse {
			return refuseAt(callAt(i, j)+".function.arguments", " must be a dict, not a string. Parse the JSON before rendering.")
		}
		var err error
		if arguments, err = value.Loads(text); err != nil {
			return refuseAt(callAt(i, j)+".function.arguments", " must be a dict, or the JSON text of one: %v.", err)
		}
	}
	o, ok := arguments.AsObject()
	if !ok && !arguments.IsNull() {
		return refuseAt(callAt(i, j)+".function.arguments", " must be a dict.")
	}
	for k := range o.Len() {
		if k > 0 {
			w.text("\n")
		}
		if err := w.argument(o.At(k), i, j); err != nil {
			return err
		}
	}
	return nil
}

// argument writes one argument of a call.
func (w *writer) argument(a value.Member, i, j int) *Error {
	d := &w.opts.Decisions
	if d.ArgumentName == decide.ArgumentNameRefuse && (a.Name == "" || strings.ContainsAny(a.Name, "\"\n")) {
		name := value.ToJSON.AppendString(nil, a.Name)
		return refuseAt(callAt(i, j)+".function.arguments", " has the name %s. A name cannot be empty, and cannot contain a double quote or a line break.", name)
	}
	w.text(`<rfl:parameter name="`)
	w.text(a.Name)
	w.text("\">\n")
	from := len(w.buf)
	if text, ok := a.Value.AsString(); ok {
		w.text(text)
	} else {
		w.json(a.Value)
	}
	if d.ClosingTag == decide.ClosingTagRefuse && w.contains(from, closeParameter) {
		return refuseAt(callAt(i, j)+".function.arguments."+a.Name, " cannot contain '"+closeParameter+"'.")
	}
	w.text("\n" + closeParameter)
	return nil
}
