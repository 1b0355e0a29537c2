package law

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// generation is the tag that marks what the model wrote.
var generation = regexp.MustCompile(`\{%[-+]?\s*generation\s*[-+]?%\}`)

// masked is a shape with the spans of its whole conversation that the template
// marks as the model's, in bytes.
type masked struct {
	*rendered
	text  string
	spans [][2]int
}

// marksTurns tells whether the template has a generation block.
func (s *Subject) marksTurns() bool { return generation.MatchString(s.ChatTemplate) }

// masked asks for the spans of the shapes, for a law; none where the template
// marks nothing. The error is an *Unasked where the engine gives no masks, or wrong
// ones.
func (s *Subject) masked(ctx context.Context, law string) ([]masked, error) {
	if !s.marksTurns() {
		return nil, nil
	}
	shapes, err := s.rendered(ctx)
	if err != nil {
		return nil, err
	}
	var cases []corpus.Case
	for _, r := range shapes {
		cases = append(cases, r.Last().Mask)
	}
	got, err := s.answered(ctx, law, engine.OpMask, cases)
	if err != nil {
		return nil, err
	}
	var out []masked
	for i, o := range got {
		if o.Kind != corpus.OK {
			continue // it is refused: render/renders tells it
		}
		m := masked{rendered: shapes[i], text: text(o.Value.Get("text"))}
		spans, _ := o.Value.Get("spans").AsArray()
		index := corpus.NewIndex(m.text)
		for _, span := range spans.All() {
			pair, _ := span.AsArray()
			if pair.Len() != 2 {
				return nil, &Unasked{law, cases[i].ID + ": " + value.Dumps(span) + " is no span"}
			}
			start, _ := pair.At(0).AsInt()
			end, _ := pair.At(1).AsInt()
			from, ok := index.Byte(int(start))
			to, ok2 := index.Byte(int(end))
			if !ok || !ok2 || from > to {
				return nil, &Unasked{law, cases[i].ID + ": " + value.Dumps(span) + " is no span of its text"}
			}
			m.spans = append(m.spans, [2]int{from, to})
		}
		out = append(out, m)
	}
	return out, nil
}

// covers tells whether a byte is in a span.
func (m *masked) covers(at int) bool {
	for _, s := range m.spans {
		if s[0] <= at && at < s[1] {
			return true
		}
	}
	return false
}

// span is a witness that shows one span.
func (m *masked) span(i int) report.Witness {
	from, to := m.spans[i][0], m.spans[i][1]
	w := around("the conversation", m.text, to)
	w.Sides = append(w.Sides, report.Side{Name: "span", Text: m.text[from:to]})
	return w
}

var maskPresent = Law{
	Rule: rule("mask/present", report.Error, "What the model wrote is marked for training: every answer is in a generation block"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		shapes, err := s.masked(ctx, "mask/present")
		if err != nil {
			return err
		}
		if !s.marksTurns() {
			r, err := s.shape(ctx, "ends-answered")
			if err != nil {
				return err
			}
			if _, ok := r.last(); ok {
				found(r.Last().Mask, Trouble{Level: report.Note, Cause: "no generation block",
					Message: "the template has no generation block: a mask of what the model wrote is all zeros, and training on it learns nothing",
					Advice:  "put what the model writes between {% generation %} and {% endgeneration %}, or train with a template that has them"})
			}
			return nil
		}
		for _, m := range shapes {
			var troubles []Trouble
			asked, end := false, 0
			for _, w := range wordsOf(m.Last().Messages) {
				p, ok := find(m.text, w.text, end)
				if !ok || p.form == altered {
					continue
				}
				if w.kind != kindReasoning && w.kind != kindKey && w.kind != kindCall {
					end = p.end
				}
				if w.role != "assistant" || w.kind == kindKey || w.kind == kindCall || w.number {
					continue
				}
				asked = true
				if !m.covers(p.start) || !m.covers(p.end-1) {
					troubles = append(troubles, Trouble{Level: m.level(), Cause: string(w.kind),
						Message: fmt.Sprintf("%s: %s, which the model wrote, is in no generation block", m.ID, w.path),
						Advice:  "open the block directly after what opens the turn, and close it behind what ends it",
						Witness: around("the conversation", m.text, p.start), wrote: wrote(p.start)})
				}
			}
			if asked {
				found(m.Last().Mask, troubles...)
			}
		}
		return nil
	},
}

var maskOnly = Law{
	Rule: rule("mask/only-the-model", report.Error, "Nothing that the model did not write is marked: no message of others, and nothing of the generation prompt"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		shapes, err := s.masked(ctx, "mask/only-the-model")
		if err != nil {
			return err
		}
		for _, m := range shapes {
			var troubles []Trouble
			end := 0
			for _, w := range wordsOf(m.Last().Messages) {
				p, ok := find(m.text, w.text, end)
				if !ok || p.form == altered || w.kind == kindReasoning || w.kind == kindKey || w.kind == kindCall || w.number {
					continue
				}
				end = p.end
				if w.role != "assistant" && (m.covers(p.start) || m.covers(p.end-1)) {
					troubles = append(troubles, Trouble{Level: m.level(), Cause: "text of " + w.role,
						Message: fmt.Sprintf("%s: %s is in a generation block: training teaches the model to write it", m.ID, w.path),
						Advice:  "close the block before the next message", Witness: around("the conversation", m.text, p.start), wrote: wrote(p.start)})
				}
			}
			troubles = append(troubles, m.prompted()...)
			found(m.Last().Mask, troubles...)
		}
		return nil
	},
}

// prompted tells of spans that begin inside a prompt that the model was given.
func (m *masked) prompted() []Trouble {
	for k := range m.prompts {
		p, ok := m.prompt(k)
		if !ok || !strings.HasPrefix(m.text, p) {
			continue
		}
		for i, s := range m.spans {
			if s[0] < len(p) && s[1] > len(p) {
				t := Trouble{Level: report.Warning, Cause: fmt.Sprintf("generation prompt %q", m.text[s[0]:len(p)]),
					Message: fmt.Sprintf("%q of the generation prompt is in a generation block: training teaches the model to write what it is given", m.text[s[0]:len(p)]),
					Advice:  "open the block behind all that the generation prompt writes", Witness: m.span(i), wrote: wrote(s[0])}
				return []Trouble{t}
			}
		}
	}
	return nil
}

var maskStop = Law{
	Rule: rule("mask/stop", report.Error, "Each generation block holds what ends the model's turn: else a model trained on it never learns to stop"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		m, err := s.findMarkers(ctx)
		if err != nil {
			return err
		}
		shapes, err := s.masked(ctx, "mask/stop")
		if err != nil {
			return err
		}
		ends := m.stops()
		if len(ends) == 0 { // the next turn's beginning is the end
			return nil
		}
		for _, x := range shapes {
			var troubles []Trouble
			for i, span := range x.spans {
				if after := m.endBehind(x.text[span[1]:], ends); after != "" {
					troubles = append(troubles, Trouble{Level: x.level(), Cause: "without " + after,
						Message: fmt.Sprintf("%s: a generation block ends before %s, which ends the model's turn", x.ID, after),
						Advice:  "close the block behind the marker that ends the turn", Witness: x.span(i), wrote: wrote(span[1])})
					break
				}
			}
			if len(x.spans) > 0 {
				found(x.Last().Mask, troubles...)
			}
		}
		return nil
	},
}

// endBehind gives which of the ends of a turn comes next in what stands behind a
// span; "" where the span holds it.
func (m *markers) endBehind(rest string, ends map[string]bool) string {
	if all := m.in(rest); len(all) > 0 && ends[all[0].text] && strings.TrimSpace(rest[:all[0].start]) == "" {
		return all[0].text
	}
	return ""
}
