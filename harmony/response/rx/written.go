package rx

import (
	"fmt"
	"slices"
	"strings"
)

// written is a set of code points as the regex module holds it. What an
// alternation of sets matches there depends on that (union.go), not only on the
// code points.
type written struct {
	ident
	items []written // of a union, with those of the unions in it
}

// ident is what makes two sets the same to the regex module: [ab] is not [ba].
type ident struct {
	kind    kind
	negated bool
	lo, hi  rune // of a code point, which is both, and of a range
	letter  rune // of a property: d, s or w
	union   string
}

type kind uint8

const (
	aCodePoint kind = iota
	aRange
	aProperty
	aUnion
)

func codePoint(r rune) written { return written{ident: ident{kind: aCodePoint, lo: r, hi: r}} }

// span is a range, or the one code point in it.
func span(lo, hi rune) written {
	if lo == hi {
		return codePoint(lo)
	}
	return written{ident: ident{kind: aRange, lo: lo, hi: hi}}
}

// property is the set of an escape for several code points, by its letter.
func property(letter rune) (w written, ok bool) {
	if !strings.ContainsRune("dDsSwW", letter) {
		return written{}, false
	}
	lower := letter | 0x20
	return written{ident: ident{kind: aProperty, letter: lower, negated: lower != letter}}, true
}

// unionOf is the set of all that is in one of the sets.
func unionOf(items []written) written {
	var key strings.Builder
	for _, item := range items {
		key.WriteString(item.ident.String())
	}
	return written{ident: ident{kind: aUnion, union: key.String()}, items: items}
}

// oneOf is the union of the items, or the only one.
func oneOf(items []written) written {
	if len(items) == 1 {
		return items[0]
	}
	return unionOf(items)
}

func (i ident) String() string {
	not := ""
	if i.negated {
		not = "^"
	}
	switch i.kind {
	case aProperty:
		return fmt.Sprintf("%s\\%c", not, i.letter)
	case aUnion:
		return fmt.Sprintf("%s(%s)", not, i.union)
	}
	return fmt.Sprintf("%s%x-%x,", not, i.lo, i.hi)
}

// all tells whether the sets hold a property and its opposite.
func all(items []written) bool {
	var has, not uint32 // a bit a letter
	for _, w := range items {
		switch bit := uint32(1) << (w.letter & 31); {
		case w.kind != aProperty:
		case w.negated:
			not |= bit
		default:
			has |= bit
		}
	}
	return has&not != 0
}

// ranges are the code points of the set; with fold, case is ignored.
func (w *written) ranges(fold bool) []runeRange {
	positive := *w
	positive.negated = false
	items := []written{positive}
	if w.kind == aUnion {
		items = w.items
	}
	ranges := rangesOf(items, fold)
	if w.negated {
		return complement(ranges)
	}
	return ranges
}

// rangesOf are the code points of a union. The code points that negated sets of
// one each leave out it puts together, and takes what is none of them: [^b] and
// [^;] are [^b;] there (response-template-spec.md, section 15, C2).
func rangesOf(items []written, fold bool) []runeRange {
	var in, except, others []runeRange
	for i := range items {
		switch w := &items[i]; {
		case w.kind == aCodePoint && w.negated:
			except = append(except, runeRange{w.lo, w.hi})
		case w.kind == aUnion || w.negated:
			others = append(others, w.ranges(fold)...)
		case w.kind == aProperty:
			in = append(in, escapeRanges(w.letter)...)
		default:
			in = append(in, runeRange{w.lo, w.hi})
		}
	}
	if fold {
		in, except = foldRanges(in), foldRanges(except)
	}
	if len(except) > 0 {
		others = append(others, complement(except)...)
	}
	return normalise(append(in, others...))
}

// setOf makes the node of a set.
func setOf(w written, fold bool) *node {
	return &node{op: opSet, set: newClass(w.ranges(fold)), written: &w, fold: fold}
}

// union makes one set of several, as where they are neighbours in an alternation.
func union(sets []*node) *node {
	items := flat(sets)
	if all(items) {
		return anyOne()
	}
	// Their order is that of a Python set, which is the same for the same sets but
	// for rare collisions.
	slices.SortFunc(items, func(a, b written) int { return strings.Compare(a.String(), b.String()) })
	return setOf(unionOf(items), sets[0].fold)
}

// flat lists the sets, once each, and instead of a union what is in it.
func flat(sets []*node) []written {
	seen := map[ident]bool{}
	var items []written
	for _, n := range sets {
		switch w := n.written; {
		case seen[w.ident]:
		case w.kind == aUnion && !w.negated:
			items = append(items, w.items...)
		default:
			items = append(items, *w)
		}
		seen[n.written.ident] = true
	}
	return items
}
