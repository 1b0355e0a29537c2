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
	find  head // of text
	set   *class
	plain *[256]bool // bytes that are in set whatever follows
	min   int        // code points
	lazy  bool       // of a run: as few as there are
	saves []int      // slots that take the position before the part
}

// newChain gives the chain that the tree is, nil where it is none.
func newChain(root *node, keep map[int]int) *chain {
	c := &chain{}
	var saves []int
	if !c.append(root, keep, &saves) || len(c.parts) == 0 {
		return nil
	}
	c.parts = append(c.parts, part{kind: partEnd, saves: saves})
	if !c.valid() {
		return nil
	}
	for i := range c.parts {
		if p := &c.parts[i]; p.text != "" {
			p.find = newHead(p.text)
		}
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
			c.parts[last].text += p.text
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
	if c.parts[0].kind != partText && (c.parts[0].kind != partOption || c.parts[1].kind != partText) {
		return false
	}
	if first := c.parts[0]; first.kind == partOption && strings.Index(first.text+c.parts[1].text, c.parts[1].text) < len(first.text) {
		return false // the text stands in what may be missing before it
	}
	lazy := false
	for i, p := range c.parts[:len(c.parts)-1] {
		next := c.parts[i+1]
		behind := c.parts[min(i+2, len(c.parts)-1)]
		switch p.kind {
		case partOption:
			switch next.kind {
			case partText:
				if next.text[0] == p.text[0] {
					return false
				}
			case partLazy: // nothing that ends the stretch may begin in the text
				if behind.kind == partOption {
					behind = c.parts[i+3]
				}
				if next.min > 0 || behind.kind != partText || strings.IndexByte(p.text, behind.text[0]) >= 0 {
					return false
				}
			case partEnd:
			default:
				return false
			}
		case partRun:
			out := func(text string) bool {
				r, _ := utf8.DecodeRuneInString(text)
				return !p.set.has(r)
			}
			if next.kind != partEnd && !(next.kind == partText && out(next.text)) || next.kind == partEnd && p.lazy {
				return false
			}
		case partLazy:
			if lazy {
				return false
			}
			lazy = true
			if next.kind != partText && !(next.kind == partOption && behind.kind == partText && strings.IndexByte(next.text, behind.text[0]) < 0) {
				return false
			}
		}
	}
	return true
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
