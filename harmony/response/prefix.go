package response

import (
	"errors"
	"slices"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// readPrefix reads what the prompt holds of the turn: the text behind its last
// start anchor, or all of it where there is none. It is one feed of the
// reference, with the reference's own rule for when an anchor counts, because
// that decides how the reply is read (response-template-spec.md, sections 3.1 to 5).
func (m *machine) readPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	rest := prefix
	scan := m.t.start.NewScan()
	scan.Budget = m.o.Limits.Steps
	err := m.t.start.Each(prefix, scan, func(match *rx.Match) bool {
		rest = prefix[match.End:]
		return true
	})
	m.steps += scan.Steps
	if err != nil {
		return prefixError("", "start_anchor_pattern: ", err, len(prefix))
	}
	if rest == "" {
		return nil
	}
	m.origin = len(rest)
	m.load(rest, false)
	p := prefixScans{budget: m.o.Limits.Steps, text: rest, extended: rest + "\x00", of: map[*rx.Pattern]*prefixScan{}}
	m.prefix = true
	err = m.consume(func(f *field, open bool, pattern *rx.Pattern, _ **rx.Scan) error {
		if pattern == nil {
			return nil
		}
		start, match, err := p.search(pattern, m.pos)
		switch {
		case err != nil:
			return prefixError(f.name, "", err, len(rest))
		case match != nil:
			m.consider(found{f, open, *match})
		default:
			m.wait(start)
		}
		return nil
	})
	m.prefix = false
	for _, s := range p.of {
		m.steps += s.scan.Steps
	}
	if err != nil {
		return err
	}
	m.keep()
	return nil
}

// prefixError is the error of a pattern in the last bytes of the prefix, so many.
func prefixError(field, what string, err error, bytes int) *Error {
	e := patternError(KindLimit, what, err)
	var budget *rx.BudgetError
	if errors.As(err, &budget) {
		e.Field, e.Offset = field, int64(budget.Offset-bytes)
	}
	return e
}

// prefixScans answer for one feed what the reference's partial search does. They
// keep what they found as long as it holds, so that many anchors in a long
// prefix cost no more than a few searches of it.
type prefixScans struct {
	budget   int // of a pattern, in steps
	text     string
	extended string // with a character behind it: a match that changes was not certain
	of       map[*rx.Pattern]*prefixScan
}

type prefixScan struct {
	scan    *rx.Scan
	checked int  // the start of the match for which grows is known
	grows   bool // more text could change it
	atEnd   bool // the pattern matches the empty text at the end
	partial int  // the first start that is live at the end
}

// search gives a match that counts now, or the position from which on text is
// held back.
func (p *prefixScans) search(pattern *rx.Pattern, pos int) (start int, match *rx.Match, err error) {
	s := p.of[pattern]
	if s == nil {
		s = &prefixScan{scan: pattern.NewScan(), checked: -1, partial: -1}
		s.scan.Budget = p.budget
		if _, s.atEnd, err = s.scan.MatchAt(p.text, len(p.text)); err != nil {
			return 0, nil, err
		}
		p.of[pattern] = s
	}
	s.scan.From(pos)
	status, err := s.scan.Run(&rx.Text{S: p.text, Before: -1, End: true}, len(p.text))
	switch {
	case err != nil:
		return 0, nil, err
	case status == rx.Found:
		match = s.scan.Match()
		if s.checked != match.Start {
			s.checked = match.Start
			if s.grows, err = p.grows(s.scan, pattern, match); err != nil {
				return 0, nil, err
			}
		}
		if s.grows {
			return match.Start, nil, nil
		}
		return 0, match, nil
	case s.atEnd:
		return len(p.text), nil, nil
	case s.partial < pos:
		s.partial, err = s.scan.Partial(p.text, pos)
	}
	return s.partial, nil, err
}

// grows is the reference's test whether more text could change a match.
func (p *prefixScans) grows(scan *rx.Scan, pattern *rx.Pattern, m *rx.Match) (bool, error) {
	switch atEdge := m.End == len(p.text); {
	case atEdge && m.Start == m.End:
		return true, nil
	case pattern.Literal():
		return atEdge && pattern.Extends(), nil
	case atEdge:
		return true, nil
	}
	again, ok, err := scan.MatchAt(p.extended, m.Start)
	return !ok || again.End != m.End || !slices.Equal(again.Groups, m.Groups), err
}
