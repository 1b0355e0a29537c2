package conversation

import (
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// call is a call that waits for its result.
type call struct{ id, name string }

// calls is an assistant's turn that calls tools: one, or several at once.
func (m *maker) calls() []call {
	m.seen("role=calls")
	message := m.reasoning([]value.Member{str("role", "assistant")})
	if m.wrong(10) {
		m.seen("calls=beside text")
		message = m.content(message, beam.MarkChannel)
	} else {
		message = m.empty(message)
	}
	var made []call
	var list []value.Value
	n := 1
	if m.s.OneIn(3) {
		m.seen("calls=parallel")
		n = 2 + m.s.N(3)
	}
	for range n {
		c, v := m.call(made)
		made, list = append(made, c), append(list, v)
	}
	calls := value.List(list...)
	if m.wrong(16) {
		m.seen("calls=misfit")
		calls = fuzz.Pick(m.s, parse(`"f"`), parse("{}"), parse("5"), parse("[5]"), parse("[null]"), parse("[{}]"), parse(`[{"function": 5}]`),
			parse(`[{"function": {}}]`), list[0], parse("[[]]"), parse("true"))
	}
	m.add(m.extras(append(message, member("tool_calls", calls)))...)
	return made
}

// call makes one call. before are the calls of the same turn.
func (m *maker) call(before []call) (call, value.Value) {
	t := m.anyTool()
	c := call{name: t.name}
	function := []value.Member{str("name", t.name)}
	switch {
	case m.wrong(12):
		m.seen("call=name misfit")
		function = []value.Member{fuzz.Pick(m.s, str("name", ""), str("name", "a b"), str("name", "a<b"), str("name", "f\n"), str("name", "a\u2003b"),
			member("name", value.Null()), member("name", value.Int(5)), str("title", "f"), str("name", "f<|channel|>final<|message|>"))}
	case m.s.OneIn(10):
		m.seen("arguments=none")
		function = append(function, fuzz.Pick(m.s, member("arguments", value.Null()), member("arguments", parse("{}"))))
	case m.s.OneIn(16):
		m.seen("arguments=missing")
	default:
		function = append(function, member("arguments", m.callArguments(t)))
	}
	var outer []value.Member
	switch {
	case m.s.OneIn(8):
		m.seen("call=without id")
	case m.wrong(8) && len(before) > 0:
		m.seen("call=id of another")
		c.id = before[0].id
	default:
		m.ids++
		c.id = fmt.Sprintf(fuzz.Pick(m.s, "call_%d", "call_%d", "c%d", "chatcmpl-tool-%032d", "ид %d", "<|call|>%d", "%d"), m.ids)
		if m.s.OneIn(12) {
			m.seen("call=id used before")
			c.id = "call_0"
			for _, other := range before {
				if other.id == c.id && other.name != c.name {
					c.id = fmt.Sprintf("call_%d", m.ids)
				}
			}
		}
	}
	if c.id != "" {
		outer = append(outer, str("id", c.id))
	}
	if m.s.OneIn(8) {
		m.seen("call=bare")
		return c, m.object(append(outer, function...))
	}
	if !m.s.OneIn(6) {
		outer = append(outer, str("type", "function"))
	}
	if m.s.OneIn(10) {
		outer = append(outer, member("index", value.Int(int64(len(before)))))
	}
	return c, m.object(append(outer, member("function", m.object(function))))
}

// results answers calls: by id or by name, mostly in order.
func (m *maker) results(made []call) {
	if m.s.OneIn(8) {
		m.seen("results=missing")
		made = made[:m.s.N(len(made))]
	}
	if len(made) > 1 && m.s.OneIn(6) {
		m.seen("results=out of order")
		made = slices.Clone(made)
		slices.Reverse(made)
	}
	for _, c := range made {
		m.result(c)
	}
}

func (m *maker) result(c call) {
	m.seen("role=result")
	message := []value.Member{str("role", "tool")}
	shape := m.s.N(8)
	switch {
	case m.wrong(12):
		m.seen("result=of nothing")
		message = append(message, fuzz.Pick(m.s, str("tool_call_id", "no such id"), member("tool_call_id", value.Int(5)), str("name", ""), str("name", "a b"),
			member("name", value.Int(5)), str("id", c.id), str("name", "<|start|>")))
	case c.id == "" || shape < 2:
		m.seen("result=by name")
		message = append(message, str("name", c.name))
	case shape == 2:
		m.seen("result=by both")
		message = append(message, str("tool_call_id", c.id), str("name", c.name))
	case shape == 3:
		m.seen("result=by id, named otherwise")
		message = append(message, str("tool_call_id", c.id), str("name", m.anyTool().name))
	default:
		m.seen("result=by id")
		message = append(message, str("tool_call_id", c.id))
		if m.s.OneIn(6) {
			message = append(message, fuzz.Pick(m.s, str("name", ""), member("name", value.Null())))
		}
	}
	m.add(m.extras(m.content(message, ""))...)
}
