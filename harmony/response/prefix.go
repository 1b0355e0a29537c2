package response

import (
	"slices"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// readPrefix reads what the prompt holds of the turn: the text behind its last
// start anchor, or all of it where there is none. It is one feed of the
// reference, with the reference's own rule for when an anchor counts, because
// that decides how the reply is read (spec, sections 3.1 to 5).
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
	m.load(rest)
	err = m.consume(func(f *field, open bool, p *rx.Pattern, _ **rx.Scan) error {
		if p == nil {
			return nil
		}
		start, match, full, err := partialSearch(p, rest, m.pos)
		switch {
		case err != nil:
			return patternError(KindLimit, "", err)
		case full:
			m.consider(found{f, open, match})
		default:
			m.wait(start)
		}
		return nil
	})
	if err != nil {
		return err
	}
	m.keep()
	return nil
}

// partialSearch is the reference's partial search with its test for growth: a
// match that counts now, or the position from which on text is held back.
func partialSearch(p *rx.Pattern, text string, pos int) (start int, match rx.Match, full bool, err error) {
	match, ok, err := p.Search(text, pos)
	if err != nil {
		return 0, match, false, err
	}
	if !ok {
		start, err = p.Partial(text, pos)
		return start, match, false, err
	}
	grows := false
	switch {
	case match.End < len(text) && p.Literal():
	case match.End < len(text):
		again, ok, err := p.MatchAt(text+"\x00", match.Start)
		if err != nil {
			return 0, match, false, err
		}
		grows = !ok || again.End != match.End || !slices.Equal(again.Groups, match.Groups)
	case match.Start == match.End:
		grows = true
	case p.Literal():
		grows = p.Extends()
	default:
		grows = true
	}
	return match.Start, match, !grows, nil
}
