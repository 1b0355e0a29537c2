package law

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
)

var balanced = Law{
	Rule: rule("render/markers-balanced", report.Error, "Every marker that opens something is closed once, before it opens again, and nothing is closed that was not open"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		m, err := s.findMarkers(ctx)
		if err != nil {
			return err
		}
		if len(m.pairs) == 0 && len(m.ends) == 0 {
			return nil
		}
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		for _, r := range shapes {
			closed, ok := promptOf(r.closed)
			if !ok {
				continue
			}
			text, ok := withdraw(closed, r.Last(), m.spelled)
			if !ok {
				continue
			}
			b := balance{m: m, r: r, prompt: closed, withdrawn: text}
			open, ok := r.last()
			allowed := r.open()
			if open == closed { // the end of the user's turn is the beginning of the model's
				allowed = 1
			}
			b.pairs(allowed)
			b.ends()
			found(r.Last().Closed, b.troubles...)
			if ok && len(b.troubles) == 0 {
				if text, ok := withdraw(open, r.Last(), m.spelled); ok {
					b = balance{m: m, r: r, prompt: open, withdrawn: text}
					b.pairs(1)
					found(r.Last().Prompt, b.troubles...)
				}
			}
		}
		return nil
	},
}

// open is how many markers a whole conversation may leave open: one where the
// model still has the word, after its calls or their results.
func (r *Shape) open() int {
	last := r.Last().Messages[len(r.Last().Messages)-1]
	if calls, ok := last.Get("tool_calls").AsArray(); ok && calls.Len() > 0 || text(last.Get("role")) == "tool" || text(last.Get("role")) == "function" {
		return 1
	}
	return 0
}

// spelled tells whether a text holds one of the markers.
func (m *markers) spelled(text string) bool {
	for _, x := range m.in(text) {
		if m.known[x.text] {
			return true
		}
	}
	return false
}

// balance counts the markers of one prompt.
type balance struct {
	m      *markers
	r      *rendered
	prompt string
	// withdrawn is the prompt without those texts of the caller that hold markers.
	withdrawn string
	troubles  []Trouble
}

// opensNear is how many bytes before a text what opens its turn may end.
const opensNear = 40

// pairs follows each pair through the prompt. allowed is how many may be open at
// the end: the generation prompt opens the model's turn.
func (b *balance) pairs(allowed int) {
	all := b.m.in(b.withdrawn)
	preface := b.preface()
	for _, p := range b.m.pairs {
		depth, opened := 0, mark{}
		for _, x := range all {
			if p.tag && x.start < preface { // prose may speak of tags
				switch {
				case x.text == p.open && x.end+opensNear >= preface:
					depth, opened = 1, x
				case x.text == p.open || slices.Contains(p.closes, x.text):
					depth = 0
				}
				continue
			}
			switch {
			case x.text == p.open && depth > 0:
				b.tell("unclosed", p.open, x.start, fmt.Sprintf("%s is opened again before it was closed", p.open))
				opened = x
			case x.text == p.open:
				depth, opened = 1, x
			case depth > 0 && slices.Contains(p.closes, x.text):
				depth = 0
			case x.text == p.closes[0]:
				b.tell("spurious", x.text, x.start, fmt.Sprintf("%s closes what no %s opened", x.text, p.open))
			}
		}
		if depth > allowed {
			b.tell("left open", p.open, opened.start, fmt.Sprintf("%s is never closed", p.open))
		}
	}
}

// preface is where the first text stands that is no instruction.
func (b *balance) preface() int {
	first := len(b.prompt)
	for _, w := range wordsOf(b.r.Last().Messages) {
		if w.role != "system" && w.role != "developer" && w.kind == kindContent {
			if p, ok := find(b.prompt, w.text, 0); ok && p.form != altered {
				first = min(first, p.start)
			}
		}
	}
	return first
}

// ends asks for a marker between the texts of different roles, in formats that
// have one there in a plain conversation.
func (b *balance) ends() {
	for _, j := range joints(b.prompt, b.r.Last()) {
		if j.before.kind != kindContent || j.before.role == j.after.role || !known(j.after.role) {
			continue
		}
		between := b.prompt[j.from:j.to]
		if !b.ended(j, b.m.in(b.withdrawn[j.from:j.to])) {
			b.tell("not ended", j.before.role+" before "+j.after.role, j.from,
				fmt.Sprintf("the %s's turn is not ended before the %s's: %s stands between them", j.before.role, j.after.role, orNothing(between)))
		}
	}
}

// ended tells whether the markers between two texts are those that stand there in
// the core shapes. Of roles that none of these has side by side any marker does,
// where the first of the two is told from every other.
func (b *balance) ended(j joint, marks []mark) bool {
	if ends, ok := b.m.ends[j.roles()]; ok {
		for _, x := range marks {
			if ends[x.text] {
				return true
			}
		}
		return false
	}
	if len(marks) > 0 || b.m.learnt[j.roles()] {
		return true
	}
	for roles := range b.m.learnt {
		if strings.HasPrefix(roles, j.before.role+" before ") && b.m.ends[roles] == nil {
			return true
		}
	}
	return b.m.ends[j.before.role+" before user"] == nil && b.m.ends[j.before.role+" before assistant"] == nil
}

func known(role string) bool {
	return role == "system" || role == "user" || role == "assistant" || role == "tool"
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return fmt.Sprintf("%q", text)
}

// tell adds a trouble, once a cause.
func (b *balance) tell(what, marker string, at int, message string) {
	level, after := b.r.level(), "at the start"
	for _, w := range wordsOf(b.r.Last().Messages) {
		if p, ok := find(b.prompt, w.text, 0); ok && p.end <= at {
			after = "after " + w.role
		}
	}
	switch {
	case what == "spurious" && b.m.alone[marker]: // some models are prompted with the end of reasoning that they did not do
		level, after = report.Warning, "as the generation prompt does"
	case what == "spurious" && b.m.think[marker]: // others have it in history, in place of reasoning that is left out
		level, after = report.Warning, "in place of reasoning"
	}
	cause := what + " " + marker + " " + after
	for _, t := range b.troubles {
		if t.Cause == cause {
			return
		}
	}
	b.troubles = append(b.troubles, Trouble{
		Level: level, Cause: cause, Message: b.r.ID + ": " + message + ", " + after,
		Advice:  "write the marker on every path through the turn: with and without text, calls, results and reasoning",
		Witness: around("the prompt", b.prompt, at),
		wrote:   wrote(at),
	})
}

// level lessens what an advisory shape shows.
func (r *Shape) level() report.Level {
	if r.Advisory {
		return report.Warning
	}
	return ""
}
