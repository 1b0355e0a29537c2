package rx

import "slices"

// member is a set as a branch of an alternation, where the regex module makes one
// set of neighbours. The code points that negated sets of one each leave out it
// puts together, and takes what is none of them: [^b]|[^;] is read as [^b;]
// (response-template-spec.md, section 15, C2).
type member struct {
	folded bool        // written where case is ignored
	except []rune      // what such sets leave out
	rest   []runeRange // of the others
}

// reduced makes one set of neighbours in an alternation, where that changes what
// they match.
func reduced(alt *node) *node {
	branches := flattened(nil, alt)
	changed := false
	out := make([]*node, 0, len(branches))
	for i := 0; i < len(branches); {
		j := i + 1
		for m := branches[i].member; m != nil && j < len(branches) && branches[j].member != nil && branches[j].member.folded == m.folded; {
			j++
		}
		run := branches[i:j]
		if set := union(run); set != nil {
			changed = true
			out = append(out, set)
		} else {
			out = append(out, run...)
		}
		i = j
	}
	switch {
	case !changed:
		return alt
	case len(out) == 1:
		return out[0]
	}
	return &node{op: opAlt, subs: out}
}

// flattened appends the branches of an alternation and of those in it.
func flattened(to []*node, alt *node) []*node {
	for _, n := range alt.subs {
		if n.op == opAlt {
			to = flattened(to, n)
		} else {
			to = append(to, n)
		}
	}
	return to
}

// union makes one set of several, nil where they leave out one code point at most:
// then an alternation of them is the same.
func union(sets []*node) *node {
	all := &member{}
	for _, n := range sets {
		if n.member == nil {
			return nil
		}
		all.folded = n.member.folded
		for _, r := range n.member.except {
			if !slices.Contains(all.except, r) {
				all.except = append(all.except, r)
			}
		}
		all.rest = append(all.rest, n.member.rest...)
	}
	if len(sets) < 2 || len(all.except) < 2 {
		return nil
	}
	var except []runeRange
	for _, r := range all.except {
		except = append(except, runeRange{r, r})
	}
	if all.folded {
		except = foldRanges(except)
	}
	all.rest = normalise(all.rest)
	return &node{op: opSet, set: newClass(append(complement(except), all.rest...)), member: all}
}
