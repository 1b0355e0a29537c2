package law

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

var renders = Law{
	Rule: rule("render/renders", report.Error, "Every conversation that a client of the OpenAI API sends is rendered, or refused with an error that names the field"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		for _, r := range shapes {
			i := r.firstRefused()
			troubles, err := s.refused(ctx, r, r.Steps[i].Prompt, r.prompts[i])
			if err != nil {
				return err
			}
			found(r.Steps[i].Prompt, troubles...)
		}
		return nil
	},
}

// firstRefused is the first step that was not rendered, the last one where all
// were.
func (r *rendered) firstRefused() int {
	for i, o := range r.prompts {
		if o.Kind != corpus.OK {
			return i
		}
	}
	return len(r.prompts) - 1
}

// refused says what is wrong with how a shape was not rendered; nothing where it
// was, or was refused as it should be.
func (s *Subject) refused(ctx context.Context, r *rendered, c corpus.Case, o corpus.Outcome) ([]Trouble, error) {
	switch o.Kind {
	case corpus.OK:
		return nil, nil
	case corpus.Failed:
		return []Trouble{{Cause: "engine failed", Message: "rendering does not end in bounds: " + o.Why,
			Advice: "see that no loop of the template depends on a text or a number of the request alone"}}, nil
	case corpus.Cannot:
		return nil, &Unasked{Law: "render/renders", Why: o.Why}
	}
	deliberate := o.Class == "TemplateError"
	if deliberate && names(o.Message, r.Fields) {
		return nil, nil
	}
	t, err := s.raised(ctx, c, o)
	if err != nil {
		return nil, err
	}
	if deliberate {
		t.Level = report.Warning
		t.Message = fmt.Sprintf("%s: refused, and the error does not say which field: %s", r.ID, o.Message)
		t.Advice = "name the field and what it may hold, such as messages[2].content must be a string"
	} else {
		t.Message = fmt.Sprintf("%s: raises %s: %s", r.ID, o.Class, o.Message)
		t.Advice = "test the field before it is used, or refuse it with raise_exception and the field's name"
	}
	if r.Advisory || r.usesTools() && !s.knowsTools() {
		t.Level = report.Warning
	}
	return []Trouble{t}, nil
}

// raised is the trouble of a case that the template raised on, without a message:
// its cause is the error and the line that raised it.
func (s *Subject) raised(ctx context.Context, c corpus.Case, o corpus.Outcome) (Trouble, error) {
	traced, err := s.Asker.Trace(ctx, c)
	line := 0
	if traced.Raised != nil {
		line = traced.Raised.Line
	}
	return Trouble{
		Cause:   o.Class + ": " + normal(o.Message) + " @ " + s.line(line),
		Places:  s.places(line),
		Witness: report.Witness{At: "the request", Sides: []report.Side{{Name: "error", Text: o.Class + ": " + o.Message}}},
	}, err
}

// knowsTools tells whether the template speaks of tools at all. One that does not is
// of a model that has none: servers refuse them before it is asked.
func (s *Subject) knowsTools() bool { return strings.Contains(s.ChatTemplate, "tool") }

// usesTools tells whether messages call tools, or are their results.
func (s *Shape) usesTools() bool {
	return slices.ContainsFunc(s.Last().Messages, func(m value.Value) bool {
		role := text(m.Get("role"))
		return role == "tool" || role == "function" || m.Get("tool_calls").Truthy() || m.Get("function_call").Truthy()
	})
}

// names tells whether a message says one of the words.
func names(message string, fields []string) bool {
	message = strings.ToLower(message)
	for _, f := range fields {
		if strings.Contains(message, f) {
			return true
		}
	}
	return false
}

var (
	numbers   = regexp.MustCompile(`\d+`)
	quotes    = regexp.MustCompile(`'[^']{24,}'|"[^"]{24,}"`)
	addresses = regexp.MustCompile(`0x[0-9a-f]+`)
)

// normal is a message without what depends on the case: numbers, addresses and
// long quotations.
func normal(message string) string {
	message = addresses.ReplaceAllString(message, "0x…")
	return numbers.ReplaceAllString(quotes.ReplaceAllString(message, "'…'"), "N")
}

// line is the text of a line of the chat template, "" for line 0.
func (s *Subject) line(n int) string {
	if n < 1 {
		return ""
	}
	lines := strings.Split(s.ChatTemplate, "\n")
	if n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// places are lines of the chat template, the template as a whole where none is
// known.
func (s *Subject) places(lines ...int) []report.Place {
	var out []report.Place
	for _, n := range lines {
		if n > 0 {
			out = append(out, report.Place{Role: s.Role, File: "chat_template", Line: n, Text: s.line(n)})
		}
	}
	if out == nil {
		out = append(out, report.Place{Role: s.Role, File: "chat_template"})
	}
	return out
}
