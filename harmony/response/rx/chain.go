package rx

import (
	"strings"
	"unicode/utf8"
)

// chain is a pattern that is read from left to right without a choice, as most
// public ones are: texts, texts that may be missing, runs of a class up to what
// is not in it, and lazy stretches up to the next text. It is matched by byte
// search. Whatever else a pattern holds makes it no chain.
type chain struct {
	parts []part
	lead  int // 1 where the first part may be missing, else 0
	head  head
}

type partKind uint8

const (
	partText   partKind = iota // the text
	partOption                 // the text, or nothing where it does not stand
	partRun                    // code points of set, as many as there are
	partLazy                   // anything, as little as there is to the next text
	partEnd                    // the match ends
)

type part struct {
	kind  partKind
	text  string
	more  []byte // of the text, while the chain is made
	find  head   // of text
	set   *class
	plain *[256]bool // bytes that are in set whatever follows
	min   int        // code points
	lazy  bool       // of a run: as few as there are
	saves []int      // slots that take the position before the part
	tail  bool       // what is behind it may be missing
}

// newChain gives the chain that the tree is, nil where it is none.
func newChain(root *node, keep map[int]int) *chain {
	c := &chain{}
	var saves []int
	if !c.append(root, keep, &saves) || len(c.parts) == 0 {
		return nil
	}
	c.parts = append(c.parts, part{kind: partEnd, saves: saves})
	for i := range c.parts {
		p := &c.parts[i]
		p.text, p.more = p.text+string(p.more), nil
	}
	if !c.valid() {
		return nil
	}
	tail := true
	for i := len(c.parts) - 1; i >= 0; i-- {
		p := &c.parts[i]
		if p.text != "" {
			p.find = newHead(p.text)
		}
		p.tail = tail
		tail = tail && (p.kind == partOption || p.kind == partEnd)
	}
	if c.parts[0].kind == partOption {
		c.lead = 1
	}
	c.head = c.parts[c.lead].find
	return c
}

// append adds the parts of a node. saves are the slots whose position is that of
// the next part.
func (c *chain) append(n *node, keep map[int]int, saves *[]int) bool {
	add := func(p part) bool {
		last := len(c.parts) - 1
		if p.kind == partText && last >= 0 && c.parts[last].kind == partText && len(*saves) == 0 {
			c.parts[last].more = append(c.parts[last].more, p.text...)
			return true
		}
		p.saves, *saves = *saves, nil
		c.parts = append(c.parts, p)
		return true
	}
	switch n.op {
	case opEmpty:
		return true
	case opSet:
		r, ok := n.set.single()
		return ok && utf8.ValidRune(r) && add(part{kind: partText, text: string(r)})
	case opConcat:
		for _, sub := range n.subs {
			if !c.append(sub, keep, saves) {
				return false
			}
		}
		return true
	case opGroup:
		pair, kept := keep[n.group]
		if kept {
			*saves = append(*saves, 2*pair)
		}
		if !c.append(n.subs[0], keep, saves) {
			return false
		}
		if kept {
			*saves = append(*saves, 2*pair+1)
		}
		return true
	case opRepeat:
		sub := n.subs[0]
		if n.min == 0 && n.max == 1 && !n.lazy {
			text, all := appendPrefix(sub, nil)
			return all && len(text) > 0 && utf8.Valid(text) && !has(sub, opGroup) && add(part{kind: partOption, text: string(text)})
		}
		switch {
		case n.max >= 0 || n.min > 1 || sub.op != opSet:
		case !sub.set.full():
			return add(part{kind: partRun, set: sub.set, plain: sub.set.plain(), min: n.min, lazy: n.lazy})
		case n.lazy:
			return add(part{kind: partLazy, min: n.min})
		}
	}
	return false
}

// valid tells whether each part leaves no choice, whatever stands behind it.
func (c *chain) valid() bool {
	if first, next := c.parts[0], c.parts[1]; first.kind == partOption {
		if next.kind != partText || strings.Index(first.text+next.text, next.text) < len(first.text) {
			return false // the text stands in what may be missing before it
		}
	} else if first.kind != partText {
		return false
	}
	lazy := false
	for i, p := range c.parts[:len(c.parts)-1] {
		next := c.parts[i+1]
		switch p.kind {
		case partText:
			continue
		case partLazy:
			if _, ok := c.behind(i); lazy || !ok {
				return false
			}
			lazy = true
			continue
		}
		// p takes what it can: nothing that may follow may begin in what it takes.
		switch {
		case next.kind == partText:
			if p.holds(next.text) && p.kind == partRun || p.kind == partOption && next.text[0] == p.text[0] {
				return false
			}
		case next.kind == partLazy:
			end, ok := c.behind(i + 1)
			if !ok || p.lazy || next.min > 0 || p.holds(end) {
				return false
			}
		case p.lazy:
			return false
		case next.kind == partOption:
			if p.kind != partRun || p.holds(next.text) || c.parts[i+2].kind != partEnd {
				return false
			}
		case next.kind != partEnd:
			return false
		}
	}
	return true
}

// behind gives the text that ends the lazy stretch of part i: the next one, or
// the one behind a part that may be missing and in which it does not begin.
func (c *chain) behind(i int) (text string, ok bool) {
	next := &c.parts[i+1]
	if next.kind == partText {
		return next.text, true
	}
	if next.kind == partEnd || next.kind == partLazy || next.min > 0 || c.parts[i+2].kind != partText {
		return "", false
	}
	text = c.parts[i+2].text
	return text, !next.holds(text)
}

// holds tells whether the text may begin in what the part takes.
func (p *part) holds(text string) bool {
	if p.kind == partRun {
		r, _ := utf8.DecodeRuneInString(text)
		return p.set.has(r)
	}
	return strings.IndexByte(p.text, text[0]) >= 0
}

// plain gives the bytes that tell by themselves that a code point is in the class.
func (c *class) plain() *[256]bool {
	in := &[256]bool{}
	for b := range rune(0x80) {
		in[b] = c.has(b)
	}
	if last := c.ranges[len(c.ranges)-1]; last.lo <= 0x80 && last.hi == maxRune {
		for b := 0x80; b < 0x100; b++ {
			in[b] = true
		}
	}
	return in
}
