package law

import (
	"context"
	"fmt"

	"github.com/beamdiff/beamdiff/ci/report"
)

var ordered = Law{
	Rule: rule("render/order", report.Warning, "Messages stand in a prompt in the order in which they were sent"),
	Ask: ofConversations(func(_ context.Context, _ *Subject, r *rendered, prompt string) ([]Trouble, error) {
		return r.moved(prompt), nil
	}),
}

// moved finds the first text that stands before one of an earlier message. Texts
// of one message may stand in any order, and so may results of one round.
func (r *rendered) moved(prompt string) []Trouble {
	var last words // of the furthest text of earlier messages
	floor := 0     // where that ends
	now, nowEnd := words{message: -1}, 0
	for _, w := range wordsOf(r.Last().Messages) {
		if w.kind != kindContent || w.number {
			continue
		}
		if w.message != now.message && !(w.role == "tool" && now.role == "tool") {
			if nowEnd > floor {
				floor, last = nowEnd, now
			}
			nowEnd = 0
		}
		now = w
		p, ok := find(prompt, w.text, floor)
		if ok && p.form != altered {
			nowEnd = max(nowEnd, p.end)
			continue
		}
		if p, ok = find(prompt, w.text, 0); !ok || p.form == altered {
			continue // lost, or not to be told apart
		}
		return []Trouble{{
			Level:   r.level(),
			Cause:   fmt.Sprintf("%s of %s before %s of %s", w.kind, w.role, last.kind, last.role),
			Message: fmt.Sprintf("%s: %s stands before %s, which was sent earlier", r.ID, w.path, last.path),
			Advice:  "write the messages one after the other, each with all that is its own",
			Witness: around("the prompt", prompt, p.start),
			wrote:   wrote(p.start),
		}}
	}
	return nil
}

var kept = Law{
	Rule: rule("render/nothing-lost", report.Error, "Every text of a message stands in the prompt: content, names and arguments of calls, results"),
	Ask: ofConversations(func(ctx context.Context, s *Subject, r *rendered, prompt string) ([]Trouble, error) {
		var troubles []Trouble
		for _, w := range wordsOf(r.Last().Messages) {
			if w.kind == kindReasoning || !lost(prompt, w.text) {
				continue
			}
			t := r.lost(w)
			if !s.knowsTools() && w.unsupported() {
				t.Level, t.Cause = report.Warning, "no tools"
				t.Message = "the template knows no tools: calls and results are not in the prompt, and nothing says so"
				t.Advice = "refuse them with raise_exception"
			}
			troubles = append(troubles, t)
		}
		if r.ID != "image-part" {
			return troubles, nil
		}
		t, err := s.unseen(ctx, r, prompt)
		return append(troubles, t...), err
	}),
}

// unsupported tells whether a text is of a call or a result.
func (w words) unsupported() bool {
	return w.role == "tool" || w.kind == kindCall || w.kind == kindKey || w.kind == kindArgument
}

// lost is a text that is in no prompt.
func (r *rendered) lost(w words) Trouble {
	t := Trouble{
		Level:   r.level(),
		Cause:   fmt.Sprintf("%s of %s", w.kind, w.role),
		Message: fmt.Sprintf("%s: %s is not in the prompt, and nothing says so", r.ID, w.path),
		Advice:  "write it, or refuse it with raise_exception and the name of the field",
		Witness: report.Witness{At: w.path, Sides: []report.Side{{Name: "sent", Text: w.text}}},
	}
	if w.kind == kindRefusal || w.kind == kindContent && !known(w.role) {
		t.Level = report.Warning
	}
	if w.kind == kindKey || w.kind == kindArgument || w.kind == kindCall {
		t.Cause = "calls of " + w.role // one line writes all of them
	}
	return t
}

// unseen tells whether a picture leaves no trace.
func (s *Subject) unseen(ctx context.Context, r *rendered, prompt string) ([]Trouble, error) {
	step := r.Last()
	content := step.Messages[0].Get("content")
	parts, _ := content.AsArray()
	one := caseOf(step.Prompt.Kind, step.Prompt.ID+"-without", r.Why, member("messages", list(message("user", member("content", list(parts.At(0)))))))
	o, err := s.ask(ctx, one)
	if err != nil {
		return nil, err
	}
	if without, ok := promptOf(o); ok && without == prompt {
		return []Trouble{{
			Level: report.Warning, Cause: "picture",
			Message: "a picture is left out of the prompt, and nothing says so: the model answers as if it had seen none",
			Advice:  "write the model's placeholder for it, or refuse it with raise_exception",
			Witness: report.Witness{At: "messages[0].content[1]", Sides: []report.Side{{Name: "prompt", Text: prompt}}},
		}}, nil
	}
	return nil, nil
}
