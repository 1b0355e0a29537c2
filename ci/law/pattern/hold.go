package pattern

import (
	"fmt"
	"slices"
	"strings"
)

// Causes of text that comes late.
const (
	anything  = "anything"    // nothing is shown until the part has matched
	begun     = "once begun"  // nothing is shown once it has begun
	lazyRun   = "lazy run"    // the reference takes what cannot match any more for begun
	lateClose = "late close"  // a region's end is told with the text behind it
	heldRate  = "stream rate" // what is kept back is searched again with every piece
)

// prose is what a person writes: letters, spaces, digits, signs and new lines.
const prose = "So it goes on, with 12 more words.\nThen - a second line; it says (much) the same.\n"

// kept is how much prose is written behind what begins a part.
var kept = strings.Repeat(prose, 4)

// held predicts what keeps text back.
func (t *Template) held(p *Part) (out []*Prediction) {
	if p.tree == nil || p.Use != Open && p.Use != Close {
		return nil
	}
	predict := func(cause, begin, reason string) *Prediction {
		w := t.heldReply(p, begin)
		o := &Prediction{Kind: Withheld, Part: p, Cause: cause, Engine: "reference", Reason: reason, candidates: []witness{w}, Witness: t.parseCase(w.reply)}
		out = append(out, o)
		return o
	}
	begin, ok := p.waits()
	switch {
	case ok && begin == "":
		predict(anything, "", "it may begin anywhere and run on to the end, so that no text is shown before it has matched or the reply has ended")
	case ok:
		predict(begun, begin, fmt.Sprintf("once %q has come, no text is shown until the rest of it comes or the reply ends", begin))
	}
	for _, run := range lazyRuns(p.tree, "") {
		predict(lazyRun, run.begin, fmt.Sprintf("once %q has come, the regex module still takes it for the beginning of a match, since %s is lazy, although nothing can match any more: no text is shown until the reply ends", run.begin, run.of))
		break
	}
	if f := t.field(p); p.Use == Close && f.open != nil {
		reply := t.heads(p)[0] + p.word()
		o := predict(lateClose, "", "the close is a pattern, so that the end of the region, and its value, are told only with the text behind it or when the reply has ended")
		o.candidates, o.Mild, o.Witness = []witness{{reply, len(reply)}}, true, t.parseCase(reply)
	}
	return out
}

// waits gives the shortest text behind which the reference waits whatever comes.
func (p *Part) waits() (begin string, ok bool) {
	m := p.matcher()
	begins := []string{""}
	words := p.words()
	for _, w := range words[:min(len(words), 30)] {
		for at := range w {
			begins = append(begins, w[:at])
		}
		begins = append(begins, w)
	}
	slices.SortStableFunc(begins, func(a, b string) int { return len(a) - len(b) })
	for _, begin := range slices.Compact(begins) {
		waits := true
		for _, n := range []int{1, 9, len(prose), len(kept)} {
			now, ok := m.sofar(begin+kept[:n], 0)
			if !ok || now.match || now.start >= max(len(begin), 1) {
				waits = false
				break
			}
		}
		if waits {
			return begin, true
		}
	}
	return "", false
}

// heldReply is a reply in which the part keeps prose back.
func (t *Template) heldReply(p *Part, begin string) witness {
	head := t.heads(p)[0]
	reply := head + begin + kept
	if f := t.field(p); p.Use == Open && t.implicit() == nil {
		// Only regions are shown: another one follows.
		for _, other := range t.fields {
			if other == f && len(t.fields) > 1 || other.open == nil {
				continue
			}
			longer := reply + other.open.word() + kept
			if got, ok := t.regions(longer); ok && slices.ContainsFunc(got, func(r string) bool { return strings.HasPrefix(r, other.name+" ") }) {
				reply = longer
				break
			}
		}
	}
	return witness{reply, len(head + begin)}
}
