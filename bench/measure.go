package bench

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// The units of what is measured. Those in Exact do not depend on the machine.
const (
	UnitTime   = "ns/op"
	UnitCPU    = "cpu-ns/op" // processor time: what else the machine does is left out
	UnitSpeed  = "MB/s"
	UnitBytes  = "B/op"
	UnitAllocs = "allocs/op"
	UnitSteps  = "steps/op"
)

// Exact are the units that are the same for every run on every machine.
var Exact = []string{UnitAllocs, UnitBytes, UnitSteps}

// ready is a case with its body.
type ready struct {
	Case
	*Body
	n int // operations of one measurement
	// slow: one operation takes far longer than a measurement should; endless: a
	// second or more.
	slow, endless bool
	exact         []benchfmt.Value
}

// prepare makes a case ready and finds out how many operations take about as long
// as asked for.
func prepare(env *Env, c Case, long time.Duration) (*ready, error) {
	body, err := c.Prepare(env)
	if err != nil {
		return nil, wrong(c, err)
	}
	r := &ready{Case: c, Body: body, n: 1}
	for {
		took, _, err := r.time(r.n)
		if err != nil {
			return nil, err
		}
		if took >= long/2 || r.n >= 1<<30 {
			r.slow, r.endless = r.n == 1 && took > 20*long, r.n == 1 && took > time.Second
			r.n = max(1, int(float64(r.n)*float64(long)/float64(max(took, 1))))
			break
		}
		grow := float64(long) / float64(max(took, 1))
		r.n = int(math.Ceil(float64(r.n) * min(max(grow*0.9, 1.5), 100)))
	}
	if r.Run != nil {
		if r.exact, err = Counted(c, body); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// wrong names the case of an error that is not about what is missing.
func wrong(c Case, err error) error {
	if _, ok := err.(*Unavailable); ok {
		return err
	}
	return &WrongAnswer{c.Name(), err.Error()}
}

// time does n operations and gives their real time, and their processor time where
// that is known (else 0).
func (r *ready) time(n int) (real, cpu time.Duration, err error) {
	if r.Run == nil {
		real, err = r.Time(n)
	} else {
		before, start := ProcessorTime(), time.Now()
		for range n {
			if err = r.Run(); err != nil {
				break
			}
		}
		real, cpu = time.Since(start), ProcessorTime()-before
	}
	if err != nil {
		return 0, 0, wrong(r.Case, err)
	}
	return real, cpu, nil
}

// measure makes one measurement: the least of a few turns, since whatever else the
// machine does only adds.
func (r *ready) measure(turns int) (*benchfmt.Result, error) {
	if r.Run != nil {
		runtime.GC() // nobody pays for what another left
	}
	if r.slow {
		turns = 1 // whatever disturbs an operation that long is a small part of it
	}
	real, cpu := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range turns {
		a, b, err := r.time(r.n)
		if err != nil {
			return nil, err
		}
		real, cpu = min(real, a), min(cpu, b)
	}
	perOp := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(r.n) }
	out := &benchfmt.Result{Name: benchfmt.Name(r.Name()), Iters: r.n}
	out.Values = append(out.Values, measured(perOp(real), UnitTime))
	if cpu > 0 {
		out.Values = append(out.Values, measured(perOp(cpu), UnitCPU))
	}
	if r.Bytes > 0 {
		out.Values = append(out.Values, measured(float64(r.Bytes)/perOp(real)*1e3, UnitSpeed))
	}
	out.Values = append(out.Values, r.exact...)
	return out, nil
}

// measured is a value in one of the units above as benchfmt holds it.
func measured(v float64, unit string) benchfmt.Value {
	tidied, tidy := benchunit.Tidy(v, unit)
	return benchfmt.Value{Value: tidied, Unit: tidy, OrigValue: v, OrigUnit: unit}
}

// Counted counts what one operation allocates and looks at. The least of a few
// tries is taken, with one processor and without garbage collection, so that
// nothing but the operation counts. The first operation is not counted: what a
// case keeps for the next one it has then.
func Counted(c Case, body *Body) ([]benchfmt.Value, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if err := body.Run(); err != nil {
		return nil, wrong(c, err)
	}
	allocs, bytes := uint64(math.MaxUint64), uint64(math.MaxUint64)
	var before, after runtime.MemStats
	for range 5 {
		runtime.ReadMemStats(&before)
		err := body.Run()
		runtime.ReadMemStats(&after)
		if err != nil {
			return nil, wrong(c, err)
		}
		allocs, bytes = min(allocs, after.Mallocs-before.Mallocs), min(bytes, after.TotalAlloc-before.TotalAlloc)
	}
	out := []benchfmt.Value{{Value: float64(bytes), Unit: UnitBytes}, {Value: float64(allocs), Unit: UnitAllocs}}
	if body.Steps != nil {
		steps := body.Steps()
		if steps <= 0 {
			return nil, wrong(c, fmt.Errorf("no steps are counted"))
		}
		out = append(out, benchfmt.Value{Value: float64(steps), Unit: UnitSteps})
	}
	return out, nil
}
