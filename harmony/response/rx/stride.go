package rx

import (
	"strings"
	"unicode/utf8"
)

// mayBegin tells whether a match may begin where rest does.
func (p *prog) mayBegin(rest string, end bool) bool {
	if p.nullable {
		return true
	}
	if !p.first[rest[0]] {
		return false
	}
	for _, text := range p.begins {
		n := min(len(rest), len(text))
		if rest[:n] == text[:n] && (n == len(text) || !end) {
			return true
		}
	}
	return p.begins == nil
}

// stride takes a literal or a loop at once, where the threads stand before one.
// It tells whether it moved. Matches that may begin on the way are not missed.
func (s *Scan) stride(t *Text) bool {
	p, th := s.p.prog, s.threads
	if p.links == nil || len(th.cur.dense) == 0 {
		return false
	}
	if th.sole >= 0 {
		return s.round(t, th.sole, p.loops[th.sole])
	}
	if len(th.cur.dense) > 1 {
		return false
	}
	only := th.cur.dense[0]
	l := &p.links[only.pc]
	if l.text == "" || !(l.quiet || th.matched) || !strings.HasPrefix(t.S[s.at-t.Base:], l.text) {
		return false
	}
	if !th.matched && only.start != s.at && p.mayBegin(t.S[s.at-t.Base:], t.End) {
		return false
	}
	s.at += len(l.text)
	s.Steps += int64(len(l.text))
	only.pc = l.next
	th.restart(p, only, th.cur.slots[:p.slots], s.at)
	return true
}

// restart makes the threads that follow from one the only ones.
func (th *threads) restart(p *prog, t thread, row []int, at int) {
	th.next.clear()
	th.add(p, th.next, t, row, at, around{})
	th.cur, th.next = th.next, th.cur
	th.sole = p.into[t.pc]
	th.harvest(p, at)
}

// round goes round a loop until something else may happen. All threads follow
// from the loop's own.
func (s *Scan) round(t *Text, pc int32, l *loop) bool {
	p, th := s.p.prog, s.threads
	from, text := s.at, t.S
	i, end := s.at-t.Base, len(t.S)
	for {
		for i < end && !l.stop[text[i]] && (th.matched || !p.first[text[i]]) {
			i++
		}
		if i == end || !l.closing || !th.matched && p.mayBegin(text[i:], t.End) {
			break
		}
		if k, ok := l.exit(text[i:], t.End); ok {
			if k < 0 { // none of them
				_, size := utf8.DecodeRuneInString(text[i:])
				i += size
				continue
			}
			s.at = t.Base + i
			s.Steps += int64(s.at - from + len(l.exits[k]))
			s.turn(pc, p)
			th.take(p, k, s.at+len(l.exits[k]))
			s.at += len(l.exits[k])
			return true
		}
		break
	}
	s.at = t.Base + i
	s.Steps += int64(s.at - from)
	if l.only && i < end && strings.HasPrefix(text[i:], l.exits[0]) && (th.matched || l.quiet && !p.mayBegin(text[i:], t.End)) {
		s.turn(pc, p)
		s.leave(pc, p)
		return true
	}
	if s.at == from {
		th.sole = -1 // step by step from here
		return false
	}
	s.turn(pc, p)
	return true
}

// leave takes the only way out of a loop, a literal.
func (s *Scan) leave(pc int32, p *prog) {
	th := s.threads
	for i, t := range th.cur.dense {
		if t.pc != pc {
			l := &p.links[t.pc]
			s.at += len(l.text)
			s.Steps += int64(len(l.text))
			t.pc = l.next
			th.restart(p, t, th.cur.slots[i*p.slots:(i+1)*p.slots], s.at)
			return
		}
	}
}

// exit gives the preferred exit that stands at rest, -1 for none of them; ok is
// false where the text is too short to tell.
func (l *loop) exit(rest string, end bool) (k int, ok bool) {
	for k, e := range l.exits {
		n := min(len(rest), len(e))
		if rest[:n] != e[:n] {
			continue
		}
		if n == len(e) {
			return k, true
		}
		if !end {
			return 0, false
		}
	}
	return -1, true
}

// turn sets the threads to those that follow from the loop's own at s.at.
func (s *Scan) turn(pc int32, p *prog) {
	th := s.threads
	for i, t := range th.cur.dense {
		if t.pc == pc {
			t.pc = p.insts[pc].x
			th.restart(p, t, th.cur.slots[i*p.slots:(i+1)*p.slots], s.at)
			return
		}
	}
}

// take makes thread k, whose literal is read to the end, the match.
func (th *threads) take(p *prog, k, end int) {
	t := th.cur.dense[k]
	th.matched = true
	th.best.Start, th.best.End = t.start, end
	if t.end >= 0 {
		th.best.End = t.end
	}
	copy(th.best.Groups, th.cur.slots[k*p.slots:(k+1)*p.slots])
	th.cur.clear()
}
