package rx

import "unicode/utf8"

// Search gives the leftmost match that begins at pos or later in a text that is
// complete. Unlike a [Scan] it also takes an empty match at the very end.
func (p *Pattern) Search(text string, pos int) (m Match, ok bool, err error) {
	s := p.NewScan()
	s.From(pos)
	st, err := s.Run(&Text{S: text, Before: -1, End: true}, len(text))
	if err != nil || st == Found {
		return s.found, err == nil, err
	}
	return p.MatchAt(text, len(text))
}

// MatchAt gives the match that begins exactly at pos in a complete text.
func (p *Pattern) MatchAt(text string, pos int) (m Match, ok bool, err error) {
	t := &Text{S: text, Before: -1, End: true}
	if p.texts != nil {
		s := p.NewScan()
		s.From(pos)
		st := s.runLiterals(t, pos)
		return s.found, st == Found && s.found.Start == pos, nil
	}
	var b backtracker
	if p.prog.regular {
		return p.anchored(t, pos)
	}
	switch b.match(p.prog, t, pos) {
	case over:
		return m, false, &BudgetError{p.source, pos, int64(b.budget)}
	case matched:
		ok = true
		m = Match{Start: pos, End: b.end, Groups: b.slots[:2*len(p.names)]}
	}
	return m, ok, nil
}

// anchored runs the threads of one start.
func (p *Pattern) anchored(t *Text, pos int) (m Match, ok bool, err error) {
	var th threads
	th.run(p.prog, t, pos, atTextEnd)
	if th.matched {
		m = th.best
		m.Groups = m.Groups[:2*len(p.names)]
	}
	return m, th.matched, nil
}

// run feeds the whole text from pos on to the threads of one start. last is
// what assertions see behind the text.
func (th *threads) run(p *prog, t *Text, pos int, last rune) {
	th.prepare(p)
	for at := pos; ; {
		a := around{before: t.before(at), next: last}
		size := 0
		if at < t.end() {
			a.next, size = utf8.DecodeRuneInString(t.S[at-t.Base:])
			a.last = at+size == t.end()
		}
		if at == pos {
			th.begin(p, at, a)
		} else if p.asserts {
			th.settle(p, at, a)
		}
		th.harvest(p, at)
		if size == 0 || len(th.cur.dense) == 0 {
			return
		}
		at += size
		th.step(p, a.next, at)
		th.harvest(p, at)
	}
}

// Partial gives the first start from pos on at which some path wants to read on
// at the end of the text; len(text) where there is none. It is what the
// reference's partial search answers when there is no match, assertions taking
// the end of the text as it stands for the end. steps are as those of a [Scan].
func (p *Pattern) Partial(text string, pos int) (start int, steps int64, err error) {
	t := &Text{S: text, Before: -1, End: true}
	most := totalBudget(DefaultBudget, len(text))
	if p.texts == nil && p.prog.regular {
		start, steps = p.firstLive(t, pos)
		return start, steps, nil
	}
	for at := pos; at < len(text); {
		if p.texts != nil {
			for _, lit := range p.texts {
				steps++
				if rest := text[at:]; len(rest) < len(lit) && lit[:len(rest)] == rest {
					return at, steps, nil
				}
			}
		} else {
			b := backtracker{partial: true}
			v := b.match(p.prog, t, at)
			steps += int64(b.steps)
			if v == over || steps > most {
				return 0, steps, &BudgetError{p.source, at, min(int64(b.budget), most)}
			}
			if b.end < 0 && b.reached {
				return at, steps, nil
			}
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return len(text), steps, nil
}

// firstLive runs the threads of all starts to the end of the text, and gives the
// earliest start of those left.
func (p *Pattern) firstLive(t *Text, pos int) (start int, steps int64) {
	s := p.NewScan()
	s.at = pos
	if !p.prog.asserts {
		open := *t
		open.End = false
		if st, _ := s.Run(&open, t.end()); st == Pending {
			return s.live, s.Steps
		}
		return t.end(), s.Steps
	}
	th := &s.threads
	th.prepare(p.prog)
	for at := pos; ; {
		a := around{before: t.before(at), next: atTextEnd}
		size := 0
		if at < t.end() {
			a.next, size = utf8.DecodeRuneInString(t.S[at-t.Base:])
			a.last = at+size == t.end()
		}
		if p.prog.asserts {
			th.settle(p.prog, at, a)
		}
		if size == 0 {
			for _, l := range th.cur.dense {
				switch p.prog.insts[l.pc].op {
				case iSet, iRune, iAny:
					return l.start, steps
				}
			}
			return t.end(), steps
		}
		th.begin(p.prog, at, a)
		steps += int64(1 + len(th.cur.dense))
		at += size
		th.step(p.prog, a.next, at)
	}
}

// Each calls yield for all matches in a complete text that do not overlap, from
// left to right, as the reference's finditer does, until it returns false. The
// match is valid only during the call. s is a scan of this pattern to work with.
func (p *Pattern) Each(text string, s *Scan, yield func(*Match) bool) error {
	s.Restart()
	t := &s.whole
	*t = Text{S: text, Before: -1, End: true}
	for pos := 0; pos < len(text); {
		s.From(pos)
		st, err := s.Run(t, len(text))
		if err != nil {
			return err
		}
		if st != Found {
			break
		}
		m := s.Match()
		start, end := m.Start, m.End
		if !yield(m) {
			return nil
		}
		if pos = end; start == end {
			_, size := utf8.DecodeRuneInString(text[pos:])
			pos += size
		}
	}
	if p.texts != nil || !p.prog.nullable {
		return nil
	}
	m, ok, err := p.MatchAt(text, len(text))
	if err == nil && ok {
		yield(&m)
	}
	return err
}
