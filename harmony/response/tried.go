package response

import (
	"math"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// try looks for the anchors that backtrack, one start after another: none is
// tried behind a place where another begins, whatever is known of the text behind
// it, so that the steps of each are the same for every cut.
func (m *machine) try(look search) error {
	for last := m.within; ; m.within = last {
		first := last
		if len(m.t.tried) > 1 && !m.prefix {
			first = m.firstStart(last)
		}
		if m.within = first; first > last {
			m.within = last
			return nil
		}
		for _, a := range m.t.tried {
			if err := m.lookFor(a, look); err != nil {
				return err
			}
		}
		if first == last || m.hold <= first || m.certain && m.best.Start <= first {
			return nil
		}
	}
}

// firstStart is where the first of the anchors that backtrack is tried next,
// behind last where none is up to there.
func (m *machine) firstStart(last int) int {
	first := math.MaxInt
	for _, a := range m.t.tried {
		if p, slot := m.scanOf(a); p != nil {
			first = min(first, m.scanIn(p, slot).Next(m.pos, &m.text, last))
		}
	}
	if first >= m.text.Base+len(m.text.S) {
		return math.MaxInt
	}
	return first
}

// scanIn is the scan that is kept in a place.
func (m *machine) scanIn(p *rx.Pattern, slot **rx.Scan) *rx.Scan {
	if *slot == nil {
		*slot = p.NewScan()
		(*slot).Budget = m.o.Limits.Steps
	}
	return *slot
}

// lookFor looks for one anchor.
func (m *machine) lookFor(a anchorOf, look search) error {
	p, slot := m.scanOf(a)
	return look(a.field, a.open, p, slot)
}

// scanOf is an anchor's pattern, and where the scan for it is kept.
func (m *machine) scanOf(a anchorOf) (*rx.Pattern, **rx.Scan) {
	if a.open {
		return a.field.open, &m.opens[a.field.index]
	}
	return a.field.close, m.closeOf(a.field)
}
