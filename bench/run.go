package bench

import (
	"errors"
	"time"

	"golang.org/x/perf/benchfmt"
)

// Run measures the cases of a suite.
type Run struct {
	Suite Suite
	// Rounds is how often each case is measured; 0 is 6, the fewest that give a
	// 95 % interval.
	Rounds int
	// Each is about how long a measurement takes; 0 is 10 ms.
	Each time.Duration
	// Turns is how many times as long a measurement takes: the least of so many
	// turns counts; 0 is 3.
	Turns int
	// Progress, if set, hears how far the run is.
	Progress func(done, total int, name string)
}

// Missing is an implementation that could not be measured on an input, and why.
type Missing struct{ Name, Why string }

// Results are what a run gave.
type Results struct {
	// Records are the measurements, of all rounds in the order in which they were
	// made.
	Records []*benchfmt.Result
	// Missing are the cases that could not be made ready.
	Missing []Missing

	index   map[string][]int // Records by name
	indexed int              // of Records are in index
}

// Run measures. The cases of one input (the implementations) take turns, round for
// round, so that what the machine does meanwhile slows all of them; each round
// begins with another one. What takes a second or more is measured once. A wrong
// answer ends the run.
func (r *Run) Run(env *Env) (*Results, error) {
	rounds, each, turns := orElse(r.Rounds, 6), orElse(r.Each, 10*time.Millisecond), orElse(r.Turns, 3)
	out := &Results{}
	done, endless := 0, map[string]string{}
	for _, row := range r.Suite.rows() {
		var list []*ready
		for _, c := range row {
			if err := env.Context.Err(); err != nil {
				return out, err
			}
			anySize := sizePart.ReplaceAllString(c.Name(), "")
			if before, ok := endless[anySize]; ok {
				out.Missing = append(out.Missing, Missing{c.Name(), "it took a second or more on " + before + " already"})
				continue
			}
			one, err := prepare(env, c, each)
			if err == nil && one.endless && c.Size > 0 {
				endless[anySize] = SizeName(c.Size)
			}
			var gone *Unavailable
			switch {
			case errors.As(err, &gone):
				out.Missing = append(out.Missing, Missing{c.Name(), gone.Error()})
			case err != nil:
				return out, err
			default:
				list = append(list, one)
			}
		}
		for round := range rounds {
			for i := range list {
				one := list[(round+i)%len(list)]
				if one.endless && round > 0 {
					continue
				}
				if err := env.Context.Err(); err != nil {
					return out, err
				}
				record, err := one.measure(turns)
				if err != nil {
					return out, err
				}
				out.Records = append(out.Records, record)
			}
		}
		done += len(row)
		if r.Progress != nil {
			r.Progress(done, len(r.Suite), row[0].Input())
		}
	}
	if len(r.Suite) == 0 {
		return out, errors.New("no case was measured: the suite has none")
	}
	return out, nil
}

// rows are the cases by their input.
func (s Suite) rows() (rows [][]Case) {
	at := map[string]int{}
	for _, c := range s {
		i, ok := at[c.Input()]
		if !ok {
			i = len(rows)
			at[c.Input()] = i
			rows = append(rows, nil)
		}
		rows[i] = append(rows[i], c)
	}
	return rows
}

// orElse is v, or the default where v is nothing.
func orElse[T int | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}
