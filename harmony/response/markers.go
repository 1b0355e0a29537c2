package response

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// marker gives the first part of a text that an anchor matches, or that is an
// added marker; "" for none.
func (m *machine) marker(text string) string {
	first, at := "", len(text)
	take := func(start, end int) {
		if start < at && end > start {
			first, at = text[start:end], start
		}
	}
	m.steps += int64(len(m.o.Markers) * len(text))
	for _, s := range m.o.Markers {
		if i := strings.Index(text, s); i >= 0 {
			take(i, i+len(s))
		}
	}
	for _, f := range m.t.fields {
		take(m.match(f.open, text))
		take(m.match(f.close, text))
	}
	take(m.match(m.t.start, text))
	return first
}

// match gives where a pattern, if there is one, first matches any of a text; twice
// 0 where it does not.
func (m *machine) match(p *rx.Pattern, text string) (start, end int) {
	if p == nil {
		return 0, 0
	}
	scan := m.content.scan(p)
	match, ok, err := scan.Search(text, 0)
	m.steps += scan.Steps
	if err != nil || !ok {
		return 0, 0
	}
	return match.Start, match.End
}

// hasMatch tells whether a pattern, if there is one, matches any of a text.
func (m *machine) hasMatch(p *rx.Pattern, text string) bool {
	start, end := m.match(p, text)
	return end > start
}

// short is the beginning of a text, to quote it.
func short(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
