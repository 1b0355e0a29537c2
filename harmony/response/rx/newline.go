package rx

// atNewline decides what it can at a newline that ends the known text: whether
// the whole text ends there, too, and so whether $ holds before it, is not known.
// Both are tried. Where they agree the newline is used up; else Pending, and
// threads from before the first position at which either may match are dropped.
func (s *Scan) atNewline(t *Text) Status {
	p, th := s.p.prog, s.threads
	if s.worlds == nil {
		s.worlds = new([2]threads)
	}
	goesOn, ends := &s.worlds[0], &s.worlds[1]
	for i := range s.worlds {
		w := &s.worlds[i]
		w.prepare(p)
		w.become(th)
		s.over(w, t, '\n', 1, w == ends)
	}
	ends.settle(p, s.at+1, around{'\n', atTextEnd, false})
	ends.harvest(p, s.at+1)

	decided := len(goesOn.cur.dense) == 0
	if decided && goesOn.matched == ends.matched && (!ends.matched || goesOn.best.same(&ends.best)) {
		th.become(goesOn)
		s.at++
		if th.matched {
			return s.decide()
		}
		return None
	}
	s.live = s.at
	if goesOn.busy() {
		s.live = goesOn.live()
	}
	if ends.matched && (!goesOn.busy() || ends.best.Start < s.live) {
		s.live = ends.best.Start
	}
	s.sure = goesOn.matched && goesOn.best.Start == s.live && ends.matched && ends.best.Start == s.live
	th.drop(s.live)
	return Pending
}

// become makes the threads those of another automaton of the same program.
func (th *threads) become(from *threads) {
	th.cur.clear()
	th.cur.dense = append(th.cur.dense, from.cur.dense...)
	th.cur.slots = append(th.cur.slots, from.cur.slots...)
	th.matched, th.sole = from.matched, -1
	th.best.Start, th.best.End = from.best.Start, from.best.End
	copy(th.best.Groups, from.best.Groups)
}

// drop drops the threads of starts before a position.
func (th *threads) drop(before int) {
	l, n := th.cur, 0
	for n < len(l.dense) && l.dense[n].start < before {
		n++
	}
	l.dense = l.dense[:copy(l.dense, l.dense[n:])]
	l.slots = l.slots[:copy(l.slots, l.slots[n*l.nslots:])]
}
