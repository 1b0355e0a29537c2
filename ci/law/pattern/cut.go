package pattern

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// Causes of cut dependence.
const (
	goesOn     = "goes on"                 // a match that was taken would have become longer
	hidden     = "hidden start"            // a match began before the one that was taken
	denied     = "denied later"            // what was taken is no match
	othersText = "other text"              // the same match captures other text
	givenUp    = "given up"                // text was given away in which a match began
	lazyEdge   = "lazy run before an edge" // the regex module gives up what may still match
	shorter    = "becomes shorter"         // a match that was taken would have become shorter
)

const (
	maxConflicts  = 12 // texts of one cause
	maxCandidates = 16 // replies of one cause
)

// conflict is a text of which the beginnings up to some bytes mislead the reference.
type conflict struct {
	text string
	at   []int
}

// cuts predicts what the reference reads otherwise in pieces.
func (t *Template) cuts(p *Part) (out []*Prediction) {
	if p.Use != Open && p.Use != Close {
		return nil
	}
	if t.spent > allSpent {
		t.tooLong(p)
		return nil
	}
	found, spent := p.conflicts()
	t.spent += spent
	for _, cause := range []string{goesOn, shorter, hidden, denied, othersText, givenUp} {
		conflicts := found[cause]
		if len(conflicts) == 0 {
			continue
		}
		prediction := &Prediction{Kind: Cut, Part: p, Cause: cause, Engine: "reference", Reason: p.cutReason(cause, conflicts[0])}
		for _, c := range conflicts {
			prediction.candidates = append(prediction.candidates, t.cutReplies(p, c)...)
			if len(prediction.candidates) >= maxCandidates {
				break
			}
		}
		if c := conflicts[0]; len(prediction.candidates) == 0 { // no reply is known that it matters to
			head := t.heads(p)[0]
			prediction.candidates = []witness{{head + c.text, len(head) + c.at[0]}}
		}
		first := prediction.candidates[0]
		prediction.Witness = cutAt(t.parseCase(first.reply), first.reply, first.at)
		out = append(out, prediction)
	}
	if run := lazyBeforeEdge(p.tree); run != nil {
		out = append(out, t.lazyCut(p, run))
	}
	return out
}

// conflicts are texts by what goes wrong with them, the shortest first, and what
// was spent on them.
func (p *Part) conflicts() (found map[string][]conflict, spent int) {
	m := p.matcher()
	found = map[string][]conflict{}
	for _, text := range p.texts() {
		whole, ok := m.whole(text, 0)
		if m.spent > maxSpent {
			break // a pattern that is made to take long
		}
		if !ok {
			continue
		}
		at := map[string][]int{}
		for i := 1; i < len(text); i++ {
			if !utf8.RuneStart(text[i]) {
				continue
			}
			now, ok := m.begun(text[:i])
			if !ok {
				break
			}
			if cause := misled(now, whole); cause != "" {
				at[cause] = append(at[cause], i)
			} else if now.match {
				break // it is taken, and rightly
			}
		}
		for cause := range at {
			found[cause] = append(found[cause], conflict{text, at[cause]})
		}
	}
	for cause, all := range found {
		slices.SortStableFunc(all, func(a, b conflict) int { return len(a.text) - len(b.text) })
		found[cause] = all[:min(len(all), maxConflicts)]
	}
	return found, m.spent
}

// misled says how what was taken for certain is not what the whole text says; ""
// where it is.
func misled(now, whole mark) string {
	switch {
	case !now.match && whole.start < now.start:
		return givenUp
	case !now.match || now.same(whole):
		return ""
	case whole.start < now.start:
		return hidden
	case whole.start > now.start || !whole.match:
		return denied
	case whole.end > now.end:
		return goesOn
	case whole.end < now.end:
		return shorter
	}
	return othersText
}

// cutReplies are replies with a conflict in them of which the regions differ.
func (t *Template) cutReplies(p *Part, c conflict) (out []witness) {
	tails := []string{"", "z", " z"}
	if f := t.field(p); p.Use == Open && f.close != nil {
		for _, body := range t.bodies(f) {
			tails = append(tails, body+f.close.word()+"z")
		}
	}
	for _, head := range t.heads(p) {
		for _, tail := range tails {
			reply := head + c.text + tail
			whole, ok := t.regions(reply)
			for _, at := range c.at {
				at += len(head)
				cut, ok2 := t.regions(reply[:at], reply[at:])
				if ok && ok2 && !slices.Equal(whole, cut) {
					out = append(out, witness{reply, at})
					break
				}
			}
		}
	}
	return out
}

// heads are what may stand before a part: nothing, or for the close of a region its
// open and some of its text.
func (t *Template) heads(p *Part) []string {
	f := t.field(p)
	if p.Use == Open || f.open == nil {
		return []string{"a", ""}
	}
	var out []string
	for _, body := range t.bodies(f) {
		out = append(out, t.opened(f)+body)
	}
	return out
}

// opened is a text that opens the region of a field.
func (t *Template) opened(f *field) string {
	if f.open == nil {
		return ""
	}
	words := f.open.words()
	for _, word := range words {
		if got, ok := t.regions(word + "a"); ok && len(got) > 0 && strings.HasPrefix(got[len(got)-1], f.name+" ") {
			return word
		}
	}
	return f.open.word()
}

// bodies are texts that the content parser of a field reads.
func (t *Template) bodies(f *field) []string {
	content, _ := t.Spec.Get("fields").Get(f.name).Get("content").AsString()
	switch content {
	case "json":
		return []string{`{}`, `{"name": "a", "arguments": {}}`, `[]`, `1`}
	case "int", "float", "bool":
		return []string{"1"}
	case "python-call-list":
		return []string{"[]"}
	case "xml-inline":
		if len(f.tags) > 0 {
			return append([]string{""}, f.tags[0].word())
		}
	case "kv-lines":
		return []string{"a: 1\n"}
	}
	return []string{"a", ""}
}

// cutReason says why, with the text that misleads.
func (p *Part) cutReason(cause string, c conflict) string {
	begin, rest := c.text[:c.at[0]], c.text[c.at[0]:]
	switch cause {
	case goesOn:
		return fmt.Sprintf("after %q the match is taken for complete, but %q makes it longer%s", begin, rest, p.because(tail))
	case shorter:
		return fmt.Sprintf("after %q the match is taken for complete, but with %q it ends before%s", begin, rest, p.because(tail))
	case hidden:
		return fmt.Sprintf("after %q a later match is taken, although with %q one that began before it comes true", begin, rest)
	case denied:
		return fmt.Sprintf("after %q the match is taken, but %q denies it%s", begin, rest, p.because(denying))
	case othersText:
		return fmt.Sprintf("after %q the match is taken, but with %q it captures other text", begin, rest)
	}
	return fmt.Sprintf("%q is taken for text, although with %q a match begins in it%s", begin, rest, p.because(look))
}

// because names the construct that is to blame, where there is one.
func (p *Part) because(find func(t *rx.Tree) *rx.Tree) string {
	if p.tree == nil {
		return ": one of the texts begins with, or holds, another"
	}
	if t := find(p.tree); t != nil {
		return ": " + t.String()
	}
	return ""
}

// tail is the last part of a pattern that may be left out or go on, or a choice.
func tail(t *rx.Tree) *rx.Tree {
	switch t.Op {
	case rx.TreeSequence:
		for i := len(t.Subs) - 1; i >= 0; i-- {
			if found := tail(t.Subs[i]); found != nil {
				return found
			}
		}
	case rx.TreeGroup:
		return tail(t.Subs[0])
	case rx.TreeChoice:
		return t
	case rx.TreeRepeat:
		if _, high := t.Width(); t.Min != t.Max && high != 1 && !(t.Subs[0].Op == rx.TreeSet && t.Subs[0].Has('a') != t.Subs[0].Has(' ')) {
			return t
		}
	}
	return nil
}

// denying is the first look that must fail, else the first look.
func denying(t *rx.Tree) *rx.Tree {
	if t.Op == rx.TreeLook && t.Negative {
		return t
	}
	for _, sub := range t.Subs {
		if found := denying(sub); found != nil && found.Negative {
			return found
		}
	}
	return look(t)
}

// look is the first part of a pattern that asks for what stands around it.
func look(t *rx.Tree) *rx.Tree {
	if t.Op == rx.TreeLook || t.Op == rx.TreeAssertion {
		return t
	}
	for _, sub := range t.Subs {
		if found := look(sub); found != nil {
			return found
		}
	}
	return nil
}
