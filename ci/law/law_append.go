package law

import (
	"context"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
)

var appends = Law{
	Rule: rule("render/exact-append", report.Error, "The prompt of the next request begins with the prompt of this one: history is never rewritten"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		m, shapes, err := s.compared(ctx)
		if err != nil {
			return err
		}
		for _, r := range shapes {
			for k := 0; k+1 < len(r.prompts); k++ {
				before, ok := r.prompt(k)
				after, ok2 := r.prompt(k + 1)
				if !ok || !ok2 {
					break
				}
				if strings.HasPrefix(after, before) {
					found(r.Steps[k+1].Prompt)
					continue
				}
				closed, err := s.ask(ctx, r.Steps[k].Closed)
				if err != nil {
					return err
				}
				g := grown{s: s, m: m, r: r, step: k, before: before, after: after}
				found(r.Steps[k+1].Prompt, g.trouble(closed))
			}
		}
		return nil
	},
}

// grown is a prompt and the next one, which does not begin with it.
type grown struct {
	s             *Subject
	m             *markers
	r             *rendered
	step          int
	before, after string
}

// trouble says what became of the prompt.
func (g *grown) trouble(closed corpus.Outcome) Trouble {
	at := common(g.before, g.after)
	t := Trouble{Level: g.r.level(), wrote: wrote(at)}
	t.Witness = report.Witness{At: fmt.Sprintf("the prompts of requests %d and %d, byte %d", g.step+1, g.step+2, at), Sides: []report.Side{
		{Name: "before", Text: window(g.before, at)}, {Name: "after", Text: window(g.after, at)}}}
	bare, ok := promptOf(closed)
	if ok && strings.HasPrefix(g.before, bare) && at >= len(bare) {
		for _, x := range g.m.in(g.before) { // the whole marker, not what two have in common
			if x.start < at && at < x.end {
				at = max(x.start, len(bare))
			}
		}
		lost := g.before[at:]
		t.Level = report.Warning
		t.Cause = fmt.Sprintf("generation prompt %q", lost)
		t.Message = fmt.Sprintf("the generation prompt ends with %q, which the same turn does not have once it is history", lost)
		t.Advice = "write history as the model was prompted for it, or prompt for what history writes: else every turn is read anew from here on"
		return t
	}
	if opens := !ok || !strings.HasPrefix(g.before, bare) || bare == g.before; opens && at >= lastText(g.before, &g.r.Steps[g.step]) {
		t.Level = report.Warning
		t.Cause = "the end of the prompt"
		t.Message = "what the prompt ends with, behind the last message, is not how history goes on"
		t.Advice = "write history as the model was prompted for it: else every turn is read anew from here on"
		return t
	}
	if w, gone := g.reasoningGone(at); gone {
		t.Message = "reasoning of an earlier turn is left out once the conversation goes on" + g.by(w)
		t.Advice = "where the model was trained so, this is right, and costs a cache; else keep what was written"
		t.Cause = "reasoning is left out later"
		t.Level = report.Warning
		if w.path == "" {
			t.Message = "an empty block of reasoning, which the template wrote itself, is left out once the conversation goes on"
		}
		if !g.userSpoke() {
			t.Level, t.Cause = g.r.level(), "reasoning is left out within a loop of calls"
			t.Message = "reasoning is left out while the model still works with its tools" + g.by(w)
			t.Advice = "keep the reasoning of a loop of calls until the user speaks again"
		}
		return t
	}
	what, still := g.culprit(at)
	if still && (what == "the instructions" || what == "the declaration of tools") {
		t.Level = report.Warning
		t.Cause = what + " moved"
		t.Message = what + " moved to another place as the conversation went on"
		t.Advice = "write what holds for the whole conversation once, at its start"
		return t
	}
	t.Cause = "rewritten at " + what
	t.Message = fmt.Sprintf("what the model has read is rewritten at %s when the next messages come", what)
	t.Advice = "write a message as it is written when it is the last: nothing may depend on what follows"
	return t
}

func (g *grown) by(w words) string {
	if w.path == "" {
		return ""
	}
	return " (" + w.path + ")"
}

// userSpoke tells whether a user's message is among those that came.
func (g *grown) userSpoke() bool {
	for _, m := range g.r.Steps[g.step+1].Messages[len(g.r.Steps[g.step].Messages):] {
		if text(m.Get("role")) == "user" {
			return true
		}
	}
	return false
}

// lastText is where the last text of a request ends in its prompt.
func lastText(prompt string, step *Step) int {
	end := 0
	for _, w := range wordsOf(step.Messages) {
		for _, p := range all(prompt, w.text) {
			end = max(end, p.end)
		}
	}
	return end
}

// reasoningGone tells whether the prompts part where reasoning stood that the
// later one does not have, or where the markers around reasoning stood.
func (g *grown) reasoningGone(at int) (words, bool) {
	end := 0
	for _, w := range wordsOf(g.r.Steps[g.step].Messages) {
		p, ok := find(g.before, w.text, 0)
		if !ok || p.form == altered {
			continue
		}
		if w.kind == kindReasoning && p.end > at && end <= at {
			if p, still := find(g.after, w.text, 0); !still || p.form == altered {
				return w, true
			}
		}
		if w.kind != kindReasoning && p.end <= at {
			end = max(end, p.end)
		}
	}
	// Without a text of reasoning: the markers around an empty one.
	for _, x := range g.m.in(g.before) {
		if x.start < at && at < x.end {
			at = x.start
		}
	}
	for n := 1; n <= 200 && at+n <= len(g.before); n++ {
		removed := g.before[at : at+n]
		if marks := g.m.in(removed); len(marks) > 0 && strings.HasPrefix(g.after[at:], g.before[at+n:min(at+n+40, len(g.before))]) {
			return words{}, g.m.onlyThink(removed)
		}
	}
	return words{}, false
}

// onlyThink tells whether a text is markers of reasoning and white space alone.
// The cut may have fallen inside the first.
func (m *markers) onlyThink(text string) bool {
	for _, x := range m.in(text) {
		if !m.think[x.text] {
			return false
		}
	}
	rest := m.forms.ReplaceAllString(text, "")
	return strings.TrimSpace(rest) == ""
}

// culprit says beside what the prompts part, and whether that stands elsewhere in
// the later one.
func (g *grown) culprit(at int) (what string, still bool) {
	step := &g.r.Steps[g.step]
	next, nextAt := "", len(g.before)+1
	consider := func(name, text string) {
		p, ok := find(g.before, text, 0)
		if ok && p.form != altered && p.end > at && p.start < nextAt {
			q, there := find(g.after, text, 0)
			next, nextAt, still = name, p.start, there && q.form != altered
		}
	}
	for _, w := range wordsOf(step.Messages) {
		name := fmt.Sprintf("the %s's %s", w.role, w.kind)
		if w.role == "system" || w.role == "developer" {
			name = "the instructions"
		}
		consider(name, w.text)
	}
	for _, text := range callers(&Step{Tools: step.Tools}) {
		if len(text) > 12 && strings.Contains(text, " ") {
			consider("the declaration of tools", text)
		}
	}
	if next == "" {
		return "the end of the last message", false
	}
	return next, still
}
