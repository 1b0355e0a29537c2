package mutation

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Runner asks cases under mutants.
type Runner struct {
	// Open opens the reference over the checkpoint with one process, with
	// coverage or without.
	Open func(ctx context.Context, coverage bool) (engine.Engine, error)
	// Cases are those with a want that the checkpoint alone decides; see [Own].
	Cases []corpus.Case
	// Processes is the number of processes; 0 is one a processor.
	Processes int
	// Progress, if not nil, is told how many mutants are done.
	Progress func(done, of int)
}

// Own takes the cases that a change of the default checkpoint's templates can
// reach: with a want, of no other checkpoint, and without a template of their own.
func Own(cases []corpus.Case) []corpus.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c corpus.Case) bool {
		return c.Want == nil || c.Checkpoint != "" || has(&c, ChatTemplate) || has(&c, ResponseTemplate)
	})
}

func has(c *corpus.Case, key string) bool {
	v, _ := c.Input.Get(key)
	return !v.IsNull()
}

// Result is what became of a mutant.
type Result struct {
	Mutant
	// Killer is a case that answers other than it wants; "" where the mutant
	// survives all of them.
	Killer string
	// Asked is how many cases were asked.
	Asked int
}

// CaseError is a case that does not give what it wants under the template as it
// stands, so that it cannot kill.
type CaseError struct{ Case, Difference string }

func (e *CaseError) Error() string {
	return fmt.Sprintf("mutation: %s does not give what it wants without any change:\n%s", e.Case, e.Difference)
}

// Run runs the mutants side by side, each in one process, and gives the results
// in their order. The error is a *CaseError, that of Open, or the context's.
func (r *Runner) Run(ctx context.Context, mutants []Mutant) ([]Result, error) {
	reached, err := r.reached(ctx)
	if err != nil {
		return nil, err
	}
	processes := r.Processes
	if processes <= 0 {
		processes = runtime.NumCPU()
	}
	engines := make([]engine.Engine, processes)
	for i := range engines {
		e, err := r.Open(ctx, false)
		if err != nil {
			return nil, err
		}
		defer e.Close()
		engines[i] = e
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	results := make([]Result, len(mutants))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for _, e := range engines {
		for range 2 { // one waits for the process while the other asks
			wg.Go(func() {
				for i := range next {
					result, err := r.kill(ctx, e, mutants[i], reached)
					if err != nil {
						stop(err)
					}
					results[i] = result
					mu.Lock()
					done++
					if r.Progress != nil {
						r.Progress(done, len(mutants))
					}
					mu.Unlock()
				}
			})
		}
	}
	for i := range mutants {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	return results, context.Cause(ctx)
}

// reached asks each case of the template as it stands and gives the lines of the
// chat template that it reaches.
func (r *Runner) reached(ctx context.Context) ([]map[int]bool, error) {
	e, err := r.Open(ctx, true)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	measurer, ok := e.(engine.Measurer)
	if !ok {
		return nil, &engine.CoverageError{Engine: e.Name(), Why: "it is not a measurer"}
	}
	lines := make([]map[int]bool, len(r.Cases))
	for i := range r.Cases {
		c := &r.Cases[i]
		if difference := reference.Differs(c, reference.Ask(ctx, e, c, c.Input)); difference != "" {
			return nil, &CaseError{c.ID, difference}
		}
		lines[i] = map[int]bool{}
		if of(c) != ChatTemplate {
			continue
		}
		_, points := measurer.Measure(ctx, engine.Request{Op: engine.Op(c.Kind), Case: c.Input}, true)
		for _, p := range points {
			if place := p.Place(); strings.HasPrefix(place.File, ChatTemplate) {
				lines[i][place.Line] = true
			}
		}
	}
	return lines, ctx.Err()
}

// of is the template that a case goes through.
func of(c *corpus.Case) string {
	if c.Kind == corpus.Parse {
		return ResponseTemplate
	}
	return ChatTemplate
}

// kill asks the cases until one kills the mutant: those first that reach its
// lines.
func (r *Runner) kill(ctx context.Context, e engine.Engine, m Mutant, reached []map[int]bool) (Result, error) {
	result := Result{Mutant: m}
	near := func(i int) bool {
		for line := m.From; line <= m.To; line++ {
			if reached[i][line] {
				return true
			}
		}
		return false
	}
	for _, first := range []bool{true, false} {
		for i := range r.Cases {
			c := &r.Cases[i]
			if of(c) != m.Of || near(i) != first {
				continue
			}
			result.Asked++
			got := reference.Ask(ctx, e, c, under(c, m))
			if err := ctx.Err(); err != nil {
				return result, context.Cause(ctx)
			}
			if reference.Differs(c, got) == "" {
				continue
			}
			// An engine that has gone would kill everything.
			if again := reference.Differs(c, reference.Ask(ctx, e, c, c.Input)); again != "" && got[0].Kind == corpus.Failed {
				return result, &CaseError{c.ID, again}
			}
			result.Killer = c.ID
			return result, nil
		}
	}
	return result, nil
}

// under is the input of a case with the mutant in place of the checkpoint's own
// template.
func under(c *corpus.Case, m Mutant) *value.Object {
	input := &value.Object{}
	for name, v := range c.Input.All() {
		input.Set(name, v)
	}
	input.Set(m.Of, m.Template)
	return input
}
