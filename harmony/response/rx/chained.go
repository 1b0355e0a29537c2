package rx

import (
	"strings"
	"unicode/utf8"
)

// memo is what a scan knows of a run or of a lazy stretch that begins anywhere
// between from and to: it does not end before to, and with ends it ends there.
// So no byte is searched twice, though several matches begin before it.
type memo struct {
	from, to int
	ends     bool
}

// resume gives where to go on for what begins at a position, and whether it is
// known to end there.
func (m *memo) resume(at int) (to int, ends bool) {
	if m.from <= at && at <= m.to {
		return m.to, m.ends
	}
	*m = memo{from: at, to: at}
	return at, false
}

// progress is how far the match that may begin at start has come: its part begins
// at a position.
type progress struct{ start, part, at int }

type outcome uint8

const (
	no        outcome = iota
	yes               // it matches
	undecided         // more text will tell
	sure              // it matches; more text will tell how far
	never             // nothing from here on matches
)

// runChain looks for the leftmost match.
func (s *Scan) runChain(t *Text, limit int) Status {
	c := s.p.prog.chain
	if s.memos == nil {
		s.memos = make([]memo, len(c.parts))
		s.found.Groups = make([]int, s.p.prog.slots)
		s.forget()
	}
	for s.at <= limit && s.at < t.end() {
		at := s.at
		if s.part.start != at {
			at = s.begin(c, t, limit)
		}
		if at < 0 {
			break
		}
		if s.at = at; at > limit {
			return None
		}
		from := s.part
		if from.start != at {
			from = progress{at, 0, at}
			for i := range s.found.Groups {
				s.found.Groups[i] = -1
			}
		}
		end, out := s.follow(c, from.part, t, from.at-t.Base)
		switch out {
		case yes:
			s.found.Start, s.found.End = at, t.Base+end
			return Found
		case undecided, sure:
			s.live, s.sure, s.part.start = at, out == sure, at
			return Pending
		case never:
			s.at = t.end()
			return None
		}
		s.at++
	}
	return None
}

// forget drops what is known of a text.
func (s *Scan) forget() {
	s.part.start = -1
	for i := range s.memos {
		s.memos[i] = memo{from: -1, to: -1}
	}
}

// begin gives the next position at which a match may begin; -1 where there is
// none up to limit, and then s.at is where to go on.
func (s *Scan) begin(c *chain, t *Text, limit int) int {
	rest, near := t.S[s.at-t.Base:], limit-s.at
	if c.lead == 0 {
		i, seen := c.head.find(rest, near)
		s.Steps += int64(seen)
		if i < 0 {
			s.at = t.past(limit)
			return -1
		}
		return s.at + i
	}
	option := c.parts[0].text
	if near < len(rest) {
		near += len(option)
	}
	i, seen := c.head.find(rest, near)
	s.Steps += int64(seen)
	if i >= len(option) && strings.HasPrefix(rest[i-len(option):], option) {
		return s.at + i - len(option)
	}
	if whole := i >= 0 && len(rest)-i >= len(c.head.text); !whole && !t.End && seen == len(rest) {
		// What may be missing may begin at the end, with some of the text behind it.
		for k := max(0, len(rest)-len(option)-len(c.head.text)); k < len(rest) && (i < 0 || k < i); k++ {
			s.Steps++
			if rest[k] == option[0] && begins(rest[k:], option, c.head.text) {
				return s.at + k
			}
		}
	}
	if i < 0 {
		s.at = t.past(limit)
		return -1
	}
	return s.at + i
}

// begins tells whether the text a+b begins with s.
func begins(s, a, b string) bool {
	n := min(len(s), len(a))
	return s[:n] == a[:n] && strings.HasPrefix(b, s[n:])
}

// follow matches the parts from i on, which begin at byte at of the text known.
func (s *Scan) follow(c *chain, i int, t *Text, at int) (end int, out outcome) {
	text := t.S
	for ; i < len(c.parts); i++ {
		p := &c.parts[i]
		s.save(p, t.Base+at)
		s.part.part, s.part.at = i, t.Base+at
		switch p.kind {
		case partText, partOption:
			n := min(len(p.text), len(text)-at)
			same := text[at:at+n] == p.text[:n]
			s.Steps += int64(n)
			switch {
			case same && n == len(p.text):
				at += n
			case same && !t.End:
				if p.kind == partOption && p.tail {
					return 0, sure
				}
				return 0, undecided
			case p.kind == partText:
				return 0, no
			}
		case partRun:
			from := at
			ended := false
			at, ended = s.run(i, p, t, at)
			enough := at > from || p.min == 0
			switch {
			case !ended && !t.End && p.tail && enough:
				return 0, sure
			case !ended && !t.End:
				return 0, undecided
			case !enough:
				return 0, no
			}
		case partLazy:
			if p.min > 0 {
				if at == len(text) && t.End {
					return 0, no
				} else if at == len(text) {
					return 0, undecided
				}
				_, size := utf8.DecodeRuneInString(text[at:])
				at += size
			}
			here := s.part
			end, out := s.lazy(c, i, t, at)
			s.part = here
			return end, out
		}
	}
	return at, yes
}

func (s *Scan) save(p *part, at int) {
	for _, slot := range p.saves {
		s.found.Groups[slot] = at
	}
}

// run gives the end of a run that begins at byte at, as far as it is known.
func (s *Scan) run(i int, p *part, t *Text, at int) (end int, ended bool) {
	m, text := &s.memos[i], t.S
	to, ended := m.resume(t.Base + at)
	if ended {
		return to - t.Base, true
	}
	at = to - t.Base
	from := at
	for at < len(text) {
		b := text[at]
		if p.plain[b] {
			at++
			continue
		}
		if b < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if !p.set.has(r) {
			break
		}
		at += size
	}
	s.Steps += int64(at - from + 1)
	m.to, m.ends = t.Base+at, at < len(text)
	return at, m.ends
}

// lazy matches a lazy stretch that may end at byte at, and the parts behind it:
// at the first position from there on at which they match.
func (s *Scan) lazy(c *chain, i int, t *Text, at int) (end int, out outcome) {
	m, text, k := &s.memos[i], t.S, i+1
	first := &c.parts[k]
	if first.kind != partText {
		k++
	}
	p := &c.parts[k]
	to, known := m.resume(t.Base + at)
	for pos := to - t.Base; ; pos++ {
		if !known {
			j := p.find.index(text[pos:])
			if j < 0 {
				s.Steps += int64(len(text) - pos)
				if t.End {
					return 0, never
				}
				m.to = max(m.to, t.end()-len(p.text)+1)
				return 0, undecided
			}
			pos += j
			s.Steps += int64(j + len(p.text))
		}
		end, out := s.follow(c, k+1, t, pos+len(p.text))
		if out == no {
			continue
		}
		m.to, m.ends = t.Base+pos, out == yes
		start := first.back(text[at:pos]) + at
		s.Steps += int64(pos - start)
		s.save(first, t.Base+start)
		if k > i+1 {
			s.save(p, t.Base+pos)
		}
		return end, out
	}
}

// back gives the first position from which on a text is what the part takes, its
// end where the part is missing.
func (p *part) back(text string) int {
	at := len(text)
	switch p.kind {
	case partOption:
		return len(strings.TrimSuffix(text, p.text))
	case partRun:
		for at > 0 {
			r, size := utf8.DecodeLastRuneInString(text[:at])
			if !p.set.has(r) {
				break
			}
			at -= size
		}
	}
	return at
}
