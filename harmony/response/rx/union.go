package rx

import "slices"

// The regex module rearranges a pattern before it matches it (_regex_core.py:
// optimise): sequences in sequences and branches in branches are made flat, what
// all branches begin with is taken before them (in what looks back: what they end
// with), and neighbours among the branches that are sets become one. That would
// keep the meaning but for unions with negated sets (rangesOf), so this package
// rearranges the same way.

// arranger rearranges trees, and counts what it looks at.
type arranger struct{ steps *int }

// arranged rearranges a tree; behind is set inside of what looks back.
func (r arranger) arranged(n *node, behind bool) *node {
	*r.steps++
	switch n.op {
	case opConcat:
		var items []*node
		for _, sub := range n.subs {
			items = append(items, listed(r.arranged(sub, behind), opConcat)...)
		}
		return sequenceOf(items)
	case opAlt:
		return r.alternation(n.subs, behind)
	case opRepeat, opGroup:
		n.subs[0] = r.arranged(n.subs[0], behind)
	case opLook:
		n.subs[0] = r.arranged(n.subs[0], n.behind)
		if !n.neg && n.subs[0].op == opEmpty {
			return n.subs[0]
		}
	}
	return n
}

// listed are the parts of a node of that kind, or the node; nothing for an empty
// sequence.
func listed(n *node, op op) []*node {
	switch {
	case n.op == op:
		return n.subs
	case n.op == opEmpty && op == opConcat:
		return nil
	}
	return []*node{n}
}

func sequenceOf(items []*node) *node {
	switch len(items) {
	case 0:
		return &node{op: opEmpty}
	case 1:
		return items[0]
	}
	return &node{op: opConcat, subs: items}
}

func (r arranger) alternation(subs []*node, behind bool) *node {
	var branches [][]*node
	for _, sub := range subs {
		for _, b := range listed(r.arranged(sub, behind), opAlt) {
			branches = append(branches, listed(b, opConcat))
			*r.steps++
		}
	}
	common := r.commonOf(branches, behind)
	var rest []*node
	for _, items := range branches {
		if behind {
			items = items[:len(items)-len(common)]
		} else {
			items = items[len(common):]
		}
		rest = append(rest, sequenceOf(items))
	}
	rest = merged(rest)
	alt := rest[0]
	if len(rest) > 1 {
		alt = &node{op: opAlt, subs: rest}
	}
	if behind {
		return sequenceOf(append([]*node{alt}, common...))
	}
	return sequenceOf(append(slices.Clone(common), alt))
}

// commonOf is what all branches begin with, from the end what they end with.
func (r arranger) commonOf(branches [][]*node, fromEnd bool) []*node {
	first := branches[0]
	count := 0
	for same := true; same; count++ {
		for _, items := range branches {
			*r.steps++
			if count == len(items) {
				return affix(first, count, fromEnd)
			}
			a, b := first[count], items[count]
			if fromEnd {
				a, b = first[len(first)-1-count], items[len(items)-1-count]
			}
			same = same && movable(a) && equal(a, b)
		}
	}
	return affix(first, count-1, fromEnd)
}

func affix(items []*node, count int, fromEnd bool) []*node {
	if fromEnd {
		return items[len(items)-count:]
	}
	return items[:count]
}

// movable tells whether a node may be taken out of the branches.
func movable(n *node) bool {
	switch n.op {
	case opEmpty, opConcat, opRepeat, opGroup:
		return false
	}
	return !slices.ContainsFunc(n.subs, func(sub *node) bool { return !movable(sub) })
}

// equal compares nodes of which the first is movable.
func equal(a, b *node) bool {
	if a.op != b.op || a.fold != b.fold || a.group != b.group || a.assert != b.assert || a.neg != b.neg || a.behind != b.behind {
		return false
	}
	switch {
	case a.op != opSet:
		return slices.EqualFunc(a.subs, b.subs, equal)
	case a.written == nil || b.written == nil:
		return a.written == b.written && a.set.full() == b.set.full()
	}
	return a.written.ident == b.written.ident
}

// merged makes one set of neighbours that are sets, except ranges, and that ignore
// case or not alike.
func merged(branches []*node) []*node {
	var out []*node
	for len(branches) > 0 {
		first := branches[0]
		n := 1
		if mergeable(first) {
			for n < len(branches) && mergeable(branches[n]) && branches[n].fold == first.fold {
				n++
			}
		}
		if run := branches[:n]; slices.ContainsFunc(run[1:], func(b *node) bool { return !equal(first, b) }) {
			first = union(run)
		}
		out = append(out, first)
		branches = branches[n:]
	}
	return out
}

func mergeable(n *node) bool {
	return n.op == opSet && n.written != nil && n.written.kind != aRange
}

// A search begins with a look at the next code point, which is to be in one of the
// sets that a match may begin with. The regex module makes one union of those too,
// which ignores case if one of them does, and takes too little where sets are
// negated: of (?i:b)|[^ac] no match begins with A.

// gate gives that set, nil where it keeps nothing out.
func gate(root *node) *node {
	sets, empty, ok := firstSets(root)
	if !ok || empty || len(sets) == 0 || simple(root) {
		return nil
	}
	fold := false
	var exact []runeRange
	for _, n := range sets {
		if n.written.kind == aCodePoint && n.written.negated {
			return nil
		}
		fold = fold || n.fold
		exact = append(exact, n.set.ranges...)
	}
	items := flat(sets)
	if all(items) {
		return nil
	}
	let := rangesOf(items, fold)
	if outside := complement(append(complement(exact), let...)); len(outside) == 0 {
		return nil
	}
	return &node{op: opSet, set: newClass(let)}
}

// simple tells whether a match begins with one certain set, where there is no gate.
func simple(n *node) bool {
	switch n.op {
	case opSet:
		return true
	case opConcat, opGroup:
		return simple(n.subs[0])
	}
	return false
}

// firstSets lists the sets with which a match of n may begin, and tells whether it
// may be empty; not ok where the regex module does not know them.
func firstSets(n *node) (sets []*node, empty, ok bool) {
	switch {
	case n.op == opSet:
		return []*node{n}, false, n.written != nil && n.written.kind != aRange
	case n.op == opBackref:
		return nil, false, false
	case n.op == opConcat:
		for i, item := range n.subs {
			more, empty, ok := firstSets(item)
			if !ok {
				return nil, false, false
			}
			if caseless(n.subs[i:]) {
				more = []*node{{op: opSet, set: item.set, written: item.written}}
			}
			if sets = append(sets, more...); !empty {
				return sets, false, true
			}
		}
		return sets, true, true
	case n.op == opAlt:
		for _, sub := range n.subs {
			more, maybe, ok := firstSets(sub)
			if !ok {
				return nil, false, false
			}
			sets, empty = append(sets, more...), empty || maybe
		}
		return sets, empty, true
	case n.op == opRepeat, n.op == opGroup, n.op == opLook && !n.neg && !n.behind:
		sets, empty, ok = firstSets(n.subs[0])
		return sets, empty || n.op == opRepeat && n.min == 0, ok
	}
	return nil, true, true
}

// caseless tells whether a sequence begins with a text for which it makes no
// difference that case is ignored; the flag is dropped then.
func caseless(items []*node) bool {
	for i, n := range items {
		if n.op != opSet || n.written == nil || n.written.kind != aCodePoint || n.written.negated {
			return i > 0
		}
		if i == 0 && !n.fold {
			return false
		}
		if isCased(n.written.lo) {
			return !n.fold // it begins the next text
		}
	}
	return true
}
