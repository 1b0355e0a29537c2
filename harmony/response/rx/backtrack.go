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
// that threads cannot express.
type backtracker struct {
	p       *prog
	t       *Text
	slots   []int // positions of groups, then loop registers, then the marked end
	stack   []job
	budget  int // of one start; 0 is DefaultBudget
	steps   int // of this start
	spent   int64
	touched bool // a path wanted to know what follows the known text
	partial bool // stop with success where a path wants to consume there
	reached bool // it did
	quiet   int  // inside a look behind, where that does not count
	over    bool // out of steps
	end     int
}

type job struct {
	pc   int32
	pos  int
	slot int32 // ≥ 0: restore that slot to pos
}

// match tries to match from pos; the result is in slots and end.
func (b *backtracker) match(p *prog, t *Text, pos int) bool {
	if n := p.slots + p.regs + 1; b.p != p || len(b.slots) != n {
		b.p, b.slots = p, make([]int, n)
	}
	if b.budget == 0 {
		b.budget = DefaultBudget
	}
	b.t = t
	for i := range b.slots {
		b.slots[i] = -1
	}
	b.stack = b.stack[:0]
	b.steps, b.touched, b.over, b.reached, b.quiet = 0, false, false, false, 0
	b.end = -1
	return b.run(p.start, pos, -1)
}

// run explores from pc; the sub-program of a look ends with true, one that looks
// back only at position until.
func (b *backtracker) run(pc int32, pos, until int) bool {
	base := len(b.stack)
	mark := int32(b.p.slots + b.p.regs) // where the match ends, if looking ahead has begun
	b.stack = append(b.stack, job{pc, pos, -1})
	for len(b.stack) > base {
		j := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		if j.slot >= 0 {
			b.slots[j.slot] = j.pos
			continue
		}
		pc, pos := j.pc, j.pos
	path:
		for {
			if b.steps++; b.steps > b.budget {
				b.over = true
				b.stack = b.stack[:base]
				return false
			}
			in := &b.p.insts[pc]
			switch in.op {
			case iSet, iRune, iAny:
				r, size := b.next(pos)
				if size == 0 {
					if b.partial && b.quiet == 0 {
						b.reached = true
						b.stack = b.stack[:base]
						return true
					}
					break path
				}
				if in.op == iRune && in.r != r || in.op == iSet && !in.set.has(r) {
					break path
				}
				pos += size
			case iSplit:
				b.stack = append(b.stack, job{in.y, pos, -1})
			case iSave:
				b.set(in.arg, pos)
			case iAssert:
				if !b.assert(assertion(in.arg), pos) {
					break path
				}
			case iEnd:
				b.set(mark, pos)
			case iMatch:
				b.end = pos
				if b.slots[mark] >= 0 {
					b.end = b.slots[mark]
				}
				b.stack = b.stack[:base]
				return true
			case iLookEnd:
				if until >= 0 && pos != until {
					break path
				}
				b.stack = b.stack[:base]
				return true
			case iLook:
				found := b.look(in, pos)
				if b.reached { // what it looks at is not there yet
					b.stack = b.stack[:base]
					return true
				}
				if found == in.neg {
					break path
				}
			case iBackref:
				n, ok := b.backref(in, pos)
				if !ok && b.partial && b.quiet == 0 && pos+n == b.t.end() && n >= 0 {
					b.reached = true
					b.stack = b.stack[:base]
					return true
				}
				if !ok {
					break path
				}
				pos += n
			case iEnter:
				b.set(int32(b.p.slots)+in.arg, pos)
			case iAgain:
				if b.slots[b.p.slots+int(in.arg)] == pos {
					pc = in.y
					continue
				}
			}
			pc = in.x
		}
	}
	return false
}

func (b *backtracker) set(slot int32, pos int) {
	b.stack = append(b.stack, job{slot: slot, pos: b.slots[slot]})
	b.slots[slot] = pos
}

// next decodes the code point at pos; size 0 at the end of the known text.
func (b *backtracker) next(pos int) (r rune, size int) {
	if pos >= b.t.end() {
		b.touched = b.touched || !b.t.End
		return 0, 0
	}
	return utf8.DecodeRuneInString(b.t.S[pos-b.t.Base:])
}

func (b *backtracker) assert(k assertion, pos int) bool {
	a := around{before: b.t.before(pos), next: atTextEnd}
	if k > atStartOfLine {
		if r, size := b.next(pos); size > 0 {
			a.next = r
			if r == '\n' && k == atEndOrNewline {
				_, after := b.next(pos + size)
				a.last = after == 0
			}
		}
	}
	holds, _ := a.holds(k)
	return holds
}

// look tells whether the inside of a look-around matches at pos. The positions
// of its groups stay when it does.
func (b *backtracker) look(in *inst, pos int) bool {
	if in.behind { // looking back never wants what follows
		b.quiet++
		defer func() { b.quiet-- }()
	}
	if !in.behind {
		return b.run(in.y, pos, -1)
	}
	from := pos
	for n := 0; in.max < 0 || n <= in.max; n++ {
		if n >= in.min && b.run(in.y, from, pos) {
			return true
		}
		if from <= b.t.Base || b.over {
			return false
		}
		_, size := utf8.DecodeLastRuneInString(b.t.S[:from-b.t.Base])
		from -= size
	}
	return false
}

// backref matches the text of a group again; a group that did not participate
// never matches. Where it fails n is how much of it stands at the end of the
// known text, -1 where something else stands there.
func (b *backtracker) backref(in *inst, pos int) (n int, ok bool) {
	from, to := b.slots[in.arg], b.slots[in.arg+1]
	if from < 0 || to < 0 {
		return -1, false
	}
	start := pos
	for from < to {
		want, size := utf8.DecodeRuneInString(b.t.S[from-b.t.Base:])
		got, gotSize := b.next(pos)
		b.steps++
		if gotSize == 0 {
			return pos - start, false
		}
		if got != want && !(in.fold && sameFold(got, want)) {
			return -1, false
		}
		from += size
		pos += gotSize
	}
	return pos - start, true
}

func sameFold(a, b rune) bool {
	for f := unicode.SimpleFold(a); f != a; f = unicode.SimpleFold(f) {
		if f == b {
			return true
		}
	}
	return false
}

// runBacktrack decides start after start. One whose paths never asked for more
// text than is known is decided for good.
func (s *Scan) runBacktrack(t *Text, limit int) (Status, error) {
	p, b := s.p.prog, &s.track
	b.budget = s.Budget
	for {
		at, seen := p.candidate(t, s.at, limit)
		s.Steps += int64(seen)
		s.at = at
		if s.at >= t.end() || s.at > limit {
			return None, nil
		}
		ok := b.match(p, t, s.at)
		s.Steps += int64(b.steps)
		if b.touched && !t.End {
			s.live = s.at
			return Pending, nil
		}
		b.spent += int64(b.steps)
		if b.over {
			return None, &BudgetError{s.p.source, s.at, int64(b.budget)}
		}
		if most := totalBudget(b.budget, s.at); b.spent > most {
			return None, &BudgetError{s.p.source, s.at, most}
		}
		if ok {
			s.found.Start, s.found.End = s.at, b.end
			s.found.Groups = append(s.found.Groups[:0], b.slots[:2*len(s.p.names)]...)
			return Found, nil
		}
		_, size := utf8.DecodeRuneInString(t.S[s.at-t.Base:])
		s.at += size
	}
}
