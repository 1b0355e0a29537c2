package rx

// Greedy tells whether a match may begin at any position whatever stands there
// and stay open for any length, so that a stream shows nothing until its end.
func (p *Pattern) Greedy() bool {
	if p.prog == nil {
		return false
	}
	seen := map[int32]bool{}
	var loops func(pc int32) bool
	loops = func(pc int32) bool {
		in := &p.prog.insts[pc]
		switch in.op {
		case iSplit:
			if seen[pc] {
				return false
			}
			seen[pc] = true
			for _, q := range []int32{in.x, in.y} {
				if b := &p.prog.insts[q]; (b.op == iAny || b.op == iSet && b.set.full()) && b.x == pc {
					return true
				}
			}
			return loops(in.x) || loops(in.y)
		case iAny, iSave, iEnd, iEnter, iAgain:
			return loops(in.x)
		case iAssert:
			return assertion(in.arg) != atStart && loops(in.x)
		case iLook:
			return loops(in.x) || !in.behind && loops(in.y)
		}
		return false
	}
	return loops(p.prog.start)
}
