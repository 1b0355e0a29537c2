package fuzz

import "strings"

// callList writes a list of calls in Python's syntax.
func (m *maker) callList() string {
	return m.list(m.s.N(4), func() string {
		name := m.name()
		if !accepted(name) || m.s.OneIn(3) {
			name = Pick(m.s, "f", "g.h-i", "_x")
		}
		if m.wrong(4) {
			name = Pick(m.s, "é", "1f", "f-", "名")
		}
		var args []string
		for _, key := range []string{"city", "days", "a", "b"}[m.s.N(4):] {
			if m.wrong(4) {
				key = m.key()
			}
			args = append(args, key+m.gap()+"="+m.gap()+m.python(0))
		}
		if m.wrong(8) {
			args = append(args, m.python(2)) // without a name
		}
		return name + m.gap() + "(" + m.gap() + strings.Join(args, ","+m.gap()) + ")"
	})
}

// accepted tells whether Python's syntax takes a name.
func accepted(name string) bool { return name != "名" }

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
	case n < 11 || !m.careless:
		var b strings.Builder
		for i := range m.s.N(3) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(m.pythonString(argumentNames[i]) + ": " + m.python(depth+1))
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
