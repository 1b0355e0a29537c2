package rx

import (
	"slices"
	"unicode/utf8"
)

// The automaton takes most bytes of a reply one of two ways: along a literal
// that one thread reads, or round a loop that nothing leaves for long, such as
// [^"]+ or .*? before a closing tag. Both are known beforehand, and then taken
// in one stride.

// link is the literal that a thread reads from an instruction on, and where it
// stands then.
type link struct {
	text  string
	next  int32
	quiet bool // no match may begin behind its first byte
}

const maxLink = 64

// maxFast is the largest program that is prepared like that.
const maxFast = 1000

// loop is a consuming instruction that leads back to itself.
type loop struct {
	stop  [256]bool // bytes that begin a code point which does anything else
	exits []string  // the literals that end the match from here, in order of preference
	// closing: the exits are all that stands beside the loop, and the loop takes
	// every code point.
	closing bool
	// only: the one exit is the only way out, and then the loop is left; quiet is
	// that of its link.
	only, quiet bool
}

// speedUp finds links and loops. A pattern with assertions goes step by step.
func (p *prog) speedUp() {
	if p.anchored || p.asserts || p.lookback || !p.regular || len(p.insts) > maxFast {
		return
	}
	p.closures = make([][]target, len(p.insts))
	for pc := range p.insts {
		p.closures[pc] = p.closure(int32(pc), make([]bool, len(p.insts)), nil, false, nil)
	}
	p.links = make([]link, len(p.insts))
	p.loops = make([]*loop, len(p.insts))
	for pc := range p.insts {
		if p.insts[pc].op == iRune {
			p.links[pc] = p.link(int32(pc))
		}
	}
	for _, t := range p.closures[p.start] {
		if p.insts[t.pc].op != iRune {
			p.begins = nil
			break
		}
		p.begins = append(p.begins, p.links[t.pc].text)
	}
	for pc := range p.links {
		l := &p.links[pc]
		l.quiet = !p.nullable
		for i := 1; i < len(l.text); i++ {
			l.quiet = l.quiet && !p.mayBegin(l.text[i:], false)
		}
	}
	for pc := range p.insts {
		switch p.insts[pc].op {
		case iRune, iSet, iAny:
			p.loops[pc] = p.loop(int32(pc))
		}
	}
	p.into = make([]int32, len(p.insts))
	for pc := range p.insts {
		p.into[pc] = p.loopBehind(p.closures[pc])
	}
}

// loopBehind gives the loop whose turns lead to exactly the targets, -1 for none.
func (p *prog) loopBehind(targets []target) int32 {
	for _, t := range targets {
		if p.loops[t.pc] == nil {
			continue
		}
		turn := p.closures[p.insts[t.pc].x]
		if slices.EqualFunc(turn, targets, func(a, b target) bool { return a.pc == b.pc }) {
			return t.pc
		}
	}
	return -1
}

func (p *prog) link(pc int32) link {
	var b []byte
	for p.insts[pc].op == iRune && len(b) < maxLink {
		b = utf8.AppendRune(b, p.insts[pc].r)
		pc = p.insts[pc].x
	}
	return link{text: string(b), next: pc}
}

// target is a consuming instruction that threads reach from another without
// consuming anything, and what happens on the way.
type target struct {
	pc    int32
	saves []int32 // slots that take the position
	ends  bool    // the match ends here; the rest looks ahead
}

// closure lists the targets from pc on, the preferred ones first.
func (p *prog) closure(pc int32, seen []bool, saves []int32, ends bool, to []target) []target {
	for !seen[pc] {
		seen[pc] = true
		in := &p.insts[pc]
		switch in.op {
		case iSplit:
			to = p.closure(in.x, seen, saves, ends, to)
			pc = in.y
			continue
		case iSave:
			saves = append(saves[:len(saves):len(saves)], in.arg)
		case iEnd:
			ends = true
		default:
			return append(to, target{pc, saves, ends})
		}
		pc = in.x
	}
	return to
}

// loop gives the loop through the instruction, nil where it is in none, or in
// one whose turns do more than wait.
func (p *prog) loop(pc int32) *loop {
	in := &p.insts[pc]
	l := &loop{closing: in.op == iAny}
	self := false
	for _, t := range p.closures[in.x] {
		if t.pc == pc {
			self = true
			continue
		}
		switch other := &p.insts[t.pc]; other.op {
		case iRune:
			leads(runeRange{other.r, other.r}, func(b byte) { l.stop[b] = true })
			exit := &p.links[t.pc]
			l.exits = append(l.exits, exit.text)
			l.closing = l.closing && !self && p.insts[exit.next].op == iMatch
			l.quiet = exit.quiet
			l.only = in.op == iSet && len(p.closures[in.x]) == 2 && !in.set.has(other.r)
		case iSet:
			for _, r := range other.set.ranges {
				leads(r, func(b byte) { l.stop[b] = true })
			}
			l.closing = false
		default: // a match, or another loop that takes everything
			return nil
		}
	}
	if !self {
		return nil
	}
	if in.op == iAny {
		return l
	}
	rejects := complement([]runeRange{{in.r, in.r}})
	if in.op == iSet {
		rejects = complement(in.set.ranges)
	}
	for _, r := range rejects {
		leads(r, func(b byte) { l.stop[b] = true })
	}
	return l
}

// leads calls f for each byte that begins a code point of the range.
func leads(r runeRange, f func(b byte)) {
	for c := r.lo; c <= r.hi && c < 0x80; c++ {
		f(byte(c))
	}
	if r.hi < 0x80 {
		return
	}
	for c := int(lead(max(r.lo, 0x80))); c <= int(lead(r.hi)); c++ {
		f(byte(c))
	}
}

// lead is the first byte of a code point's UTF-8, surrogates included.
func lead(r rune) byte {
	switch {
	case r < 0x80:
		return byte(r)
	case r < 0x800:
		return 0xc0 | byte(r>>6)
	case r < 0x10000:
		return 0xe0 | byte(r>>12)
	}
	return 0xf0 | byte(r>>18)
}
