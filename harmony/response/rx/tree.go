package rx

import (
	"fmt"
	"slices"
	"strings"
)

// Tree is a pattern, or a part of one, as it is matched: rearranged as the regex
// module does, without groups that capture nothing. It is for those who look at a
// pattern and not at a text; see [Parse].
type Tree struct {
	Op   TreeOp
	Subs []*Tree
	// Min and Max bound a repeat; Max is -1 where it has no bound. Lazy takes as few
	// as it can.
	Min, Max int
	Lazy     bool
	// Group is the number of a group that captures, or that is referred to, from 1.
	Group int
	// Negative and Behind are of a look.
	Negative, Behind bool
	// Assertion is ^, \Z, $, \b or \B; with flag m also (?m:^) and (?m:$).
	Assertion string

	set *class
}

// TreeOp is the kind of a part.
type TreeOp uint8

// The kinds of parts.
const (
	TreeEmpty     TreeOp = iota // matches at a place
	TreeSet                     // one character of a set: Has
	TreeSequence                // Subs, one after another
	TreeChoice                  // the first of Subs that leads to a match
	TreeRepeat                  // Subs[0], Min to Max times
	TreeGroup                   // Subs[0], captured
	TreeAssertion               // a place
	TreeLook                    // Subs[0], looked at
	TreeReference               // the text of Group again
)

// Parse reads a pattern as [Compile] does, with the same errors.
func Parse(pattern string) (*Tree, error) {
	root, _, err := parse(pattern, flags{dot: true}, new(int))
	if err != nil {
		return nil, err
	}
	return treeOf(root), nil
}

func treeOf(n *node) *Tree {
	t := &Tree{Op: TreeOp(n.op), Min: n.min, Max: n.max, Lazy: n.lazy, Group: max(n.group, 0), Negative: n.neg, Behind: n.behind, set: n.set}
	if n.op == opAssert {
		t.Assertion = assertionTexts[n.assert]
	}
	for _, sub := range n.subs {
		t.Subs = append(t.Subs, treeOf(sub))
	}
	return t
}

var assertionTexts = [...]string{atStart: "^", atStartOfLine: "(?m:^)", atEnd: `\Z`, atEndOrNewline: "$", atEndOfLine: "(?m:$)", atWordEdge: `\b`, notAtWordEdge: `\B`}

// Has tells whether a set holds a character.
func (t *Tree) Has(r rune) bool { return t.set != nil && t.set.has(r) }

// Single gives the only character of a set.
func (t *Tree) Single() (rune, bool) {
	if t.set == nil {
		return 0, false
	}
	return t.set.single()
}

// First gives the first character of a set; false for one that is empty.
func (t *Tree) First() (rune, bool) {
	if t.set == nil || len(t.set.ranges) == 0 {
		return 0, false
	}
	return t.set.ranges[0].lo, true
}

// Width gives the least and the greatest number of characters that the part
// takes; a greatest of -1 has no bound.
func (t *Tree) Width() (low, high int) {
	switch t.Op {
	case TreeSet:
		return 1, 1
	case TreeSequence, TreeGroup:
		for _, sub := range t.Subs {
			l, h := sub.Width()
			low, high = low+l, addWidth(high, h)
		}
		return low, high
	case TreeChoice:
		low, high = t.Subs[0].Width()
		for _, sub := range t.Subs[1:] {
			l, h := sub.Width()
			low = min(low, l)
			if high >= 0 && (h < 0 || h > high) {
				high = h
			}
		}
		return low, high
	case TreeRepeat:
		l, h := t.Subs[0].Width()
		switch {
		case h == 0:
			high = 0
		case t.Max < 0 || h < 0:
			high = -1
		default:
			high = h * t.Max
		}
		return l * t.Min, high
	case TreeReference:
		return 0, -1
	}
	return 0, 0
}

// String writes the part as a pattern, near to how it was written.
func (t *Tree) String() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t *Tree) write(b *strings.Builder) {
	switch t.Op {
	case TreeSet:
		b.WriteString(t.setText())
	case TreeSequence:
		for _, sub := range t.Subs {
			if sub.Op == TreeChoice {
				fmt.Fprintf(b, "(?:%v)", sub)
				continue
			}
			sub.write(b)
		}
	case TreeChoice:
		for i, sub := range t.Subs {
			if i > 0 {
				b.WriteByte('|')
			}
			sub.write(b)
		}
	case TreeRepeat:
		if op := t.Subs[0].Op; op == TreeSequence || op == TreeChoice || op == TreeRepeat {
			fmt.Fprintf(b, "(?:%v)", t.Subs[0])
		} else {
			t.Subs[0].write(b)
		}
		b.WriteString(t.quantifier())
	case TreeGroup:
		fmt.Fprintf(b, "(%v)", t.Subs[0])
	case TreeAssertion:
		b.WriteString(t.Assertion)
	case TreeLook:
		sign := map[[2]bool]string{{false, false}: "=", {true, false}: "!", {false, true}: "<=", {true, true}: "<!"}
		fmt.Fprintf(b, "(?%s%v)", sign[[2]bool{t.Negative, t.Behind}], t.Subs[0])
	case TreeReference:
		fmt.Fprintf(b, `\%d`, t.Group)
	}
}

func (t *Tree) quantifier() string {
	q := fmt.Sprintf("{%d,%d}", t.Min, t.Max)
	switch [2]int{t.Min, t.Max} {
	case [2]int{0, -1}:
		q = "*"
	case [2]int{1, -1}:
		q = "+"
	case [2]int{0, 1}:
		q = "?"
	case [2]int{t.Min, t.Min}:
		q = fmt.Sprintf("{%d}", t.Min)
	case [2]int{t.Min, -1}:
		q = fmt.Sprintf("{%d,}", t.Min)
	}
	if t.Lazy {
		q += "?"
	}
	return q
}

func (t *Tree) setText() string {
	if r, ok := t.set.single(); ok {
		return quoted(r, `\.+*?()|[]{}^$`)
	}
	if t.set.full() {
		return "."
	}
	for _, letter := range "dsw" {
		ranges := escapeRanges(letter)
		if slices.Equal(t.set.ranges, normalise(ranges)) {
			return `\` + string(letter)
		}
		if slices.Equal(t.set.ranges, complement(ranges)) {
			return `\` + string(letter-'a'+'A')
		}
	}
	ranges, not := t.set.ranges, ""
	if other := complement(ranges); len(other) < len(ranges) {
		ranges, not = other, "^"
	}
	if len(ranges) > 8 {
		return "[" + not + "…]"
	}
	var b strings.Builder
	b.WriteString("[" + not)
	for _, r := range ranges {
		b.WriteString(quoted(r.lo, `\]^-`))
		if r.hi > r.lo {
			b.WriteString("-" + quoted(r.hi, `\]^-`))
		}
	}
	return b.String() + "]"
}

// quoted writes a character as it stands in a pattern.
func quoted(r rune, special string) string {
	switch {
	case r == '\n':
		return `\n`
	case r < ' ' || r == 0x7f:
		return fmt.Sprintf(`\x%02x`, r)
	case strings.ContainsRune(special, r):
		return `\` + string(r)
	}
	return string(r)
}
