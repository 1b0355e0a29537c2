package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
)

// Stats count what inputs reached. The zero Stats counts nothing yet.
type Stats struct {
	Inputs int
	counts map[string]int
}

// What every input is counted under, besides its traits.
const (
	CompleteCall = "reply=complete call" // closed and runnable
	SeveralParts = "reply=several regions"
	WithProblem  = "reply=problem"
	WithError    = "reply=error"
)

// Count counts one thing that an input reached.
func (st *Stats) Count(name string) {
	if st.counts == nil {
		st.counts = map[string]int{}
	}
	st.counts[name]++
}

// Reached counts an input and what it reached.
func (st *Stats) Reached(traits []string) {
	st.Inputs++
	for _, trait := range traits {
		st.Count(trait)
	}
}

// Add counts an input and what reading it gave.
func (st *Stats) Add(in *Input, reply harmony.Reply, err error) {
	st.Reached(in.Traits)
	if slices.ContainsFunc(reply.Calls, func(c harmony.Call) bool { return c.Closed && c.Runnable }) {
		st.Count(CompleteCall)
	}
	if len(reply.Regions) > 1 {
		st.Count(SeveralParts)
	}
	if len(reply.Problems) > 0 {
		st.Count(WithProblem)
	}
	if err != nil {
		st.Count(WithError)
	}
	for _, kind := range kindsOf(reply.Problems) {
		st.Count("problem=" + kind.String())
	}
}

func kindsOf(problems []harmony.Problem) (kinds []harmony.ProblemKind) {
	for _, p := range problems {
		if !slices.Contains(kinds, p.Kind) {
			kinds = append(kinds, p.Kind)
		}
	}
	return kinds
}

// Share is the share of inputs that reached a thing, 0 to 1.
func (st *Stats) Share(name string) float64 {
	if st.Inputs == 0 {
		return 0
	}
	return float64(st.counts[name]) / float64(st.Inputs)
}

// Require gives what falls short of the least share that it must have, a line
// each.
func (st *Stats) Require(least map[string]float64) (short []string) {
	for name, share := range least {
		if got := st.Share(name); got < share {
			short = append(short, fmt.Sprintf("%s: %.2f %% of the inputs, and must be %.2f %%", name, 100*got, 100*share))
		}
	}
	slices.Sort(short)
	return short
}

// String lists the shares, a line each.
func (st *Stats) String() string {
	names := make([]string, 0, len(st.counts))
	for name := range st.counts {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	fmt.Fprintf(&b, "%d inputs\n", st.Inputs)
	for _, name := range names {
		fmt.Fprintf(&b, "%7.2f %% %s\n", 100*st.Share(name), name)
	}
	return b.String()
}
