package law

import (
	"context"
	"fmt"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// rendered is a shape with what became of it.
type rendered struct {
	*Shape
	// prompts are the outcomes of its steps, closed that of the last step without a
	// generation prompt.
	prompts []corpus.Outcome
	closed  corpus.Outcome
}

// prompt is the text of a step's prompt; ok is false where there is none.
func (r *rendered) prompt(step int) (string, bool) { return promptOf(r.prompts[step]) }

// last is the prompt of the whole conversation.
func (r *rendered) last() (string, bool) { return r.prompt(len(r.prompts) - 1) }

// ofConversations is a law that looks at the prompt of each whole conversation.
func ofConversations(look func(ctx context.Context, s *Subject, r *rendered, prompt string) ([]Trouble, error)) asking {
	return func(ctx context.Context, s *Subject, found Found) error {
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		for _, r := range shapes {
			p, ok := r.last()
			if !ok {
				continue
			}
			troubles, err := look(ctx, s, r, p)
			if err != nil {
				return err
			}
			found(r.Last().Prompt, troubles...)
		}
		return nil
	}
}

func promptOf(o corpus.Outcome) (string, bool) {
	if o.Kind != corpus.OK {
		return "", false
	}
	return o.Value.AsString()
}

// rendered asks for the prompts of all shapes, once.
func (s *Subject) rendered(ctx context.Context) ([]*rendered, error) {
	if s.shapes != nil {
		return s.shapes, nil
	}
	var cases []corpus.Case
	for _, shape := range Shapes() {
		for _, step := range shape.Steps {
			cases = append(cases, step.Prompt)
		}
		cases = append(cases, shape.Last().Closed)
	}
	outcomes, err := s.Asker.Ask(ctx, engine.OpRender, cases)
	if err != nil {
		return nil, err
	}
	for _, shape := range Shapes() {
		n := len(shape.Steps)
		s.shapes = append(s.shapes, &rendered{Shape: shape, prompts: outcomes[:n], closed: outcomes[n]})
		outcomes = outcomes[n+1:]
	}
	return s.shapes, nil
}

// shape is one of the rendered shapes by its ID.
func (s *Subject) shape(ctx context.Context, id string) (*rendered, error) {
	all, err := s.rendered(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		if r.ID == id {
			return r, nil
		}
	}
	return nil, fmt.Errorf("no shape %s", id)
}

// answered asks for a law. The error is an *Unasked where the engine could not answer
// a case.
func (s *Subject) answered(ctx context.Context, law string, op engine.Op, cases []corpus.Case) ([]corpus.Outcome, error) {
	got, err := s.Asker.Ask(ctx, op, cases)
	if err != nil {
		return nil, err
	}
	for i, o := range got {
		if err := unanswered(law, cases[i], o); err != nil {
			return nil, err
		}
	}
	return got, nil
}

// unanswered is an *Unasked of a case that the engine could not answer, nil of any
// other.
func unanswered(law string, c corpus.Case, o corpus.Outcome) error {
	if o.Kind == corpus.Failed || o.Kind == corpus.Cannot {
		return &Unasked{law, c.ID + ": " + o.Why}
	}
	return nil
}

// ask is one case.
func (s *Subject) ask(ctx context.Context, c corpus.Case) (corpus.Outcome, error) {
	out, err := s.Asker.Ask(ctx, engine.Op(c.Kind), []corpus.Case{c})
	if err != nil {
		return corpus.Outcome{}, err
	}
	return out[0], nil
}
