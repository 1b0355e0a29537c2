package pattern

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

const (
	maxWords   = 120  // texts of one part of a pattern
	maxTexts   = 1000 // texts that are tried with a pattern
	maxTextLen = 160  // bytes of one
)

// plain are the characters that stand for a set, in their order.
const plain = "a1 \n>b<_\"{:"

// writer makes texts that a pattern matches, and with look-aheads that deny, texts
// that they deny.
type writer struct {
	inside []string // what may stand in a run of a set besides plain characters
	marks  bool     // groups leave marks, for references
}

// Marks of groups in a text that is on its way: private characters.
const (
	groupStart = '\U000F1000'
	groupEnd   = '\U000F2000'
	groupAgain = '\U000F3000'
)

// words gives texts that the part matches, the plainest first.
func (p *Part) words() []string {
	if p.tree == nil {
		return p.Literals
	}
	w := &writer{marks: has(p.tree, rx.TreeReference)}
	first := w.of(p.tree)
	w.inside = append(literals(p.tree, nil), resolved(first[:min(len(first), 6)])...)
	return resolved(w.of(p.tree))
}

// word is the plainest of the words, "" where all are too long to be written.
func (p *Part) word() string {
	for _, w := range p.words() {
		return w
	}
	return ""
}

func has(t *rx.Tree, op rx.TreeOp) bool {
	return t.Op == op || slices.ContainsFunc(t.Subs, func(s *rx.Tree) bool { return has(s, op) })
}

// literals collects the runs of single characters of a pattern.
func literals(t *rx.Tree, to []string) []string {
	if t.Op == rx.TreeSequence {
		run := ""
		for _, sub := range append(slices.Clone(t.Subs), &rx.Tree{}) {
			if r, ok := sub.Single(); ok {
				run += string(r)
				continue
			}
			if run != "" {
				to = append(to, run)
			}
			run = ""
			to = literals(sub, to)
		}
		return to
	}
	if r, ok := t.Single(); ok {
		return append(to, string(r))
	}
	for _, sub := range t.Subs {
		to = literals(sub, to)
	}
	return to
}

// of gives texts for a part of a pattern, at most maxWords.
func (w *writer) of(t *rx.Tree) []string {
	switch t.Op {
	case rx.TreeSet:
		return w.set(t)
	case rx.TreeSequence:
		return w.sequence(t.Subs)
	case rx.TreeChoice:
		return w.choice(t.Subs)
	case rx.TreeRepeat:
		return w.repeat(t)
	case rx.TreeGroup:
		words := w.of(t.Subs[0])
		if w.marks {
			for i := range words {
				words[i] = string(groupStart+rune(t.Group)) + words[i] + string(groupEnd+rune(t.Group))
			}
		}
		return words
	case rx.TreeReference:
		return []string{string(groupAgain + rune(t.Group))}
	case rx.TreeLook:
		if !t.Behind { // what it asks for, or denies, may come next
			return append([]string{""}, w.of(t.Subs[0])...)
		}
		if !t.Negative {
			return w.of(t.Subs[0])
		}
	}
	return []string{""}
}

func (w *writer) set(t *rx.Tree) []string {
	if r, ok := t.Single(); ok {
		return []string{string(r)}
	}
	var words []string
	for _, r := range plain {
		if t.Has(r) {
			words = append(words, string(r))
		}
	}
	if len(words) == 0 {
		if r, ok := t.First(); ok {
			words = append(words, string(r))
		}
	}
	return words
}

// choice takes the branches' texts in turn, so that each has its share.
func (w *writer) choice(subs []*rx.Tree) (words []string) {
	var all [][]string
	for _, sub := range subs {
		all = append(all, w.of(sub))
	}
	for i := 0; len(words) < maxWords; i++ {
		more := false
		for _, texts := range all {
			if i < len(texts) {
				words, more = append(words, texts[i]), true
			}
		}
		if !more {
			break
		}
	}
	return unique(words)
}

// sequence varies one part at a time, then two neighbours that vary.
func (w *writer) sequence(subs []*rx.Tree) []string {
	var all [][]string
	for _, sub := range subs {
		words := w.of(sub)
		if len(words) == 0 {
			return nil // an empty set: nothing matches
		}
		all = append(all, words)
	}
	write := func(at map[int]int) string {
		var b strings.Builder
		for i, words := range all {
			b.WriteString(words[at[i]])
		}
		return b.String()
	}
	out := []string{write(nil)}
	for i := range all {
		for j := 1; j < len(all[i]) && len(out) < 4*maxWords; j++ {
			out = append(out, write(map[int]int{i: j}))
		}
	}
	last := -1
	for i := range all {
		if len(all[i]) == 1 || len(out) > 8*maxWords {
			continue
		}
		for j := 1; last >= 0 && j < min(len(all[i]), 5); j++ {
			for k := 1; k < min(len(all[last]), 5); k++ {
				out = append(out, write(map[int]int{last: k, i: j}))
			}
		}
		last = i
	}
	return spread(unique(out), maxWords)
}

// repeat writes a run of a few lengths.
func (w *writer) repeat(t *rx.Tree) []string {
	sub := w.of(t.Subs[0])
	if len(sub) == 0 {
		sub = []string{""}
	}
	var out []string
	add := func(n int, text string) {
		if n >= t.Min && (t.Max < 0 || n <= t.Max) {
			out = append(out, strings.Repeat(text, min(n, 8)))
		}
	}
	least := t.Min
	if t.Max < 0 && least == 0 && t.Subs[0].Op == rx.TreeSet {
		least = 1 // the run itself matters more than its absence
	}
	add(least, sub[0])
	add(t.Min, sub[0])
	for _, n := range []int{1, 2, 3} {
		add(n, sub[0])
	}
	for _, text := range sub[1:] {
		add(max(t.Min, 1), text)
		if t.Max < 0 || t.Max > 1 {
			add(max(t.Min, 1), sub[0]+text)
		}
	}
	if one := t.Subs[0]; t.Max < 0 && one.Op == rx.TreeSet {
		for _, text := range w.inside {
			if utf8.RuneCountInString(text) >= t.Min && !strings.ContainsFunc(text, func(r rune) bool { return !one.Has(r) }) {
				out = append(out, text, sub[0]+text+sub[0])
			}
		}
	}
	return spread(unique(out), maxWords)
}

// unique leaves out what comes twice.
func unique(words []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(words, func(w string) bool {
		if seen[w] || len(w) > maxTextLen {
			return true
		}
		seen[w] = true
		return false
	})
}

// spread takes n of the words, the first half of them from the beginning and the
// rest evenly from those behind.
func spread(words []string, n int) []string {
	if len(words) <= n {
		return words
	}
	out := slices.Clone(words[:n/2])
	rest := words[n/2:]
	for i := range n - n/2 {
		out = append(out, rest[i*len(rest)/(n-n/2)])
	}
	return out
}

// resolved writes what references refer to, and takes the marks away.
func resolved(words []string) []string {
	var out []string
	for _, word := range words {
		open, texts := map[rune]int{}, map[rune]string{}
		var b strings.Builder
		for _, r := range word {
			switch {
			case r >= groupAgain && r < groupAgain+0x1000:
				b.WriteString(texts[r-groupAgain])
			case r >= groupEnd && r < groupEnd+0x1000:
				texts[r-groupEnd] = b.String()[open[r-groupEnd]:]
			case r >= groupStart && r < groupStart+0x1000:
				open[r-groupStart] = b.Len()
			default:
				b.WriteRune(r)
			}
		}
		out = append(out, b.String())
	}
	return unique(out)
}

// texts are what the part is tried with: its words with something before and
// behind them, and words inside of the beginnings of others.
func (p *Part) texts() []string {
	words := p.words()
	var out []string
	for _, w := range words {
		out = append(out, w, w+"z", "a"+w+" z", w+"\n", w+" "+words[0])
	}
	short := spread(slices.Clone(words), 14)
	for _, outer := range short {
		for at := range outer {
			if at == 0 {
				continue
			}
			for _, inner := range short {
				out = append(out, outer[:at]+inner+outer[at:], outer[:at]+inner)
			}
		}
	}
	return spread(unique(out), maxTexts)
}
