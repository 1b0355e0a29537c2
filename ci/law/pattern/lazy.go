package pattern

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// The regex module's partial search answers wrongly for lazy runs of one character:
// it takes what cannot match any more for begun, and gives up what may still match
// before an edge of a word. Native Go, with which texts are tried here, has the right
// answer, so that these are found in the syntax alone.

// lazy is a lazy run of one character, and a text that leaves it without hope.
type lazy struct{ begin, of string }

// lazyRuns finds runs that the regex module's partial search keeps alive
// (response-template-spec, trap C1): lazy, of a set, and without an end.
func lazyRuns(t *rx.Tree, before string) (out []lazy) {
	switch t.Op {
	case rx.TreeSequence:
		for _, sub := range t.Subs {
			out = append(out, lazyRuns(sub, before)...)
			if words := resolved((&writer{}).of(sub)); len(words) > 0 {
				before += words[0]
			}
		}
	case rx.TreeRepeat:
		one := t.Subs[0]
		if t.Lazy && t.Max < 0 && one.Op == rx.TreeSet {
			text := ""
			if words := (&writer{}).of(one); t.Min > 0 && len(words) > 0 {
				text = strings.Repeat(words[0], t.Min)
			}
			for _, r := range " \n>a" {
				if !one.Has(r) {
					return append(out, lazy{before + text + string(r), t.String()})
				}
			}
		}
	}
	if t.Op != rx.TreeSequence {
		for _, sub := range t.Subs {
			out = append(out, lazyRuns(sub, before)...)
		}
	}
	return out
}

// lazyCut predicts what the regex module's partial search gets wrong: it gives up a
// start at which a lazy run of one character stands before an edge of a word. Only
// the reference can tell whether it does.
func (t *Template) lazyCut(p *Part, run *rx.Tree) *Prediction {
	o := &Prediction{Kind: Cut, Part: p, Cause: lazyEdge, Engine: "reference",
		Reason: fmt.Sprintf("%s is lazy and stands before an edge of a word: the regex module then takes the beginning of a match for none", run)}
	words := p.words()
	for _, word := range words[:min(len(words), maxCandidates)] {
		head := t.heads(p)[0]
		reply := head + word + "z"
		for at := range reply {
			if at > len(head) && at < len(head)+len(word) && len(o.candidates) < maxCandidates {
				o.candidates = append(o.candidates, witness{reply, at})
			}
		}
	}
	if len(o.candidates) == 0 {
		o.candidates = []witness{{"az", 1}}
	}
	o.Witness = cutAt(t.parseCase(o.candidates[0].reply), o.candidates[0].reply, o.candidates[0].at)
	return o
}

// lazyBeforeEdge finds a lazy run of a set before \b or \B.
func lazyBeforeEdge(t *rx.Tree) *rx.Tree {
	if t == nil {
		return nil
	}
	for i, sub := range t.Subs {
		if t.Op == rx.TreeSequence && i+1 < len(t.Subs) && strings.EqualFold(t.Subs[i+1].Assertion, `\b`) && isLazyRun(sub) {
			return sub
		}
		if found := lazyBeforeEdge(sub); found != nil {
			return found
		}
	}
	return nil
}

// isLazyRun tells whether a part ends in a lazy run of one character.
func isLazyRun(t *rx.Tree) bool {
	switch t.Op {
	case rx.TreeGroup:
		return isLazyRun(t.Subs[0])
	case rx.TreeSequence:
		return isLazyRun(t.Subs[len(t.Subs)-1])
	}
	return t.Op == rx.TreeRepeat && t.Lazy && t.Subs[0].Op == rx.TreeSet
}
