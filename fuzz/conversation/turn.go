package conversation

import (
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// instructions begins the conversation with system and developer messages,
// mostly one or none.
func (m *maker) instructions() {
	for n := m.s.N(4) - m.s.N(3); n > 0; n-- {
		m.seen("role=instruction")
		m.instruction()
	}
}

func (m *maker) instruction() {
	m.add(m.extras(m.content([]value.Member{str("role", fuzz.Pick(m.s, "system", "developer"))}, ""))...)
}

// exchange is what a user begins: a question, calls and results, an answer. Each
// part may be missing.
func (m *maker) exchange() {
	if !m.s.OneIn(6) {
		m.user()
	}
	for n := m.s.N(6) - 3; n > 0; n-- {
		m.results(m.calls())
		if m.s.OneIn(8) {
			m.user()
		}
	}
	if !m.s.OneIn(5) {
		m.answer()
	}
	if m.s.OneIn(8) {
		m.seen("role=late instruction")
		m.instruction()
	}
	if m.wrong(6) {
		m.stranger()
	}
}

func (m *maker) user() {
	m.seen("role=user")
	message := []value.Member{str("role", "user")}
	if m.s.OneIn(12) {
		message = append(message, str("name", m.some("")))
	}
	m.add(m.extras(m.content(message, ""))...)
}

// answer is an assistant's turn without calls.
func (m *maker) answer() {
	m.seen("role=answer")
	message := m.content(m.reasoning([]value.Member{str("role", "assistant")}), beam.MarkChannel)
	if m.s.OneIn(8) {
		m.seen("calls=none")
		message = append(message, fuzz.Pick(m.s, member("tool_calls", value.Null()), member("tool_calls", value.List())))
	}
	m.add(m.extras(message)...)
}

// stranger is a message of a role that there is not.
func (m *maker) stranger() {
	m.seen("role=unknown")
	role := fuzz.Pick(m.s, member("role", value.Null()), str("role", ""), str("role", "function"), str("role", "User"), member("role", value.Int(5)),
		str("name", "x"), str("role", "ipython"), member("role", value.List(value.String("user"))))
	m.add(m.content([]value.Member{role}, "")...)
}

// reasoning adds the reasoning of a turn in any of its three fields.
func (m *maker) reasoning(members []value.Member) []value.Member {
	first, second := fuzz.Pick(m.s, "reasoning_content", "thinking", "reasoning"), fuzz.Pick(m.s, "thinking", "reasoning", "reasoning_content")
	shape := m.s.N(12)
	if m.thinking && shape > 7 && !m.wrong(2) {
		shape = 0
	}
	if shape < 8 {
		m.seen("reasoning=" + first)
		text := m.some(beam.MarkChannel)
		if m.wrong(12) {
			text = fuzz.Pick(m.s, " ", "\n", "\u3000", "\x1c")
		}
		if value.Strip(text) == "" {
			m.seen("reasoning=blank")
			if m.thinking && !m.wrong(2) {
				text = "I think so."
			}
		}
		members = append(members, str(first, text))
		if shape == 7 && first != second {
			m.seen("reasoning=twice")
			members = append(members, str(second, text))
		}
		if m.wrong(16) && first != second {
			m.seen("reasoning=different texts")
			members = append(members, str(second, m.some("")))
		}
		return members
	}
	switch {
	case m.wrong(6):
		m.seen("reasoning=misfit")
		return append(members, member(first, fuzz.Pick(m.s, parse("5"), parse("[]"), parse("{}"), parse("false"), parse(`["a"]`))))
	case shape == 8:
		m.seen("reasoning=null")
		return append(members, member(first, value.Null()))
	case shape == 9:
		m.seen("reasoning=empty")
		return append(members, str(first, ""))
	case shape == 10 && first != second:
		m.seen("reasoning=empty beside null")
		return append(members, member(first, value.Null()), str(second, ""))
	}
	m.seen("reasoning=missing")
	return members
}
