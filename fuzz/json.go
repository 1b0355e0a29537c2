package fuzz

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// json writes JSON text in the dialect of a content parser. At depth 0 it is what
// the region's transform asks for: the arguments of a call where it says nothing.
func (m *maker) json(c *Content, depth int) string {
	if depth == 0 && !m.s.OneIn(8) {
		return m.object(c, 1)
	}
	switch n := m.s.N(10); {
	case n < 2 || depth > 4:
		return m.quoted(c, m.argument(nil))
	case n < 3:
		return Pick(m.s, "true", "false", "null")
	case n < 5:
		return m.object(c, depth+1)
	case n < 6:
		return m.list(m.s.N(4), func() string { return m.json(c, depth+1) })
	case n < 9 || !m.careless:
		m.seen("text=" + Numbers.String())
		return Pick(m.s, "7", "0", "-0", "1.0", "1e2", "1.50", "1e400", "12345678901234567890", "9007199254740993", "NaN", "-Infinity", "-1.5e-7", "1e16", "0.00001")
	}
	m.seen("body=bad json")
	return Pick(m.s, "007", "1.", ".5", "+1", "True", "None", "'a'", "-NaN", "", "{", "]", "[1,]", `{"a":1,}`, "\u00a01", "\ufeff1", "\"a\nb\"", `"\x"`, `"\ud800"`,
		`"\ud83d\ude00"`, `"\ud83dA"`, "\x011\x02", `{"a" 1}`, "/**/1", `"a`)
}

func (m *maker) list(n int, item func() string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item()
	}
	return "[" + m.gap() + strings.Join(items, m.gap()+","+m.gap()) + m.gap() + "]"
}

// gap is space where JSON allows it, mostly none.
func (m *maker) gap() string {
	if !m.s.OneIn(3) {
		return ""
	}
	if m.wrong(4) {
		return Pick(m.s, spaces...)
	}
	return Pick(m.s, " ", "\n", "\t", "\r\n", "  ")
}

// object writes an object of arguments.
func (m *maker) object(c *Content, depth int) string {
	var members []member
	for n := m.s.N(5); n > 0; n-- {
		members = append(members, member{m.key(), m.json(c, depth+1)})
	}
	return m.members(c, members)
}

// member is a member of an object, its value as text.
type member struct{ key, text string }

func (m *maker) members(c *Content, members []member) string {
	var b strings.Builder
	b.WriteString("{" + m.gap())
	for i, x := range members {
		if i > 0 {
			b.WriteString("," + m.gap())
		}
		b.WriteString(m.keyText(c, x.key) + m.gap() + ":" + m.gap() + x.text)
	}
	b.WriteString(m.gap() + "}")
	return b.String()
}

// keyText writes a key bare where the dialect allows it.
func (m *maker) keyText(c *Content, key string) string {
	if c.Args.Get("unquoted_keys").Truthy() && (m.careless || !strings.Contains(key, " ")) && !m.s.OneIn(4) {
		return key
	}
	return value.Dumps(value.String(key))
}

// quoted writes a string: in one of the dialect's own delimiters, or as JSON,
// escaped or not.
func (m *maker) quoted(c *Content, text string) string {
	if pairs, ok := c.Args.Get("string_delims").AsArray(); ok && m.s.OneIn(2) {
		pair, _ := pairs.At(m.s.N(pairs.Len())).AsArray()
		open, _ := pair.At(0).AsString()
		end, _ := pair.At(1).AsString()
		return open + text + end
	}
	if m.s.OneIn(2) {
		return value.Dumps(value.String(text))
	}
	return string(value.Append(nil, value.String(text), value.ToJSON))
}

// wantedJSON writes what a transform asks for: an object with the members that
// the paths name, or a list of such objects.
func (m *maker) wantedJSON(f *Field) string {
	if f.Each {
		return m.list(m.s.N(4), func() string { return m.tree(&f.Content, f.Wanted) })
	}
	return m.tree(&f.Content, f.Wanted)
}

// tree writes an object that has all the paths.
func (m *maker) tree(c *Content, paths [][]string) string {
	var members []member
	for len(paths) > 0 {
		key := paths[0][0]
		var below, rest [][]string
		leaf := false
		for _, p := range paths {
			switch {
			case p[0] != key:
				rest = append(rest, p)
			case len(p) == 1:
				leaf = true
			default:
				below = append(below, p[1:])
			}
		}
		members = append(members, member{key, m.leaf(c, key, below, leaf)})
		paths = rest
	}
	if len(members) > 0 && m.wrong(4) {
		m.seen("body=wanted key missing")
		members = members[1:]
	}
	if m.s.OneIn(3) {
		members = append(members, member{m.key(), m.json(c, 2)})
	}
	return m.members(c, members)
}

// leaf writes the value that a transform asks for under a key.
func (m *maker) leaf(c *Content, key string, below [][]string, leaf bool) string {
	switch {
	case len(below) > 0:
		return m.tree(c, below)
	case leaf && strings.HasSuffix(key, "name"):
		return m.quoted(c, m.name())
	case leaf && m.s.OneIn(8):
		return m.json(c, 2)
	}
	return m.object(c, 2)
}
