package rx

import (
	"slices"
	"unicode/utf8"
)

// width gives the least and the greatest number of code points that n
// consumes; a greatest of -1 has no bound.
func width(n *node) (low, high int) {
	switch n.op {
	case opSet:
		return 1, 1
	case opConcat:
		for _, sub := range n.subs {
			l, h := width(sub)
			low, high = low+l, addWidth(high, h)
		}
		return low, high
	case opAlt:
		low, high = width(n.subs[0])
		for _, sub := range n.subs[1:] {
			l, h := width(sub)
			low = min(low, l)
			if high >= 0 && (h < 0 || h > high) {
				high = h
			}
		}
		return low, high
	case opRepeat:
		l, h := width(n.subs[0])
		if n.max < 0 || h < 0 {
			high = -1
			if h == 0 {
				high = 0
			}
		} else {
			high = min(h*n.max, maxProgram)
		}
		return min(l*n.min, maxProgram), high
	case opGroup:
		return width(n.subs[0])
	case opBackref:
		return 0, -1
	}
	return 0, 0
}

func addWidth(a, b int) int {
	if a < 0 || b < 0 {
		return -1
	}
	return a + b
}

func has(n *node, o op) bool {
	return n.op == o || slices.ContainsFunc(n.subs, func(sub *node) bool { return has(sub, o) })
}

// literalPrefix appends the code points with which every match of n begins.
func literalPrefix(n *node, dst []byte) string {
	dst, _ = appendPrefix(n, dst)
	return string(dst)
}

// appendPrefix tells, with all, whether n is nothing but that text.
func appendPrefix(n *node, dst []byte) (out []byte, all bool) {
	switch n.op {
	case opEmpty:
		return dst, true
	case opSet:
		if r, ok := n.set.single(); ok {
			return utf8.AppendRune(dst, r), true
		}
	case opConcat:
		for _, sub := range n.subs {
			if dst, all = appendPrefix(sub, dst); !all {
				return dst, false
			}
		}
		return dst, true
	case opGroup:
		return appendPrefix(n.subs[0], dst)
	case opRepeat:
		if n.min > 0 {
			dst, _ = appendPrefix(n.subs[0], dst)
		}
	}
	return dst, false
}

// analyse finds the bytes that a match may begin with.
func (p *prog) analyse() {
	seen := make([]bool, len(p.insts))
	var walk func(pc int32)
	walk = func(pc int32) {
		if seen[pc] {
			return
		}
		seen[pc] = true
		switch in := &p.insts[pc]; in.op {
		case iSet:
			for _, r := range in.set.ranges {
				p.firstOf(r)
			}
		case iRune:
			p.firstOf(runeRange{in.r, in.r})
		case iAny:
			p.firstOf(runeRange{0, maxRune})
		case iSplit:
			walk(in.x)
			walk(in.y)
		case iSave, iEnd, iEnter:
			walk(in.x)
		case iAssert:
			// ^ alone keeps a pattern from beginning elsewhere; the search
			// finds that out by trying.
			walk(in.x)
		case iAgain:
			walk(in.x)
			walk(in.y)
		default: // iMatch, iLook, iBackref: anything may follow
			p.nullable = true
		}
	}
	walk(p.start)
}

func (p *prog) firstOf(r runeRange) {
	leads(r, func(b byte) { p.first[b] = true })
}
