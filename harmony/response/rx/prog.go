package rx

import (
	"fmt"
	"unicode/utf8"
)

type iop uint8

const (
	iSet     iop = iota // consume one of set
	iRune               // consume r
	iAny                // consume anything
	iSplit              // go to x, or else to y
	iSave               // store the position in slot arg
	iAssert             // assertion arg holds here
	iEnd                // the match ends here; what follows only looks ahead
	iMatch              // done
	iLook               // look: sub-program y ending in iLookEnd; then x
	iLookEnd            // a sub-program of iLook matched
	iBackref            // consume the text of slot pair arg
	iEnter              // a loop body that may be empty begins: note the position in register arg
	iAgain              // it ended: go on with x unless nothing was consumed, then with y
)

type inst struct {
	op     iop
	x, y   int32
	arg    int32
	r      rune
	set    *class
	neg    bool
	behind bool // iSet, iRune, iAny, iBackref: consume backwards, inside of what looks back
	fold   bool
}

// maxProgram bounds a compiled pattern, so that counted repeats of counted
// repeats cannot grow without end.
const maxProgram = 20000

// prog is a compiled pattern.
type prog struct {
	insts []inst
	start int32
	slots int // positions that threads carry: two for each kept group
	regs  int // loop registers behind the slots

	regular  bool // no construct that only backtracking reads
	asserts  bool // has assertions that look at the next code point
	dollar   bool // has $, which looks two code points ahead
	lookback bool // may look at text before the match
	nullable bool // may match the empty text
	anchored bool // has ^ or \A
	first    [256]bool
	head     head   // every match begins with it
	chain    *chain // what the whole pattern is, if it leaves no choice

	// By instruction; see fast.go.
	begins   []string // every match begins with one of them; nil where that is not so
	links    []link
	loops    []*loop
	closures [][]target
	into     []int32 // the loop that the closure is that of, -1 for none
}

type builder struct {
	p     *prog
	slot  map[int]int // kept group to slot pair
	back  bool        // inside of what looks back, which is read from its end
	limit bool
}

func compile(root *node, keep map[int]int) (*prog, error) {
	p := &prog{regular: true, slots: 2 * len(keep)}
	b := &builder{p: p, slot: keep}
	match := b.emit(inst{op: iMatch})
	p.start = b.tail(root, match)
	if b.limit {
		return nil, &UnsupportedError{0, fmt.Sprintf("a pattern of more than %d instructions", maxProgram)}
	}
	p.analyse()
	if pre := literalPrefix(root, nil); utf8.ValidString(pre) {
		p.head = newHead(pre)
	}
	p.speedUp()
	p.chain = newChain(root, keep)
	return p, nil
}

func (b *builder) emit(i inst) int32 {
	if len(b.p.insts) >= maxProgram {
		b.limit = true
		return 0
	}
	b.p.insts = append(b.p.insts, i)
	return int32(len(b.p.insts) - 1)
}

// tail compiles a node behind which the match ends, where looking ahead is as
// good as reading on.
func (b *builder) tail(n *node, match int32) int32 {
	switch {
	case n.op == opAlt:
		return b.alternatives(n.subs, func(sub *node) int32 { return b.tail(sub, match) })
	case n.op == opConcat:
		last := len(n.subs) - 1
		next := b.tail(n.subs[last], match)
		for i := last - 1; i >= 0; i-- {
			next = b.node(n.subs[i], next)
		}
		return next
	case n.op == opLook && !n.neg && !n.behind && !has(n.subs[0], opLook):
		return b.emit(inst{op: iEnd, x: b.node(n.subs[0], match)})
	}
	return b.node(n, match)
}

func (b *builder) alternatives(subs []*node, one func(*node) int32) int32 {
	next := one(subs[len(subs)-1])
	for i := len(subs) - 2; i >= 0; i-- {
		next = b.emit(inst{op: iSplit, x: one(subs[i]), y: next})
	}
	return next
}

// node compiles n so that it goes on at next, and gives its entry.
func (b *builder) node(n *node, next int32) int32 {
	if b.limit {
		return 0
	}
	switch n.op {
	case opSet:
		if r, ok := n.set.single(); ok {
			return b.emit(inst{op: iRune, r: r, behind: b.back, x: next})
		}
		if n.set.full() {
			return b.emit(inst{op: iAny, behind: b.back, x: next})
		}
		return b.emit(inst{op: iSet, set: n.set, behind: b.back, x: next})
	case opConcat:
		for i := range n.subs {
			if !b.back {
				i = len(n.subs) - 1 - i
			}
			next = b.node(n.subs[i], next)
		}
		return next
	case opAlt:
		return b.alternatives(n.subs, func(sub *node) int32 { return b.node(sub, next) })
	case opRepeat:
		return b.repeat(n, next)
	case opGroup:
		pair, ok := b.slot[n.group]
		if !ok {
			return b.node(n.subs[0], next)
		}
		first, last := int32(2*pair), int32(2*pair+1)
		if b.back {
			first, last = last, first
		}
		next = b.emit(inst{op: iSave, arg: last, x: next})
		return b.emit(inst{op: iSave, arg: first, x: b.node(n.subs[0], next)})
	case opAssert:
		switch n.assert {
		case atEndOrNewline:
			b.p.dollar, b.p.asserts = true, true
		case atEnd, atEndOfLine:
			b.p.asserts = true
		case atWordEdge, notAtWordEdge:
			b.p.asserts, b.p.lookback = true, true
		case atStart:
			b.p.anchored = true
		case atStartOfLine:
			b.p.lookback = true
		}
		return b.emit(inst{op: iAssert, arg: int32(n.assert), x: next})
	case opLook:
		b.p.regular = false
		b.p.lookback = b.p.lookback || n.behind
		outside := b.back
		b.back = n.behind
		sub := b.node(n.subs[0], b.emit(inst{op: iLookEnd}))
		b.back = outside
		return b.emit(inst{op: iLook, x: next, y: sub, neg: n.neg, behind: n.behind})
	case opBackref:
		b.p.regular = false
		return b.emit(inst{op: iBackref, arg: int32(2 * b.slot[n.group]), fold: n.fold, behind: b.back, x: next})
	}
	return next
}

func (b *builder) repeat(n *node, next int32) int32 {
	sub, entry := n.subs[0], next
	split := func(body, exit int32) inst {
		if n.lazy {
			return inst{op: iSplit, x: exit, y: body}
		}
		return inst{op: iSplit, x: body, y: exit}
	}
	copies := n.min
	if n.max < 0 {
		loop := b.emit(inst{op: iSplit})
		var body int32
		low, _ := width(sub)
		if low > 0 {
			body = b.node(sub, loop)
		} else {
			// An empty turn ends the loop at once, which the order of an
			// automaton's threads cannot express.
			b.p.regular = false
			reg := int32(b.p.regs)
			b.p.regs++
			again := b.emit(inst{op: iAgain, arg: reg, x: loop, y: next})
			body = b.emit(inst{op: iEnter, arg: reg, x: b.node(sub, again)})
		}
		b.p.insts[loop] = split(body, next)
		entry = loop
		if low > 0 && copies > 0 { // x+ begins inside the loop
			entry = body
			copies--
		}
	} else {
		for i := n.min; i < n.max && !b.limit; i++ {
			entry = b.emit(split(b.node(sub, entry), next))
		}
	}
	for i := 0; i < copies && !b.limit; i++ {
		entry = b.node(sub, entry)
	}
	return entry
}
