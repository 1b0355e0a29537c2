package fuzz

import (
	"slices"
	"strings"
)

// maker makes the parts of one reply.
type maker struct {
	s     *Source
	t     *Template
	near  []string // markers of which text may hold the beginning
	tools []tool
	call  tool // the one that is being called
	// careless: contents may have faults, so that most replies without are read to
	// their end.
	careless bool
	begun    *Field // the region that the prefix began
	seen     func(trait string)
}

func (m *maker) text() string {
	return Text(m.s, m.near, func(k TextKind) { m.seen("text=" + k.String()) })
}

// wrong is true once in n times of a careless reply.
func (m *maker) wrong(n int) bool { return m.careless && m.s.OneIn(n) }

// body makes the body of a region: of its kind, now and then of any other.
func (m *maker) body(c *Content) string {
	if m.wrong(6) {
		m.seen("body=misfit")
		return Pick(m.s, m.text(), m.json(&Content{}, 2), "")
	}
	m.seen("content=" + c.Kind)
	switch c.Kind {
	case "int":
		return m.padded(Pick(m.s, "7", "-1", "007", "1_000", "+5", "٣_٤", "12345678901234567890", "0", "42", "9007199254740993"))
	case "float":
		return m.padded(Pick(m.s, "1.5", "7", "1e3", "1e400", "-0.0", "nan", "-Infinity", "１.５", "1e5_0", ".5", "3."))
	case "bool":
		return m.padded(Pick(m.s, "true", "True", "FALSE", "1", "0", "yes", "tRuE", m.text()))
	case "json":
		return m.around(m.json(c, 0))
	case "xml-inline":
		return m.tags(c)
	case "kv-lines":
		return m.lines(c)
	case "python-call-list":
		return m.around(m.callList())
	}
	return m.text()
}

// around puts space around a text now and then, of a kind that every reader
// takes for space unless the reply is careless.
func (m *maker) around(text string) string {
	space := func() string {
		switch {
		case !m.s.OneIn(4):
			return ""
		case m.careless:
			return Pick(m.s, spaces...)
		}
		return Pick(m.s, " ", "\n", "\t", "\r\n")
	}
	return space() + text + space()
}

// padded puts any space around a text that strip removes.
func (m *maker) padded(text string) string {
	n := len(spaces)
	if !m.careless {
		n = strippable
	}
	if m.s.OneIn(3) {
		text = spaces[m.s.N(n)] + text
	}
	if m.s.OneIn(3) {
		text += spaces[m.s.N(n)]
	}
	return text
}

// key chooses the name of an argument: mostly one of the tool's.
func (m *maker) key() string {
	if len(m.call.keys) > 0 && !m.s.OneIn(4) {
		return Pick(m.s, m.call.keys...)
	}
	return Pick(m.s, argumentNames...)
}

// name chooses the name of a tool and calls it.
func (m *maker) name() string {
	if len(m.tools) > 0 && !m.s.OneIn(6) {
		m.call = Pick(m.s, m.tools...)
		return m.call.name
	}
	m.call = tool{name: Pick(m.s, toolNames...)}
	return m.call.name
}

// argument writes the text of an argument.
func (m *maker) argument(c *Content) string {
	if c != nil {
		return m.body(c)
	}
	if m.s.OneIn(2) {
		m.seen("text=" + Numbers.String())
		return m.around(Pick(m.s, numbers...))
	}
	return m.text()
}

// tags writes text that matches a tag pattern a few times.
func (m *maker) tags(c *Content) string {
	if c.Tag == nil {
		return m.text()
	}
	var b strings.Builder
	var keys []string
	for n := m.s.N(5); n > 0; n-- {
		b.WriteString(Pick(m.s, "", "", "\n", " ", Pick(m.s, "", "", "", m.text())))
		b.WriteString(match(m.s, c.Tag, func(name string) (string, bool) {
			if name != "key" {
				return m.argument(c.Sub), name == "value"
			}
			key := m.key()
			if slices.Contains(keys, key) {
				m.seen("body=duplicate key")
			}
			keys = append(keys, key)
			return key, true
		}))
	}
	if m.s.OneIn(3) {
		b.WriteString("\n")
	}
	return b.String()
}

// lines writes lines of a key and a value.
func (m *maker) lines(c *Content) string {
	separator := func(key, otherwise string) string {
		o, _ := c.Args.AsObject()
		v, ok := o.Get(key)
		if text, isText := v.AsString(); ok && isText {
			return text
		}
		return otherwise
	}
	line, pair := separator("line_sep", "\n"), separator("kv_sep", ":")
	if o, _ := c.Args.AsObject(); o != nil {
		if v, has := o.Get("line_sep"); has && v.IsNull() {
			line = " "
		}
	}
	var b strings.Builder
	for n := m.s.N(5); n > 0; n-- {
		switch {
		case m.s.OneIn(8):
			b.WriteString(m.text()) // not a pair
		default:
			b.WriteString(m.around(m.key()) + pair + Pick(m.s, "", " ") + m.argument(c.Sub))
		}
		b.WriteString(line)
	}
	return b.String()
}
