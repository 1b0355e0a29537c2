package pattern

import (
	"slices"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// matcher applies the reference's rules to one part.
type matcher struct {
	*Part
	scan  *rx.Scan
	known map[string]state // sofar, of texts that begin alike
	size  int              // of the pattern, in parts
	spent int              // characters looked at, times size
}

// maxSpent bounds what is spent on one part, some seconds, and allSpent what is
// spent on all parts of a template.
const (
	maxSpent = 200_000_000
	allSpent = 4 * maxSpent
)

// sizeOf counts the parts of a pattern.
func sizeOf(t *rx.Tree) int {
	n := 1
	if t != nil {
		for _, sub := range t.Subs {
			n += sizeOf(sub)
		}
	}
	return n
}

// state is what sofar gave.
type state struct {
	mark
	ok bool
}

func (p *Part) matcher() *matcher {
	m := &matcher{p, p.rx.NewScan(), map[string]state{}, sizeOf(p.tree), 0}
	m.scan.Budget = 20000
	return m
}

// mark is what the reference knows of a part at some time: that it has matched, or
// from where on it may.
type mark struct {
	match bool
	start int // of the match, or where one may begin
	end   int // of the match
	names []int
}

// whole is the first match in a text that is complete, or its end. False where that
// cannot be told.
func (m *matcher) whole(text string, from int) (found mark, ok bool) {
	got, matched, err := m.scan.Search(text, from)
	if err != nil {
		return mark{}, false
	}
	if !matched || got.Start == len(text) && got.End == got.Start {
		return mark{start: len(text)}, true // an empty match at the end is never taken
	}
	return mark{true, got.Start, got.End, slices.Clone(got.Groups)}, true
}

// begun is sofar for the beginning of a text, kept for others that begin alike.
func (m *matcher) begun(text string) (mark, bool) {
	s, ok := m.known[text]
	if !ok {
		s.mark, s.ok = m.sofar(text, 0)
		m.spent += len(text) * m.size
		m.known[text] = s
	}
	return s.mark, s.ok
}

// sofar is what the reference makes of a text that may go on: _scan for one anchor.
// False where that cannot be told.
func (m *matcher) sofar(text string, from int) (found mark, ok bool) {
	got, matched, err := m.scan.Search(text, from)
	if err != nil {
		return mark{}, false
	}
	if !matched {
		start, err := m.scan.Partial(text, from)
		return mark{start: start}, err == nil
	}
	found = mark{true, got.Start, got.End, slices.Clone(got.Groups)}
	grows, ok := m.grows(text, found)
	if grows {
		found = mark{start: found.start}
	}
	return found, ok
}

// grows is the reference's _can_grow.
func (m *matcher) grows(text string, found mark) (grows, ok bool) {
	switch atEdge := found.end == len(text); {
	case atEdge && m.Literals != nil:
		return m.rx.Extends(), true
	case atEdge:
		return true, true
	case m.Literals != nil:
		return false, true
	}
	again, matched, err := m.scan.MatchAt(text+"\x00", found.start)
	if err != nil {
		return false, false
	}
	return !matched || again.End != found.end || !slices.Equal(again.Groups, found.names), true
}

// same tells whether two marks are one match.
func (a mark) same(b mark) bool {
	return a.match == b.match && a.start == b.start && (!a.match || a.end == b.end && slices.Equal(a.names, b.names))
}
