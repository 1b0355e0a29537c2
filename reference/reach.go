package reference

import (
	"context"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/coverage"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Reach asks cases, several at a time, and reports which lines and branches of
// the checkpoint's chat templates and of the library's reply parser they reach,
// with all that the engine was asked before. It must have been opened with
// coverage; the error is a *engine.CoverageError or the context's.
func Reach(ctx context.Context, e engine.Measurer, cases []corpus.Case) (coverage.Report, error) {
	next := make(chan *corpus.Case)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for c := range next {
				Ask(ctx, e, c, c.Input)
			}
		})
	}
	for i := range cases {
		next <- &cases[i]
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return coverage.Report{}, err
	}
	return e.Coverage(ctx)
}
