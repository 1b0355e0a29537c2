package ci

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/bench"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// processor is the worker's processor time.
func (d *diff) processor(t *testing.T) time.Duration {
	t.Helper()
	text, err := d.exec(t.Context(), "import time; print(time.process_time_ns())", "")
	if err != nil {
		t.Fatal(err)
	}
	ns, err := strconv.ParseInt(strings.TrimSuffix(text, "\n"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(ns)
}

// cost is the processor time of the comparison as a multiple of the loop's: that of
// the worker, and with that of this process. It is the median of rounds that take
// turns.
func (d *diff) cost(t *testing.T, python engine.Engine, rounds int) (worker, all float64) {
	t.Helper()
	var workers, alls []float64
	for range rounds + 1 {
		_, loop, err := d.plain(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		before, own := d.processor(t), bench.ProcessorTime()
		if err := d.run(t.Context(), python); err != nil {
			t.Fatal(err)
		}
		took := d.processor(t) - before
		workers = append(workers, float64(took)/float64(loop))
		alls = append(alls, float64(took+bench.ProcessorTime()-own)/float64(loop))
	}
	workers, alls = workers[1:], alls[1:] // what is compiled once is not measured
	slices.Sort(workers)
	slices.Sort(alls)
	return workers[rounds/2], alls[rounds/2]
}

// twice asks for each answer two times.
type twice struct{ engine.Engine }

func (e twice) Do(ctx context.Context, r engine.Request) corpus.Outcome {
	e.Engine.Do(ctx, r)
	return e.Engine.Do(ctx, r)
}

// A comparison costs its worker at most 1.25 times what a plain Python loop over the
// same calls costs, in processor time of one run, which does not depend on what else
// the machine does. One that asks twice is found out.
func TestDiffCost(t *testing.T) {
	python, err := reference.Open(t.Context(), reference.Options{Workers: 1, Timeout: time.Hour})
	if err != nil {
		t.Fatal("NOT RUN:", err)
	}
	defer python.Close()
	for _, kind := range []corpus.Kind{corpus.Render, corpus.Parse} {
		d, err := newDiff(t.Context(), kind, python)
		if err != nil {
			t.Fatal(err)
		}
		worker, all := d.cost(t, python, 5)
		t.Logf("%s: %d cases, %d calls: %.2f of a plain loop's processor time, %.2f with the comparison's own", kind, len(d.cases), len(d.asked), worker, all)
		if worker > 1.25 {
			t.Errorf("%s: the worker's processor time is %.2f times a plain loop's", kind, worker)
		}
		if worker, _ := d.cost(t, twice{python}, 3); worker < 1.25 {
			t.Errorf("%s: asking twice costs %.2f times a plain loop and is not found out", kind, worker)
		}
	}
}
