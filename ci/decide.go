package ci

import (
	"context"
	"slices"
	"strings"

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
	// Settings, as NAME=CHOICE, make that engine agree with the last one in
	// Settles of the cases; none where nothing helps. A case may depend on
	// another decision than the one that it names.
	Settings []string
	Settles  int
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
		from := len(res.Decisions)
		var found []string // the settings that settle something
		for _, name := range names {
			out := DecisionResult{Decision: name, Engine: d.Name()}
			for _, c := range groups[name] {
				out.Cases = append(out.Cases, c.Case.ID)
			}
			for _, choice := range d.Choices(name) {
				out.try(ctx, d, groups[name], name+"="+choice)
			}
			found = append(found, out.Settings...)
			res.Decisions = append(res.Decisions, out)
		}
		for i := range res.Decisions[from:] {
			out := &res.Decisions[from+i]
			for _, setting := range found {
				out.try(ctx, d, groups[out.Decision], setting)
			}
			out.try(ctx, d, groups[out.Decision], found...)
		}
	}
}

// try keeps the settings where they settle more of the cases than those it has.
func (out *DecisionResult) try(ctx context.Context, d Decider, cases []CaseResult, settings ...string) {
	if len(settings) == 0 || out.Settles == len(cases) {
		return
	}
	other := engine.Engine(d)
	for _, setting := range settings {
		name, choice, _ := strings.Cut(setting, "=")
		next, ok := other.(Decider)
		if !ok {
			return
		}
		var err error
		if other, err = next.Decide(name, choice); err != nil {
			return // a choice that this engine lacks settles nothing
		}
		defer other.Close()
	}
	n := 0
	for _, c := range cases {
		answer := other.Do(ctx, engine.Request{Op: engine.Op(c.Case.Kind), Case: c.Case.Input})
		if kind, _, _ := judge(c.Case.Kind, answer, c.Outcomes[len(c.Outcomes)-1].Outcome); kind == corpus.Same {
			n++
		}
	}
	if n > out.Settles {
		out.Settings, out.Settles = settings, n
	}
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
