package response

import (
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
	err := m.t.start.Each(prefix, scan, func(match *rx.Match) bool {
		rest = prefix[match.End:]
		return true
	})
	if err != nil {
		return patternError(KindLimit, "start_anchor_pattern: ", err)
	}
	if rest == "" {
		return nil
	}
	m.origin = len(rest)
	m.load(rest, false)
	p := prefixScans{text: rest, extended: rest + "\x00", of: map[*rx.Pattern]*prefixScan{}}
	err = m.consume(func(f *field, open bool, pattern *rx.Pattern, _ **rx.Scan) error {
		if pattern == nil {
			return nil
		}
		start, match, err := p.search(pattern, m.pos)
		switch {
		case err != nil:
			return patternError(KindLimit, "", err)
		case match != nil:
			m.consider(found{f, open, *match})
		default:
			m.wait(start)
		}
		return nil
	})
	if err != nil {
		return err
	}
	m.keep()
	m.watch, m.watches = m.watched()
	return nil
}

// prefixScans answer for one feed what the reference's partial search does. They
// keep what they found as long as it holds, so that many anchors in a long
// prefix cost no more than a few searches of it.
type prefixScans struct {
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
		if _, s.atEnd, err = pattern.MatchAt(p.text, len(p.text)); err != nil {
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
			if s.grows, err = p.grows(pattern, match); err != nil {
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
		s.partial, _, err = pattern.Partial(p.text, pos)
	}
	return s.partial, nil, err
}

// grows is the reference's test whether more text could change a match.
func (p *prefixScans) grows(pattern *rx.Pattern, m *rx.Match) (bool, error) {
	switch atEdge := m.End == len(p.text); {
	case atEdge && m.Start == m.End:
		return true, nil
	case pattern.Literal():
		return atEdge && pattern.Extends(), nil
	case atEdge:
		return true, nil
	}
	again, ok, err := pattern.MatchAt(p.extended, m.Start)
	return !ok || again.End != m.End || !slices.Equal(again.Groups, m.Groups), err
}
