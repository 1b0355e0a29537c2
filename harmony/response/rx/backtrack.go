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
	p       *prog
	t       *Text
	slots   []int // positions of groups, then loop registers, then the marked end
	stack   []job
	looks   []look // those that are being tried, the innermost last
	start   int    // of the match
	pc      int32  // where the path is
	pos     int
	refLeft int // of the group that a path waits in: how many bytes are left
	budget  int // of one start; 0 is DefaultBudget
	steps   int // of this start
	spent   int64
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
	if b.p != p {
		b.p, b.slots = p, make([]int, p.slots+p.regs+1)
	}
	for i := range b.slots {
		b.slots[i] = -1
	}
	b.stack, b.looks = b.stack[:0], b.looks[:0]
	b.start, b.pc, b.pos, b.refLeft = pos, p.start, pos, 0
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
			r, size := b.read(b.pos, in.behind)
			if size == 0 {
				return b.atEnd(in.behind)
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
			b.looks = append(b.looks, look{in, b.pos, len(b.stack)})
			b.pc = in.y
			continue
		case iLookEnd:
			if !b.lookEnds(true) {
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
			if b.lookEnds(false) {
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
// follows, or it looks back.
func (b *backtracker) atEnd(behind bool) verdict {
	switch {
	case behind:
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

// read decodes the code point at pos, or behind it: size is how far pos moves, 0 at
// the end of the known text.
func (b *backtracker) read(pos int, behind bool) (r rune, size int) {
	if at := pos - b.t.Base; behind {
		r, size = utf8.DecodeLastRuneInString(b.t.S[:max(at, 0)])
		return r, -size
	} else if at < len(b.t.S) {
		return utf8.DecodeRuneInString(b.t.S[at:])
	}
	return 0, 0
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
	left := to - from // bytes of the group
	if b.refLeft > 0 {
		left, b.refLeft = b.refLeft, 0
	}
	for left > 0 {
		next := to - left
		if in.behind {
			next = from + left
		}
		want, size := b.read(next, in.behind)
		got, gotSize := b.read(b.pos, in.behind)
		if gotSize == 0 {
			v := b.atEnd(in.behind)
			if v == waits {
				b.refLeft = left
			}
			return v
		}
		if b.steps++; b.steps > b.budget {
			return failed
		}
		if got != want && !(in.fold && sameFold(got, want)) {
			return failed
		}
		left -= max(size, -size)
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
