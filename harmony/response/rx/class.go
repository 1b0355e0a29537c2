package rx

import (
	"slices"
	"sync"
	"unicode"
)

// runeRange is an inclusive range of code points.
type runeRange struct{ lo, hi rune }

const maxRune = 0x10ffff

// class is a set of code points: a bitmap for ASCII, sorted ranges for the rest.
type class struct {
	ascii  [2]uint64
	ranges []runeRange // disjoint, sorted, all of them; the bitmap repeats ASCII
}

func newClass(ranges []runeRange) *class {
	c := &class{ranges: normalise(ranges)}
	for _, r := range c.ranges {
		for x := r.lo; x <= r.hi && x < 0x80; x++ {
			c.ascii[x>>6] |= 1 << (x & 63)
		}
	}
	return c
}

func (c *class) has(r rune) bool {
	if r < 0x80 {
		return r >= 0 && c.ascii[r>>6]&(1<<(r&63)) != 0
	}
	return c.holds(r)
}

// holds is has by the ranges alone.
func (c *class) holds(r rune) bool {
	lo, hi := 0, len(c.ranges)
	for lo < hi {
		m := (lo + hi) / 2
		if c.ranges[m].hi < r {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(c.ranges) && c.ranges[lo].lo <= r
}

// full tells whether the class holds every code point.
func (c *class) full() bool {
	return len(c.ranges) == 1 && c.ranges[0] == runeRange{0, maxRune}
}

// single gives the only code point of the class.
func (c *class) single() (rune, bool) {
	if len(c.ranges) == 1 && c.ranges[0].lo == c.ranges[0].hi {
		return c.ranges[0].lo, true
	}
	return 0, false
}

func normalise(ranges []runeRange) []runeRange {
	out := slices.Clone(ranges)
	slices.SortFunc(out, func(a, b runeRange) int { return int(a.lo - b.lo) })
	n := 0
	for _, r := range out {
		if n > 0 && r.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, r.hi)
			continue
		}
		out[n] = r
		n++
	}
	return out[:n]
}

func complement(ranges []runeRange) []runeRange {
	var out []runeRange
	next := rune(0)
	for _, r := range normalise(ranges) {
		if r.lo > next {
			out = append(out, runeRange{next, r.lo - 1})
		}
		next = r.hi + 1
	}
	if next <= maxRune {
		out = append(out, runeRange{next, maxRune})
	}
	return out
}

// foldRanges adds to the ranges every code point that is equal to one of them
// when case is ignored.
func foldRanges(ranges []runeRange) []runeRange {
	c := class{ranges: normalise(ranges)}
	out := c.ranges
	for _, r := range c.ranges {
		if r.hi-r.lo < 64 {
			for x := r.lo; x <= r.hi; x++ {
				out = appendCases(out, x)
			}
			continue
		}
		for _, x := range cased() {
			if r.lo <= x && x <= r.hi {
				out = appendCases(out, x)
			}
		}
	}
	return normalise(out)
}

// appendCases appends what is equal to r when case is ignored: simple folding, and
// İ with i (spec, section 3).
func appendCases(to []runeRange, r rune) []runeRange {
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		to = append(to, runeRange{f, f})
	}
	switch r {
	case 'i', 'I':
		to = append(to, runeRange{'İ', 'İ'})
	case 'İ':
		to = append(to, runeRange{'i', 'i'}, runeRange{'I', 'I'})
	}
	return to
}

// isCased tells whether another code point is equal to r when case is ignored.
func isCased(r rune) bool { return len(appendCases(nil, r)) > 0 }

// cased are all those code points.
var cased = sync.OnceValue(func() (all []rune) {
	for r := rune(0); r <= lastCased; r++ {
		if isCased(r) {
			all = append(all, r)
		}
	}
	return all
})

// lastCased is the last code point with a case pair.
const lastCased = 0x1e943

//go:generate go run ../../../reference/python/pyrun tables.py tables.go

// escapeRanges are the ranges behind the class escapes \d, \s and \w.
func escapeRanges(letter rune) []runeRange {
	switch letter {
	case 'd':
		return digitRanges
	case 's':
		return spaceRanges
	}
	return wordRanges
}

var wordClass, digitClass = newClass(wordRanges), newClass(digitRanges)

// IsWord tells whether \w matches r.
func IsWord(r rune) bool { return wordClass.has(r) }

// IsSpace tells whether \s matches r.
func IsSpace(r rune) bool { return spaceClass.has(r) }

var spaceClass = newClass(spaceRanges)
