package pattern

import (
	"math"
	"slices"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// maxPaths bounds the steps of one search.
const maxPaths = 2_000_000

// walker looks for a match by trying one path after another from every position,
// as the regex module does, and counts the characters that it looks at. It does
// without that module's short cuts, so that the count is a bound.
type walker struct {
	text   []rune
	steps  int
	groups map[int][2]int
}

// paths counts the steps of a search in a text.
func paths(t *rx.Tree, text string) int {
	w := &walker{text: []rune(text), groups: map[int][2]int{}}
	for start := 0; start <= len(w.text) && w.steps < maxPaths; start++ {
		if w.match(t, start, func(int) bool { return true }) {
			break
		}
	}
	return w.steps
}

// match tries a part at a position; then what follows it.
func (w *walker) match(t *rx.Tree, at int, then func(int) bool) bool {
	if w.steps++; w.steps > maxPaths {
		return true // enough is known
	}
	switch t.Op {
	case rx.TreeSet:
		return at < len(w.text) && t.Has(w.text[at]) && then(at+1)
	case rx.TreeSequence:
		return w.sequence(t.Subs, at, then)
	case rx.TreeChoice:
		return slices.ContainsFunc(t.Subs, func(sub *rx.Tree) bool { return w.match(sub, at, then) })
	case rx.TreeRepeat:
		return w.repeat(t, 0, at, then)
	case rx.TreeGroup:
		return w.match(t.Subs[0], at, func(end int) bool {
			old := w.groups[t.Group]
			w.groups[t.Group] = [2]int{at, end}
			if then(end) {
				return true
			}
			w.groups[t.Group] = old
			return false
		})
	case rx.TreeLook:
		if t.Behind {
			return then(at)
		}
		return w.match(t.Subs[0], at, func(int) bool { return true }) != t.Negative && then(at)
	case rx.TreeReference:
		g := w.groups[t.Group]
		end := at + g[1] - g[0]
		return end <= len(w.text) && slices.Equal(w.text[at:end], w.text[g[0]:g[1]]) && then(end)
	case rx.TreeAssertion:
		switch t.Assertion {
		case "^":
			return at == 0 && then(at)
		case "$", `\Z`:
			return at == len(w.text) && then(at)
		}
	}
	return then(at)
}

func (w *walker) sequence(subs []*rx.Tree, at int, then func(int) bool) bool {
	if len(subs) == 0 {
		return then(at)
	}
	return w.match(subs[0], at, func(end int) bool { return w.sequence(subs[1:], end, then) })
}

func (w *walker) repeat(t *rx.Tree, count, at int, then func(int) bool) bool {
	more := func() bool {
		if t.Max >= 0 && count == t.Max {
			return false
		}
		return w.match(t.Subs[0], at, func(end int) bool {
			return (end > at || count < t.Min) && w.repeat(t, count+1, end, then)
		})
	}
	if count < t.Min {
		return more()
	}
	if t.Lazy {
		return then(at) || more()
	}
	return more() || then(at)
}

// exponent is the growth of a cost that was measured for sizes that double: the
// mean of the last doublings, three of them where there are as many.
func exponent(costs []float64) float64 {
	n := min(3, len(costs)-1)
	if n < 1 || costs[len(costs)-1-n] <= 0 {
		return 0
	}
	return math.Log2(costs[len(costs)-1]/costs[len(costs)-1-n]) / float64(n)
}
