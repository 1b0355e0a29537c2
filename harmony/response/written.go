package response

import (
	"math"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// checkWritten tells of a region's values that cannot be written into a turn
// again: what no text or no JSON can say, and arguments between tags that, put
// there as chat templates do, would be read as something else.
func (m *machine) checkWritten(f *field, v value.Value, text string, call int) {
	whole := m.span(m.at.body, m.at.body+len(text))
	if what := unsayable(v); what != "" {
		m.problem(harmony.Unwritable, whole, f.name, call, "the value holds %s", what)
		return
	}
	if call < 0 || f.content.xml == nil || f.content.xml.err != nil || f.content.xml.value < 0 || f.content.xml.key < 0 {
		return
	}
	_, args, ok := callParts(m.calls[call].Value)
	if !ok {
		return
	}
	tags := f.content.lastTags(text, &m.content)
	for name, v := range args.All() {
		tag, ok := tags[name]
		if !ok || v.Kind() == value.KindArray && f.content.xml.merge {
			continue // a list may be written as several tags
		}
		if got, ok := m.rewritten(f.content, tag, v, call, name); !ok || !value.Equal(got, v) {
			m.problem(harmony.Unwritable, m.span(m.at.body+tag.start, m.at.body+tag.start+len(tag.text)), f.name, call,
				"the argument %q, written again, is not read as %s", name, value.Dumps(v))
		}
	}
}

// unsayable names what of a value cannot be written, "" for nothing.
func unsayable(v value.Value) string {
	switch v.Kind() {
	case value.KindString:
		if s, _ := v.AsString(); value.InvalidUTF8(s) >= 0 {
			return "half a surrogate pair, which no text can"
		}
	case value.KindFloat:
		if f, _ := v.AsFloat(); math.IsNaN(f) || math.IsInf(f, 0) {
			return value.Dumps(v) + ", which JSON has not"
		}
	case value.KindArray:
		a, _ := v.AsArray()
		for _, item := range a.All() {
			if what := unsayable(item); what != "" {
				return what
			}
		}
	case value.KindObject:
		o, _ := v.AsObject()
		for name, item := range o.All() {
			if what := unsayable(value.String(name)) + unsayable(item); what != "" {
				return what
			}
		}
	}
	return ""
}

// tag is one tag of a body: its text, where that starts, and where in it the
// value stands.
type tag struct {
	text        string
	start       int
	value, rest int
}

// lastTags finds for each key its last tag, whose value counts.
func (c *content) lastTags(text string, r *reading) map[string]tag {
	tags := map[string]tag{}
	scan := r.scan(c.xml.pattern)
	// An error can only be the budget, and then it was told when the text was read.
	_ = c.xml.pattern.Each(text, scan, func(match *rx.Match) bool {
		from, to, ok1 := match.Group(c.xml.key)
		start, end, ok2 := match.Group(c.xml.value)
		if ok1 && ok2 {
			tags[text[from:to]] = tag{text[match.Start:match.End], match.Start, start - match.Start, end - match.Start}
		}
		return true
	})
	return tags
}

// rewritten writes a value into its tag, text as it is and all else as JSON, and
// reads it; not ok where the tag is not one any more.
func (m *machine) rewritten(c *content, t tag, v value.Value, call int, name string) (value.Value, bool) {
	text, ok := v.AsString()
	if !ok {
		text = string(value.Append(nil, v, value.ToJSON))
	}
	written := t.text[:t.value] + text + t.text[t.rest:]
	match, ok, err := c.xml.pattern.MatchAt(written, 0)
	if err != nil || !ok || match.End != len(written) {
		return v, false
	}
	r := reading{depth: m.content.depth}
	got, failed := c.xmlValue(written, &match, &r)
	if failed != nil {
		return v, false
	}
	if s, isText := got.AsString(); isText && m.o.Tools.len() > 0 {
		tool, _, _ := callParts(m.calls[call].Value)
		if known := m.o.Tools.byName[tool]; known != nil {
			got, failed = coerce(s, known.properties[name].types, &r)
		}
	}
	return got, failed == nil
}
