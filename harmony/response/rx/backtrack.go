package rx

import (
	"unicode"
	"unicode/utf8"
)

// DefaultBudget is how many steps backtracking may take for one start, unless
// [Scan.Budget] says otherwise. All starts together may take scanShare as many,
// and byteBudget more for each byte before the last.
const (
	DefaultBudget = 1 << 20
	scanShare     = 16
	byteBudget    = 64
)

// totalBudget is the budget of all starts up to at, of which one may take budget.
func totalBudget(budget, at int) int64 {
	return scanShare*int64(budget) + byteBudget*int64(at)
}

// backtracker tries the paths of a program one after another, for constructs
// that threads cannot express. Where a path wants to know what follows the known
// text it waits, and goes on from there when more is known: so no step is taken
// twice, however a text arrives.
type backtracker struct {
	p      *prog
	t      *Text
	slots  []int // positions of groups, then loop registers, then the marked end
	stack  []job
	looks  []look // those that are being tried, the innermost last
	start  int    // of the match
	pc     int32  // where the path is
	pos    int
	refAt  int // the rest of the group that a path waits in, -1 for none
	budget int // of one start; 0 is DefaultBudget
	steps  int // of this start
	spent  int64
	// partial stops, with reached, where a path wants more text than there is.
	partial, reached bool
	end              int // of the match
}

type job struct {
	pc   int32
	pos  int
	slot int32 // ≥ 0: restore that slot to pos
}

// verdict is what trying the paths of one start came to.
type verdict uint8

const (
	failed verdict = iota
	matched
	waits // for more text
	over  // out of steps
)

// match tries to match from pos; the result is in slots and end.
func (b *backtracker) match(p *prog, t *Text, pos int) verdict {
	if n := p.slots + p.regs + 1; b.p != p || len(b.slots) != n {
		b.p, b.slots = p, make([]int, n)
	}
	for i := range b.slots {
		b.slots[i] = -1
	}
	b.stack, b.looks = b.stack[:0], b.looks[:0]
	b.start, b.pc, b.pos, b.refAt = pos, p.start, pos, -1
	b.steps, b.reached, b.end = 0, false, -1
	return b.run(t)
}

// run tries one path after another, from where it was.
func (b *backtracker) run(t *Text) verdict {
	b.t = t
	if b.budget == 0 {
		b.budget = DefaultBudget
	}
	for {
		switch v := b.path(); {
		case v != failed:
			return v
		case b.steps > b.budget:
			return over
		case !b.next():
			return failed
		}
	}
}

// path follows one path until it ends.
func (b *backtracker) path() verdict {
	mark := int32(b.p.slots + b.p.regs) // where the match ends, if looking ahead has begun
	for {
		if b.steps++; b.steps > b.budget {
			return failed
		}
		in := &b.p.insts[b.pc]
		switch in.op {
		case iSet, iRune, iAny:
			r, size := b.read(b.pos)
			if size == 0 {
				return b.atEnd()
			}
			if in.op == iRune && in.r != r || in.op == iSet && !in.set.has(r) {
				return failed
			}
			b.pos += size
		case iSplit:
			b.stack = append(b.stack, job{in.y, b.pos, -1})
		case iSave:
			b.set(in.arg)
		case iAssert:
			holds, known := b.assert(assertion(in.arg))
			if !known {
				b.steps--
				return waits
			}
			if !holds {
				return failed
			}
		case iEnd:
			b.set(mark)
		case iMatch:
			b.end = b.pos
			if b.slots[mark] >= 0 {
				b.end = b.slots[mark]
			}
			return matched
		case iLook:
			if !b.lookFrom(in) {
				return failed
			}
			continue
		case iLookEnd:
			if l := &b.looks[len(b.looks)-1]; l.in.behind && b.pos != l.at || !b.lookEnds(true) {
				return failed
			}
			continue
		case iBackref:
			if v := b.backref(in); v != matched || b.reached {
				return v
			}
		case iEnter:
			b.set(int32(b.p.slots) + in.arg)
		case iAgain:
			if b.slots[b.p.slots+int(in.arg)] == b.pos {
				b.pc = in.y
				continue
			}
		}
		b.pc = in.x
	}
}

// next goes to where the path that is preferred among those left begins; false
// where there is none.
func (b *backtracker) next() bool {
	for {
		n := len(b.stack)
		if k := len(b.looks); k > 0 && n == b.looks[k-1].base {
			if b.looks[k-1].in.behind && b.back() || b.lookEnds(false) {
				return true
			}
			continue
		}
		if n == 0 {
			return false
		}
		j := b.stack[n-1]
		b.stack = b.stack[:n-1]
		if j.slot < 0 {
			b.pc, b.pos = j.pc, j.pos
			return true
		}
		b.slots[j.slot] = j.pos
	}
}

// atEnd ends a path that wants more text than is known: it waits, unless nothing
// follows, or what looks back stands where it must end.
func (b *backtracker) atEnd() verdict {
	switch n := len(b.looks); {
	case n > 0 && b.looks[n-1].in.behind && b.pos == b.looks[n-1].at:
		return failed
	case !b.t.End:
		b.steps--
		return waits
	case b.partial:
		b.reached = true
		return matched
	}
	return failed
}

// set notes the position in a slot.
func (b *backtracker) set(slot int32) {
	b.stack = append(b.stack, job{slot: slot, pos: b.slots[slot]})
	b.slots[slot] = b.pos
}

// read decodes the code point at pos; size 0 at the end of the known text, and
// where what looks back must end.
func (b *backtracker) read(pos int) (r rune, size int) {
	if n := len(b.looks); n > 0 && b.looks[n-1].in.behind && pos >= b.looks[n-1].at || pos >= b.t.end() {
		return 0, 0
	}
	return utf8.DecodeRuneInString(b.t.S[pos-b.t.Base:])
}

// assert evaluates an assertion, if what it looks at is known.
func (b *backtracker) assert(k assertion) (holds, known bool) {
	a := around{before: b.t.before(b.pos), next: atTextEnd}
	if rest := b.t.S[b.pos-b.t.Base:]; k > atStartOfLine {
		r, size := utf8.DecodeRuneInString(rest)
		if size > 0 {
			a.next, a.last = r, size == len(rest)
		}
		if !b.t.End && (size == 0 || k == atEndOrNewline && r == '\n' && a.last) {
			return false, false
		}
	}
	return a.holds(k)
}

// backref matches the text of a group again; a group that did not participate
// never matches.
func (b *backtracker) backref(in *inst) verdict {
	from, to := b.slots[in.arg], b.slots[in.arg+1]
	if from < 0 || to < 0 {
		return failed
	}
	if b.refAt >= 0 {
		from, b.refAt = b.refAt, -1
	}
	for from < to {
		want, size := utf8.DecodeRuneInString(b.t.S[from-b.t.Base:])
		got, gotSize := b.read(b.pos)
		if gotSize == 0 {
			v := b.atEnd()
			if v == waits {
				b.refAt = from
			}
			return v
		}
		b.steps++
		if got != want && !(in.fold && sameFold(got, want)) {
			return failed
		}
		from += size
		b.pos += gotSize
	}
	return matched
}

func sameFold(a, b rune) bool {
	for f := unicode.SimpleFold(a); f != a; f = unicode.SimpleFold(f) {
		if f == b {
			return true
		}
	}
	return false
}
