package rx

import "unicode/utf8"

func (s *Scan) runThreads(t *Text, limit int) Status {
	p, th := s.p.prog, s.threads
	th.prepare(p)
	end := t.end()
	for {
		if len(th.cur.dense) == 0 {
			if th.matched {
				return s.decide()
			}
			at, seen := p.candidate(t, s.at, limit)
			s.Steps += int64(seen)
			s.at = at
			if s.at >= end || s.at > limit {
				return None
			}
			if p.links != nil && !p.nullable && p.mayBegin(t.S[s.at-t.Base:], t.End) {
				th.begin(p, s.at, around{})
				th.sole = -1
			}
		} else if th.live() > limit {
			return None
		}
		if s.at >= end {
			break
		}
		if s.stride(t) {
			continue
		}
		r, size := rune(t.S[s.at-t.Base]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(t.S[s.at-t.Base:])
		}
		last := t.End && s.at+size == end
		if p.dollar && r == '\n' && !t.End && s.at+size == end {
			if status := s.atNewline(t); status != None {
				return status
			}
			continue
		}
		s.over(th, t, r, size, last)
		s.at += size
	}
	if !t.End {
		s.live = th.live()
		s.sure = th.matched && th.best.Start == s.live
		return Pending
	}
	if p.asserts {
		th.settle(p, end, around{t.before(end), atTextEnd, false})
		th.harvest(p, end)
	}
	th.cur.clear()
	if th.matched {
		return s.decide()
	}
	return None
}

// over takes the threads over the code point at s.at.
func (s *Scan) over(th *threads, t *Text, r rune, size int, last bool) {
	p := s.p.prog
	var a around
	if p.asserts || p.lookback || s.at == 0 {
		a = around{t.before(s.at), r, last}
		if p.asserts && len(th.cur.dense) > 0 {
			th.settle(p, s.at, a)
		}
	}
	if !th.matched && p.mayBegin(t.S[s.at-t.Base:], t.End) {
		th.begin(p, s.at, a)
		th.sole = -1
	}
	if p.asserts || p.nullable {
		th.harvest(p, s.at)
	}
	s.Steps += int64(1 + len(th.cur.dense))
	th.step(p, r, s.at+size)
	th.harvest(p, s.at+size)
}

func (s *Scan) decide() Status {
	th := s.threads
	s.found.Start, s.found.End = th.best.Start, th.best.End
	s.found.Groups = append(s.found.Groups[:0], th.best.Groups[:2*len(s.p.names)]...)
	th.reset()
	return Found
}
