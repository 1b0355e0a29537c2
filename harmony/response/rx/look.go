package rx

import "unicode/utf8"

// look is a look-around that is being tried.
type look struct {
	in   *inst
	at   int // where it looks from
	base int // how much of the stack was there before it
	// behind: its text begins at from, n code points before at; -1 for none yet.
	from, n int
}

// lookFrom begins to look around. It tells whether the path goes on, in there or
// behind it.
func (b *backtracker) lookFrom(in *inst) bool {
	b.looks = append(b.looks, look{in: in, at: b.pos, base: len(b.stack), from: b.pos, n: -1})
	b.pc = in.y
	return !in.behind || b.back() || b.lookEnds(false)
}

// back goes to the next place at which the text that the innermost look looks
// back at may begin; false where there is none.
func (b *backtracker) back() bool {
	l := &b.looks[len(b.looks)-1]
	for {
		if l.n++; l.in.max >= 0 && l.n > l.in.max || l.n > 0 && l.from <= b.t.Base {
			return false
		}
		if l.n > 0 {
			_, size := utf8.DecodeLastRuneInString(b.t.S[:l.from-b.t.Base])
			l.from -= size
		}
		if l.n >= l.in.min {
			b.pc, b.pos = l.in.y, l.from
			return true
		}
	}
}

// lookEnds ends the innermost look. It tells whether the path goes on behind it.
// What a look that is wanted has put into groups stays; no other way of matching
// it is tried.
func (b *backtracker) lookEnds(matches bool) bool {
	l := b.looks[len(b.looks)-1]
	b.looks = b.looks[:len(b.looks)-1]
	tried := b.stack[l.base:]
	b.stack = b.stack[:l.base]
	for i := range tried {
		if j := tried[i]; j.slot >= 0 && !l.in.neg {
			b.stack = append(b.stack, j)
		}
	}
	for i := len(tried) - 1; i >= 0 && l.in.neg; i-- {
		if j := tried[i]; j.slot >= 0 {
			b.slots[j.slot] = j.pos
		}
	}
	b.pc, b.pos = l.in.x, l.at
	return matches != l.in.neg
}
