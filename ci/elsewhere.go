package ci

import (
	"context"
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// CheckpointResult is a checkpoint, besides the run's own, that cases named.
type CheckpointResult struct {
	Name    string
	Engines []engine.Info // as they say what they are there
	Cases   int
}

// elsewhere tells whether a case names another checkpoint than the run's.
func (r *Runner) elsewhere(c corpus.Case) bool {
	return c.Checkpoint != "" && c.Checkpoint != r.Checkpoint
}

// ask asks the cases, those of the run's checkpoint first, then those of each
// other one in the order in which cases name them. What each case became is put
// into judged, at the case's place.
func (r *Runner) ask(ctx context.Context, res *Result, cases []corpus.Case, judged []*CaseResult) error {
	var names []string // "" is the run's own
	places := map[string][]int{}
	for i, c := range cases {
		name := ""
		if r.elsewhere(c) {
			name = c.Checkpoint
		}
		if places[name] == nil {
			names = append(names, name)
		}
		places[name] = append(places[name], i)
	}
	slices.SortStableFunc(names, func(a, b string) int { return min(len(a), 1) - min(len(b), 1) })
	for _, name := range names {
		group := make([]corpus.Case, len(places[name]))
		for i, at := range places[name] {
			group[i] = cases[at]
		}
		answers, err := r.group(ctx, res, name, group)
		if err != nil {
			return err
		}
		for i, at := range places[name] {
			judged[at] = answers[i]
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	return nil
}

// group asks the cases of one checkpoint. Another than the run's is opened for
// them and closed after them.
func (r *Runner) group(ctx context.Context, res *Result, name string, cases []corpus.Case) ([]*CaseResult, error) {
	run := r
	if name != "" {
		engines, format, err := r.OpenCheckpoint(ctx, name, len(cases))
		if err != nil {
			return nil, fmt.Errorf("checkpoint %s: %w", name, err)
		}
		closed := func() {
			for _, e := range engines {
				e.Close()
			}
		}
		defer closed()
		defer context.AfterFunc(ctx, closed)() // a worker in the middle of a case is not waited for
		other := *r
		other.Engines, other.Format, other.Checkpoint, other.CheckpointHash = engines, format, name, ""
		there := &Result{}
		if err := other.start(ctx, there); err != nil {
			return nil, err
		}
		res.Checkpoints = append(res.Checkpoints, CheckpointResult{Name: name, Engines: there.Engines, Cases: len(cases)})
		run = &other
	}
	judged := make([]*CaseResult, len(cases))
	run.all(ctx, "comparing", cases, judged)
	run.again(ctx, cases, judged)
	return judged, nil
}
