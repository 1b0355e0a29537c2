package ci

import (
	"context"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Decider is an engine that can take a checkpoint's open decisions otherwise
// than it does.
type Decider interface {
	engine.Engine
	// Choices are the other choices of a decision; none where the engine does not
	// know it.
	Choices(decision string) []string
	// Decide is the same engine with a decision taken otherwise.
	Decide(decision, choice string) (engine.Engine, error)
}

// DecisionResult is a group of differences that one open decision explains.
type DecisionResult struct {
	// Decision is its name in the checkpoint's README.
	Decision string
	// Cases are the ids of the cases that differ.
	Cases []string
	// Engine is the one that can decide otherwise.
	Engine string
	// Choice makes that engine agree with the last one in Settles of the cases;
	// "" where no choice helps.
	Choice  string
	Settles int
}

// settle groups the differences between an engine that can decide and the last
// one by the decision that the case depends on, and tries the other choices.
func (r *Runner) settle(ctx context.Context, res *Result) {
	last := len(r.Engines) - 1
	for _, e := range r.Engines[:last] {
		d, ok := e.(Decider)
		if !ok {
			continue
		}
		groups := map[string][]CaseResult{}
		var names []string
		for _, c := range res.Cases {
			if c.Case.Domain == corpus.Undocumented && c.Case.Decision != "" && c.differs(e.Name(), r.Engines[last].Name()) {
				if groups[c.Case.Decision] == nil {
					names = append(names, c.Case.Decision)
				}
				groups[c.Case.Decision] = append(groups[c.Case.Decision], c)
			}
		}
		for _, name := range names {
			res.Decisions = append(res.Decisions, settleOne(ctx, d, name, groups[name]))
		}
	}
}

func settleOne(ctx context.Context, d Decider, name string, cases []CaseResult) DecisionResult {
	out := DecisionResult{Decision: name, Engine: d.Name()}
	for _, c := range cases {
		out.Cases = append(out.Cases, c.Case.ID)
	}
	for _, choice := range d.Choices(name) {
		other, err := d.Decide(name, choice)
		if err != nil {
			continue // a choice that this engine lacks settles nothing
		}
		n := 0
		for _, c := range cases {
			answer := other.Do(ctx, engine.Request{Op: engine.Op(c.Case.Kind), Case: c.Case.Input})
			if kind, _, _ := judge(c.Case.Kind, answer, c.Outcomes[len(c.Outcomes)-1].Outcome); kind == corpus.Same {
				n++
			}
		}
		if n > out.Settles {
			out.Choice, out.Settles = choice, n
		}
		other.Close()
	}
	return out
}

// differs tells whether the answers of a pair differ.
func (c CaseResult) differs(left, right string) bool {
	return slices.ContainsFunc(c.Verdicts, func(v Verdict) bool {
		return v.Left == left && v.Right == right && differs(v.Kind)
	})
}

// decided tells whether the case's differences are told in a decision's group.
func (r *Result) decided(id string) bool {
	return slices.ContainsFunc(r.Decisions, func(d DecisionResult) bool { return slices.Contains(d.Cases, id) })
}
