package ci

import (
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Result is what a run found.
type Result struct {
	// Engines say what they are, in the order of the run.
	Engines []engine.Info
	// Checkpoints are those, besides the run's own, that cases named.
	Checkpoints []CheckpointResult
	Seed        uint64
	Today       string
	// Cases in the order given; under Interrupted those that were judged.
	Cases []CaseResult
	// NotRun are cases that the run's checkpoint cannot be asked.
	NotRun []NotRun
	// Known says what became of each known difference.
	Known []KnownResult
	// Decisions groups the differences that open decisions of the checkpoint
	// explain.
	Decisions []DecisionResult
	// Interrupted: the context ended before all cases were judged.
	Interrupted bool
}

// NotRun is a case that was left out, and why.
type NotRun struct {
	ID, Why string
	// Checkpoint is that which the case names, if that is the reason.
	Checkpoint string
}

// CaseResult is what became of one case.
type CaseResult struct {
	Case corpus.Case
	// Outcomes are the engines' answers to the whole input, in their order.
	Outcomes []Answer
	// Verdicts on every pair; several for a pair where more than the answer was
	// compared.
	Verdicts []Verdict
	// Feeds is the number of streams that agreed with the whole reply.
	Feeds int
	// Limited: the reply is long and was fed in larger pieces than characters.
	Limited bool
	// WantNotCompared says why the case's want was left out; "" where it was not.
	WantNotCompared string
	// Findings are breaches of the laws of token ids. They fail nothing.
	Findings []token.Finding
	// IDsCompared: two engines gave token ids, and the same.
	IDsCompared bool
	// IDsNotCompared names the engine that gave no token ids where another did, ""
	// where none was in want of them.
	IDsNotCompared string
}

// Answer is what one engine gave.
type Answer struct {
	Engine  string
	Outcome corpus.Outcome
}

// Kind is the worst of the case's verdicts.
func (c CaseResult) Kind() corpus.Verdict {
	worst := corpus.Same
	for _, v := range c.Verdicts {
		if worse(v.Kind, worst) {
			worst = v.Kind
		}
	}
	return worst
}

// Fails tells whether any verdict fails the run.
func (c CaseResult) Fails() bool {
	for _, v := range c.Verdicts {
		if v.Fails {
			return true
		}
	}
	return false
}

// Counts are numbers of cases by their worst verdict.
type Counts struct {
	Cases, Same, Differ, Failed, Cannot, Unstable, Known int
}

func (n *Counts) add(k corpus.Verdict) {
	n.Cases++
	switch k {
	case corpus.Same:
		n.Same++
	case corpus.Known:
		n.Known++
	case corpus.CannotSay:
		n.Cannot++
	case corpus.Unstable:
		n.Unstable++
	case corpus.ErrorDiffers, corpus.ValueDiffers:
		n.Differ++
	case corpus.EngineFailed:
		n.Failed++
	}
}

// Suite is the count of one suite.
type Suite struct {
	Name string
	Counts
}

// Suites counts the cases by suite, in the order of their first case.
func (r *Result) Suites() []Suite {
	var suites []Suite
	at := map[string]int{}
	for _, c := range r.Cases {
		i, ok := at[c.Case.Suite]
		if !ok {
			i = len(suites)
			at[c.Case.Suite] = i
			suites = append(suites, Suite{Name: c.Case.Suite})
		}
		suites[i].add(c.Kind())
	}
	return suites
}

// Total counts all cases.
func (r *Result) Total() Counts {
	var n Counts
	for _, c := range r.Cases {
		n.add(c.Kind())
	}
	return n
}

// The exit codes of the command. Where several hold, the first of 2, 3, 1, 4
// counts.
const (
	ExitSame        = 0
	ExitDifferences = 1
	ExitUsage       = 2 // wrong use, or unreadable input
	ExitEngine      = 3 // an engine or the set-up failed, or the run was interrupted
	ExitPerformance = 4
)

// ExitCode is what the run means for a gate: [ExitSame], [ExitDifferences] or
// [ExitEngine].
func (r *Result) ExitCode() int {
	code := ExitSame
	for _, k := range r.Known {
		if k.Fails {
			code = ExitDifferences
		}
	}
	for _, c := range r.Cases {
		if c.Kind() == corpus.EngineFailed {
			return ExitEngine
		}
		if c.Fails() {
			code = ExitDifferences
		}
	}
	if r.Interrupted {
		return ExitEngine
	}
	return code
}
