package response

import (
	"errors"
	"math"
	"slices"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// found is a match of an anchor that is watched.
type found struct {
	field *field
	open  bool
	rx.Match
}

// before is the reference's order of matches: by start, longest first, an open
// before a close, then by name (response-template-spec.md, section 5).
func (a *found) before(b *found) bool {
	switch {
	case a.Start != b.Start:
		return a.Start < b.Start
	case a.End != b.End:
		return a.End > b.End
	case a.open != b.open:
		return a.open
	}
	return a.field.name < b.field.name
}

// search is what one anchor adds to a round of looking for the next one.
type search func(f *field, open bool, p *rx.Pattern, slot **rx.Scan) error

// consume takes one anchor after another, as long as look is certain of the
// next, then the text up to which no anchor can begin any more.
func (m *machine) consume(look search) error {
	for !m.stuck {
		if err := m.scan(look); err != nil {
			return err
		}
		switch {
		case m.certain && m.best.Start < m.hold:
			if m.best.Start > m.pos {
				m.take(m.best.Start)
			}
			if err := m.apply(&m.best); err != nil {
				return err
			}
			continue
		case m.spent.err != nil && m.spent.start == m.hold && m.spent.count == m.waiting:
			if m.hold > m.pos {
				m.take(m.hold)
			}
			return m.spent.err
		case m.isSure():
			if m.hold > m.pos {
				m.take(m.hold)
			}
			return m.enter(m.sure.field, m.sure.open, m.hold)
		}
		if m.hold > m.pos {
			m.take(m.hold)
		}
		if m.opened && m.cur == m.t.implicit && m.edge.at == m.hold && m.edge.opens() {
			return m.closeRegion(false)
		}
		return nil
	}
	m.cur = nil // nothing takes the rest
	m.take(m.text.Base + len(m.text.S))
	return nil
}

// near is how far the anchors are first looked for, in bytes; then four times as
// far. So an anchor that comes soon is not searched behind others that are far.
const near = 256

// scan looks for the anchors that may come next. It leaves the best match in
// best, if there is a certain one, and in hold the position from which on an
// anchor may begin that is not certain.
func (m *machine) scan(look search) error {
	end := m.text.Base + len(m.text.S)
	m.hold, m.within, m.certain = end, math.MaxInt, false
	m.sure, m.waiting, m.spent, m.edge = anchorAt{}, 0, spent{}, edge{at: math.MaxInt}
	if f := m.begun.field; f != nil {
		if m.begun.open {
			return look(f, true, f.open, &m.opens[f.index])
		}
		return look(f, false, f.close, m.closeOf(f))
	}
	if m.cur != nil && m.cur != m.t.implicit {
		return look(m.cur, false, m.cur.close, m.closeOf(m.cur))
	}
	for far := near; ; far *= 4 {
		m.within = math.MaxInt
		if far < end-m.pos {
			m.within = m.pos + far
		}
		for _, a := range m.t.searched {
			if err := m.lookFor(a, look); err != nil {
				return err
			}
		}
		if err := m.try(look); err != nil {
			return err
		}
		if far >= end-m.pos || m.certain || m.waiting > 0 {
			return nil
		}
	}
}

// closeOf is where the scan for a field's close is kept.
func (m *machine) closeOf(f *field) **rx.Scan {
	if f == m.t.implicit {
		return &m.closes[len(m.closes)-1]
	}
	return &m.closes[f.index]
}

// look goes on with the search for one anchor.
func (m *machine) look(f *field, open bool, p *rx.Pattern, slot **rx.Scan) error {
	if p == nil {
		return nil
	}
	s := m.scanIn(p, slot)
	s.From(m.pos)
	status, err := s.Run(&m.text, m.within)
	switch {
	case err != nil:
		return m.spend(f, open, err)
	case status == rx.Found:
		m.consider(found{f, open, *s.Match()})
		m.edge.note(s.Match().Start, open, true, false)
	case status == rx.Pending:
		m.wait(s.Live())
		m.edge.note(s.Live(), open, s.Sure(), p.Backtracks())
		if s.Sure() && m.begun.field == nil {
			m.sure = anchorAt{f, open, s.Live()}
		}
	}
	return nil
}

// spend notes that an anchor's pattern ran out of steps: whether it begins there
// cannot be told, and reading ends there unless another one takes the text first.
func (m *machine) spend(f *field, open bool, err error) error {
	e := patternError(KindLimit, "", err)
	var budget *rx.BudgetError
	if !errors.As(err, &budget) {
		return e
	}
	e.Field, e.Offset = f.name, int64(budget.Offset-m.origin)
	if at := budget.Offset; m.spent.err == nil || at < m.spent.start {
		m.spent = spent{at, e, 1}
	} else if at == m.spent.start {
		m.spent.count++
	}
	m.edge.note(budget.Offset, open, false, true)
	m.wait(budget.Offset)
	return nil
}

// spent is the first position at which patterns of anchors ran out of steps, so
// many of those that are looked for, with the error of the first of them. Reading
// ends there when it is known of all that may begin there, so that the error is
// the same for every cut.
type spent struct {
	start int
	err   *Error
	count int
}

// anchorAt is an anchor that matches from start on, whatever follows; only where
// the match ends is open.
type anchorAt struct {
	field *field
	open  bool
	start int
}

// isSure tells whether the region changes at hold, whatever follows: one anchor
// matches there, no other may begin there or before, and what it captures is not
// asked for yet.
func (m *machine) isSure() bool {
	a := &m.sure
	return a.field != nil && a.start == m.hold && m.waiting == 1 &&
		!(m.certain && m.best.Start <= m.hold) && (a.open || len(a.field.closeNames) == 0)
}

func (m *machine) consider(c found) {
	if !m.certain || c.before(&m.best) {
		m.best, m.certain = c, true
	}
	m.within = min(m.within, c.Start)
}

// wait notes that an anchor may begin at a position.
func (m *machine) wait(at int) {
	switch {
	case at < m.hold || m.waiting == 0:
		m.waiting = 1
	case at == m.hold:
		m.waiting++
	}
	m.hold = min(m.hold, at)
	m.within = min(m.within, at)
}

// apply takes a match: its region opens, or the current one closes.
func (m *machine) apply(f *found) error {
	if m.begun.field == nil {
		if !f.open {
			m.captures = m.groups(m.captures, f, f.field.closeNames)
		}
		if err := m.enter(f.field, f.open, f.Start); err != nil {
			return err
		}
	}
	return m.leave(f)
}

// enter changes the region at the start of a match.
func (m *machine) enter(f *field, open bool, start int) error {
	m.begun = begun{anchorAt{f, open, start}, m.opened, len(m.calls)}
	if m.o.Problems {
		m.record.followed(start, m.text.S[start-m.text.Base:])
	}
	if err := m.closeRegion(!open); err != nil || !open {
		return err
	}
	m.cur, m.opened = f, true
	m.at.open, m.at.body = start, start
	m.emit(harmony.Event{Type: harmony.RegionOpen, Field: f.name})
	return nil
}

// leave goes on behind a match that the region changed at.
func (m *machine) leave(f *found) error {
	was := m.begun
	m.begun = begun{}
	m.pos = f.End
	empty := f.Start == f.End
	if f.open {
		m.captures = m.groups(m.captures, f, f.field.openNames)
		m.at.body = f.End
		if empty && m.idle == f.Start {
			return m.limit(f.Start, "field %s opens and closes without end on nothing", f.field.name)
		}
		m.idle = -1
		if empty {
			m.idle = f.Start
		}
		return nil
	}
	m.record.extend(m.calls, was.calls, int64(f.End-m.origin))
	for i := was.calls; i < len(m.calls); i++ {
		m.calls[i].Span.End = int64(f.End - m.origin)
	}
	if n := len(m.record.regions); n > 0 && was.opened {
		m.record.regions[n-1].Span.End = int64(f.End - m.origin)
	}
	if m.idle != f.End {
		m.idle = -1
	}
	m.stuck = !was.opened && empty
	return nil
}

// begun is a match whose start changed the region already.
type begun struct {
	anchorAt
	opened bool // there was a region before
	calls  int  // how many calls there were
}

// groups adds the groups that took part in a match to the captures; a later one
// of the same name wins.
func (m *machine) groups(to []capture, f *found, names []string) []capture {
	for i, name := range names {
		start, end, ok := f.Group(i)
		if !ok {
			continue
		}
		c := capture{name, m.text.S[start-m.text.Base : end-m.text.Base]}
		if j := slices.IndexFunc(to, func(c capture) bool { return c.name == name }); j >= 0 {
			to[j] = c
		} else {
			to = append(to, c)
		}
	}
	return to
}
