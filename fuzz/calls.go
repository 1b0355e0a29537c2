package fuzz

import "strings"

// callList writes a list of calls in Python's syntax.
func (m *maker) callList() string {
	return m.list(m.s.N(4), func() string {
		name := m.name()
		if m.s.OneIn(3) {
			name = Pick(m.s, "f", "g.h-i", "_x", "é", "1f", "f-")
		}
		var args []string
		for n := m.s.N(4); n > 0; n-- {
			args = append(args, Pick(m.s, "city", "days", "a", "b", m.key())+m.gap()+"="+m.gap()+m.python(0))
		}
		if m.s.OneIn(16) {
			args = append(args, m.python(2)) // without a name
		}
		return name + m.gap() + "(" + m.gap() + strings.Join(args, ","+m.gap()) + ")"
	})
}

// python writes a literal.
func (m *maker) python(depth int) string {
	switch n := m.s.N(12); {
	case n < 3 || depth > 3:
		return Pick(m.s, "7", "-1", "0", "-0", "1.5", "1e3", "-1.5e-7", "9007199254740991", "1e-400")
	case n < 6:
		return m.pythonString(m.text())
	case n < 8:
		return Pick(m.s, "True", "False", "None", "true", "false", "null")
	case n < 9:
		return m.list(m.s.N(3), func() string { return m.python(depth + 1) })
	case n < 11:
		var b strings.Builder
		for i := range m.s.N(3) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(m.pythonString(m.key()) + ": " + m.python(depth+1))
		}
		return "{" + b.String() + "}"
	}
	m.seen("body=bad python")
	return Pick(m.s, "007", "1_000", "9007199254740992", "1e400", "nan", "(1,)", "'a' 'b'", `'\x41'`, `'\ud800'`, `'\ud83d\ude00'`, "f(1)", "[1,]", "TRUE", "", "'a", "1.", "'\\\n'")
}

func (m *maker) pythonString(text string) string {
	quote := Pick(m.s, "'", "\"")
	return quote + strings.NewReplacer("\\", `\\`, quote, `\`+quote, "\n", `\n`, "\r", `\r`).Replace(text) + quote
}
