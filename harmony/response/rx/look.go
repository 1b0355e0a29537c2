package rx

// look is a look-around that is being tried. The inside of one that looks back is
// read from its end to its beginning, as the reference does.
type look struct {
	in   *inst
	at   int // where it looks from
	base int // how much of the stack was there before it
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
