package response

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// record is what problems are made of. It stays empty when nobody asks.
type record struct {
	outsides []outside
	regions  []harmony.Region
	blank    []bool // for each region, whether there is nothing but space in it
	problems []harmony.Problem
	typed    map[*value.Object][]typing.Change // what typing changed in this region, by the arguments it is in
}

// outside is text that no region took, between two markers.
type outside struct {
	start, end int
	text       body
	next       string // the character behind it, where a marker begins
}

// outside adds text, and gives the number of bytes that were copied.
func (r *record) outside(at int, text string) int64 {
	if n := len(r.outsides); n > 0 && r.outsides[n-1].end == at {
		r.outsides[n-1].end += len(text)
		return r.outsides[n-1].text.add(text)
	}
	r.outsides = append(r.outsides, outside{start: at, end: at + len(text), text: body{first: text}})
	return 0
}

// followed notes what follows text outside regions that ends at a position.
func (r *record) followed(at int, rest string) {
	if n := len(r.outsides); n > 0 && r.outsides[n-1].end == at {
		_, size := utf8.DecodeRuneInString(rest)
		r.outsides[n-1].next = rest[:size]
	}
}

// extend makes the problems that are about a whole call, one from number first
// on, reach to the end of the marker that closed it.
func (r *record) extend(calls []harmony.Call, first int, end int64) {
	for i := len(r.problems) - 1; i >= 0 && r.problems[i].Call >= first; i-- {
		if p := &r.problems[i]; p.Span == calls[p.Call].Span {
			p.Span.End = end
		}
	}
}

func (m *machine) span(start, end int) harmony.Span {
	return harmony.Span{Start: int64(start - m.origin), End: int64(end - m.origin)}
}

func (m *machine) problem(kind harmony.ProblemKind, span harmony.Span, field string, call int, format string, args ...any) {
	m.record.problems = append(m.record.problems, harmony.Problem{
		Kind: kind, Span: span, Field: field, Call: call, Detail: fmt.Sprintf(format, args...)})
}

// noteRegion records a region that ended: what of its body is in no value, and
// what is wrong with the calls from number first on, which it holds.
func (m *machine) noteRegion(f *field, v value.Value, text string, end int, closed bool, err *Error, first int) {
	start := m.at.body
	m.record.regions = append(m.record.regions, harmony.Region{
		Field: f.name, Span: m.span(m.at.open, end), Body: m.span(start, start+len(text)), Closed: closed})
	m.steps += int64(len(text))
	m.record.blank = append(m.record.blank, value.Strip(text) == "")
	if err != nil {
		m.problem(harmony.BadSyntax, m.span(start, start+len(text)), f.name, -1, "%s: %s", err.Class(), err.Msg)
		return
	}
	call := -1
	if first < len(m.calls) {
		call = first
	}
	for _, l := range m.content.losses {
		if l.space && call < 0 && f.content.sub == nil {
			continue
		}
		m.problem(l.kind, m.span(start+int(l.span.Start), start+int(l.span.End)), f.name, call, "%s", l.detail)
	}
	for i := first; i < len(m.calls); i++ {
		m.checkCall(f, i)
	}
	m.checkWritten(f, v, text, first)
}

// overwritten records that a region's value takes the place of an earlier one.
func (m *machine) overwritten(f *field, old value.Value) {
	for i := len(m.record.regions) - 1; i >= 0; i-- {
		if r := m.record.regions[i]; r.Field == f.name {
			if !empty(old) {
				m.problem(harmony.RegionOverwritten, r.Span, f.name, -1, "a later %s takes the place of this one", f.name)
			}
			return
		}
	}
}

// report adds what only the end of the reply tells and puts all in order. Where
// an error ended the reading before, how the reply ends is not known but for the
// stop.
func (m *machine) report(stop harmony.Stop) (regions []harmony.Region, problems []harmony.Problem) {
	end := m.pos
	cut := false // the cut is in text outside regions
	for i := range m.record.outsides {
		o := &m.record.outsides[i]
		cut = m.reportOutside(o, stop, m.whole && o.end == end) || cut
	}
	m.reportEnd(stop, end, cut)
	if m.o.Reasoning {
		m.reportReasoning()
	}
	if m.o.OneCall {
		switch {
		case len(m.calls) == 0:
			m.problem(harmony.NoAction, m.span(end, end), "", -1, "the reply has no call")
		case len(m.calls) > 1:
			m.problem(harmony.MultipleActions, m.calls[1].Span, "", 1, "the reply has %d calls", len(m.calls))
		}
	}
	slices.SortStableFunc(m.record.problems, func(a, b harmony.Problem) int { return int(a.Span.Start - b.Span.Start) })
	return m.record.regions, m.record.problems
}

// reportEnd tells of a reply that ended before its last close.
func (m *machine) reportEnd(stop harmony.Stop, end int, cut bool) {
	_, stopped := stop.Token()
	span, field, call, open := m.span(end, end), "", -1, false
	if n := len(m.record.regions); n > 0 && m.whole {
		last := m.record.regions[n-1]
		f := m.t.field(last.Field)
		if open = !last.Closed && f.close != nil && last.Span.End == span.End; open {
			span, field = last.Span, last.Field
			for i, c := range m.calls {
				if c.Span == span {
					call = i
				}
			}
			if f.isReasoning && !m.closedBy(f, stop) {
				m.problem(harmony.UnclosedThink, span, field, -1, "the reply ended inside the reasoning")
			}
		}
	}
	switch {
	case stop.Length() && !cut:
		m.problem(harmony.CutOff, span, field, call, "the limit of tokens ended the reply")
	case open && !stop.Length() && !stopped:
		m.problem(harmony.Unclosed, span, field, call, "the last close is missing")
	}
}

// closedBy tells whether the stop token, which servers cut off, is the close of
// the field.
func (m *machine) closedBy(f *field, stop harmony.Stop) bool {
	token, _ := stop.Token()
	scan := m.content.scan(f.close)
	match, ok, err := scan.MatchAt(token, 0)
	m.steps += scan.Steps
	return err == nil && ok && token != "" && match.End == len(token)
}

// reportReasoning tells of a reply without reasoning, of a template that has a
// field for it. Where the prompt closed the reasoning, none is expected.
func (m *machine) reportReasoning() {
	at, has := m.span(m.origin, m.origin), false
	for _, f := range m.t.fields {
		if !f.isReasoning {
			continue
		}
		has = true
		for i, r := range m.record.regions {
			if r.Field == f.name {
				at = r.Span
				if !m.record.blank[i] || r.Closed && r.Span.End <= 0 {
					return
				}
			}
		}
	}
	if has {
		m.problem(harmony.NoReasoning, at, "", -1, "the reply has no reasoning")
	}
}

// reportOutside tells of text outside regions. Space and start anchors in it are
// syntax, and so is the stop token at the end. It tells whether the cut by the
// limit of tokens is in there.
func (m *machine) reportOutside(o *outside, stop harmony.Stop, last bool) (cut bool) {
	text, copied := o.text.text()
	m.steps += copied
	if token, ok := stop.Token(); ok && last {
		text = strings.TrimSuffix(text, token)
	}
	from := 0
	piece := func(to int, tail bool) {
		start, stop0 := from, to
		trimmed := strings.TrimLeftFunc(text[start:stop0], value.IsSpace)
		start = stop0 - len(trimmed)
		trimmed = strings.TrimRightFunc(trimmed, value.IsSpace)
		if trimmed == "" {
			return
		}
		span := m.span(o.start+start, o.start+start+len(trimmed))
		kind, detail := m.classify(trimmed, span)
		if tail && stop.Length() {
			kind, detail, cut = harmony.CutOff, "the limit of tokens ended the reply here", true
		}
		m.problem(kind, span, "", -1, "%s", detail)
	}
	around := text
	if !m.t.start.Plain() {
		around += o.next // which an anchor may look at
	}
	// An error can only be the budget; then the whole text is one piece.
	scan := m.t.start.NewScan() // in a piece of the text it is looked for, too
	scan.Budget = m.o.Limits.Steps
	_ = m.t.start.Each(around, scan, func(match *rx.Match) bool {
		if match.End > len(text) {
			return false
		}
		piece(match.Start, false)
		from = match.End
		return true
	})
	m.steps += scan.Steps + int64(len(text))
	piece(len(text), last)
	return cut
}

// classify tells what kind of problem discarded text is.
func (m *machine) classify(text string, span harmony.Span) (harmony.ProblemKind, string) {
	switch marker := m.marker(text); {
	case marker != "":
		return harmony.BadSyntax, fmt.Sprintf("text with the marker %q in it belongs to no region", short(marker))
	case len(m.calls) > 0 && span.End <= m.calls[0].Span.Start:
		return harmony.ProseBeforeAction, "text before the first call belongs to no region"
	case len(m.calls) > 0 && span.Start >= m.record.regions[len(m.record.regions)-1].Span.End:
		return harmony.TextAfterAction, "text behind the last region belongs to none"
	}
	return harmony.TextOutside, "text belongs to no region"
}

func (t *Template) field(name string) *field {
	for _, f := range t.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}
