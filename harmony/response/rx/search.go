package rx

import "unicode/utf8"

// Search gives the leftmost match that begins at pos or later in a text that is
// complete. Unlike [Scan.Run] it also takes an empty match at the very end. The
// match is valid until the next use of the scan.
func (s *Scan) Search(text string, pos int) (m Match, ok bool, err error) {
	s.Restart()
	s.From(pos)
	t := &s.whole
	*t = Text{S: text, Before: -1, End: true}
	st, err := s.Run(t, len(text))
	if err != nil || st == Found {
		return s.found, err == nil, err
	}
	return s.MatchAt(text, len(text))
}

// MatchAt gives the match that begins exactly at pos in a complete text. It does
// not touch what the scan knows of another text.
func (s *Scan) MatchAt(text string, pos int) (m Match, ok bool, err error) {
	t, p := &Text{S: text, Before: -1, End: true}, s.p
	if p.texts != nil {
		at := p.NewScan()
		at.From(pos)
		st := at.runLiterals(t, pos)
		s.Steps += at.Steps
		return at.found, st == Found && at.found.Start == pos, nil
	}
	if p.prog.regular {
		var th threads
		s.Steps += th.run(p.prog, t, pos)
		if th.matched {
			m = th.best
			m.Groups = m.Groups[:2*len(p.names)]
		}
		return m, th.matched, nil
	}
	b := backtracker{budget: s.Budget}
	switch b.match(p.prog, t, pos) {
	case over:
		err = &BudgetError{p.source, pos, int64(b.budget)}
	case matched:
		m, ok = Match{Start: pos, End: b.end, Groups: b.slots[:2*len(p.names)]}, true
	}
	s.Steps += int64(b.steps)
	return m, ok, err
}

// run feeds the whole text from pos on to the threads of one start.
func (th *threads) run(p *prog, t *Text, pos int) (steps int64) {
	th.prepare(p)
	for at := pos; ; {
		a := around{before: t.before(at), next: atTextEnd}
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
			return steps
		}
		steps += int64(len(th.cur.dense))
		at += size
		th.step(p, a.next, at)
		th.harvest(p, at)
	}
}

// Partial gives the first start from pos on at which some path wants to read on
// at the end of the text; len(text) where there is none. It is what the
// reference's partial search answers when there is no match, assertions taking
// the end of the text as it stands for the end. It does not touch what the scan
// knows of another text.
func (s *Scan) Partial(text string, pos int) (start int, err error) {
	t, p := &Text{S: text, Before: -1, End: true}, s.p
	steps := int64(0)
	defer func() { s.Steps += steps }()
	if p.texts == nil && p.prog.regular {
		start, steps = p.firstLive(t, pos)
		return start, nil
	}
	b := backtracker{partial: true, budget: s.Budget}
	for at := pos; at < len(text); {
		if p.texts != nil {
			for _, lit := range p.texts {
				steps++
				if rest := text[at:]; len(rest) < len(lit) && lit[:len(rest)] == rest {
					return at, nil
				}
			}
		} else {
			v := b.match(p.prog, t, at)
			steps += int64(b.steps)
			if most := totalBudget(b.budget, at); v == over || steps > most {
				return 0, &BudgetError{p.source, at, min(int64(b.budget), most)}
			}
			if b.end < 0 && b.reached {
				return at, nil
			}
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return len(text), nil
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
	th := s.threads
	th.prepare(p.prog)
	for at := pos; ; {
		a := around{before: t.before(at), next: atTextEnd}
		size := 0
		if at < t.end() {
			a.next, size = utf8.DecodeRuneInString(t.S[at-t.Base:])
			a.last = at+size == t.end()
		}
		th.settle(p.prog, at, a)
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
	m, ok, err := s.MatchAt(text, len(text))
	if err == nil && ok {
		yield(&m)
	}
	return err
}
