package beam

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// speaker writes the tool that message i, a result, speaks for: its name, or
// that of the call which its id matches.
func (w *writer) speaker(m *harmony.Message, i int) *Error {
	name := m.Name
	mistyped := false
	if name == "" {
		v, sent := m.Extra.Get("name")
		_, isText := v.AsString()
		mistyped = sent && !isText && !v.IsNull()
	}
	byID := w.opts.Decisions.ResultName == decide.ResultNameID
	if name == "" && !mistyped || byID {
		matched, err := w.matchedName(m, i)
		switch {
		case err != nil && !(byID && (name != "" || mistyped)):
			return err
		case err == nil && matched != "":
			name, mistyped = matched, false
		case name == "" && !mistyped:
			return refuseAt(messageAt(i), " needs a 'name', or a 'tool_call_id' that matches an earlier call.")
		}
	}
	if mistyped || !w.name(name) {
		return refuseAt(messageAt(i)+".name", notName)
	}
	return nil
}

// matchedName gives the tool that the nearest earlier turn called with the id of
// message i, "" where there is none.
func (w *writer) matchedName(m *harmony.Message, i int) (string, *Error) {
	id, ok := textField(m.ToolCallID, m.Extra, "tool_call_id")
	if !ok {
		return "", nil
	}
	match := w.calls.find(w, id, i)
	if match.name != match.other {
		switch w.opts.Decisions.RepeatedID {
		case decide.RepeatedIDRefuse:
			return "", refuseAt(messageAt(i)+".tool_call_id", " matches calls of two tools, '%s' and '%s'. Give the message a 'name'.", match.name, match.other)
		case decide.RepeatedIDLast:
			return match.last, nil
		}
	}
	return match.name, nil
}

// match is what the calls of one turn that share an id say: the first tool, the
// first other one (the same where there is none) and the last.
type match struct {
	turn              int
	name, other, last string
}

// add takes one more call into the match.
func (m *match) add(name string) {
	if m.name == m.other {
		m.other = name
	}
	m.last = name
}

// matchIn looks for an id among the calls of a turn.
func matchIn(m *harmony.Message, i int, id string) (found match, ok bool) {
	for j := range m.ToolCalls {
		c := &m.ToolCalls[j]
		if got, has := callID(c); has && got == id {
			if !ok {
				found, ok = match{turn: i, name: c.Name, other: c.Name, last: c.Name}, true
			}
			found.add(c.Name)
		}
	}
	return found, ok
}

// textField gives a text field, also one that was sent as "".
func textField(text string, extra *value.Object, key string) (string, bool) {
	if text != "" {
		return text, true
	}
	v, _ := extra.Get(key)
	return v.AsString()
}

func callID(c *harmony.ToolCall) (string, bool) { return textField(c.ID, c.Extra, "id") }

// callIndex finds calls by id. It looks back a little way first, which answers
// ordinary conversations; only what lies farther makes it keep a table of all
// calls, so that the cost stays linear.
type callIndex struct {
	table map[string]match // of the turns written so far; nil until it is needed
}

// nearby is how many messages and calls are looked at before the table is made.
const nearby = 64

func (x *callIndex) find(w *writer, id string, i int) match {
	steps := nearby
	for k := i - 1; k >= 0 && x.table == nil; k-- {
		m := &w.req.Messages[k]
		if steps -= 1 + len(m.ToolCalls); steps < 0 {
			break
		}
		if m.Role != harmony.Assistant {
			continue
		}
		if found, ok := matchIn(m, k, id); ok {
			return found
		}
	}
	if x.table == nil {
		if steps >= 0 {
			return match{}
		}
		x.table = map[string]match{}
		for k := range w.req.Messages[:i] {
			x.add(&w.req.Messages[k], k)
		}
	}
	return x.table[id]
}

// add puts the calls of a turn into the table, if there is one.
func (x *callIndex) add(m *harmony.Message, i int) {
	if x.table == nil || m.Role != harmony.Assistant {
		return
	}
	for j := range m.ToolCalls {
		c := &m.ToolCalls[j]
		id, has := callID(c)
		if !has {
			continue
		}
		found, ok := x.table[id]
		if !ok || found.turn != i {
			found = match{turn: i, name: c.Name, other: c.Name, last: c.Name}
		}
		found.add(c.Name)
		x.table[id] = found
	}
}
