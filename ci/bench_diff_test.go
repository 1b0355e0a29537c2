package ci

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// leastCost is the processor time of comparisons as a multiple of the loop's: that
// of the worker, and with that of this process. Rounds take turns, and the least of
// each counts: what else the machine does only adds.
func (d *diff) leastCost(t *testing.T, python engine.Engine, rounds int) (worker, all float64) {
	t.Helper()
	var loops, workers, alls []float64
	for round := range rounds + 1 {
		loop, err := d.plain(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		took, own, err := d.cost(t.Context(), python)
		if err != nil {
			t.Fatal(err)
		}
		if round > 0 { // what is compiled once is not measured
			loops, workers, alls = append(loops, float64(loop)), append(workers, float64(took)), append(alls, float64(took+own))
		}
	}
	return slices.Min(workers) / slices.Min(loops), slices.Min(alls) / slices.Min(loops)
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
		worker, all := d.leastCost(t, python, 5)
		if worker > 1.25 { // what looks dear is measured again, and only that judges it
			worker, all = d.leastCost(t, python, 15)
		}
		t.Logf("%s: %d cases, %d calls: %.2f of a plain loop's processor time, %.2f with the comparison's own", kind, len(d.cases), len(d.asked), worker, all)
		if worker > 1.25 {
			t.Errorf("%s: the worker's processor time is %.2f times a plain loop's", kind, worker)
		}
		if worker, _ := d.leastCost(t, twice{python}, 3); worker < 1.25 {
			t.Errorf("%s: asking twice costs %.2f times a plain loop and is not found out", kind, worker)
		}
	}
}
