package ci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/beamdiff/beamdiff/bench"
)

type benchVerb struct {
	Run       []string      `sep:"none" placeholder:"GLOB" help:"Only the cases whose name fits, or begins with whole parts that do: Parse, 'Parse/kind=calls*/size=64KiB', '*/impl=native'. May be repeated."`
	Count     int           `default:"0" placeholder:"N" help:"Rounds in which the implementations take turns; 0 is 6, and 10 with --base, which takes no fewer."`
	Time      time.Duration `default:"0" placeholder:"DURATION" help:"About how long one turn of a measurement takes; 0 is 10ms, and 2ms with --base."`
	Native    bool          `help:"Leave out the checkpoint's Python and the peers."`
	Size      string        `placeholder:"SIZE" help:"The size of input that the table shows, or all; 64KiB if absent. All sizes are measured."`
	Format    string        `default:"text" placeholder:"FORMAT" help:"The report: text, markdown (for a pull request) or json."`
	Out       string        `placeholder:"FILE" help:"Write the measurements there, in Go's benchmark format, which benchstat and --against read."`
	Plots     string        `placeholder:"FOLDER" help:"Write charts there, as SVG: throughput, and time as a multiple of the native one, by size."`
	Against   string        `placeholder:"FILE" help:"Compare with the measurements in this file. Times count only if they are of the same machine."`
	Base      string        `placeholder:"REVISION" help:"Instead: build the benchmarks of this git revision and of the working tree, run the two in turns, and compare."`
	Tries     int           `default:"0" placeholder:"N" help:"With --base: compare so often, count the tries that find something worse, and fail if they are more than one in twenty. In a clean tree, --base HEAD --tries 20 finds out how calm the gate is here."`
	Threshold float64       `default:"10" placeholder:"PERCENT" help:"A time that is longer by less is let pass, however certain it is."`
}

func (benchVerb) Help() string {
	return `
Examples:
  beamdiff bench                                      the whole table: native, limits, the checkpoint's Python, peers
  beamdiff bench --run Parse/kind=calls --size all    some cases, at each size
  beamdiff bench --out now.txt                        keep the measurements, for benchstat
  beamdiff bench --against before.txt                 compare with kept ones
  beamdiff bench --base main                          has the working tree become slower than main?
  beamdiff bench --base main --format markdown        the same, for a pull request

What is counted (allocations, bytes, steps) is compared exactly: with --against and --base with the other side,
and else with the budget that is checked in (bench/budget.txt). With --base, more than before is let pass where the
working tree's budget says so. A time counts as longer if that is certain (the Mann-Whitney test, 5 % for all cases
together) and by more than the threshold. With --base what looks longer is measured again, and only that judges it;
the times of the hot paths are compared, or of what --run chooses, and the counts of all cases that have a budget.

An interrupted run writes what it has measured, to --out too, and judges nothing.

Exit codes: 0 nothing is worse, 2 wrong use, 3 a measurement or the set-up failed, 4 something is worse.`
}

func (v *benchVerb) run(ctx context.Context, t *terminal) error {
	switch {
	case v.Count < 0:
		return usagef("--count must not be negative")
	case v.Time < 0 || !(v.Threshold > 0 && v.Threshold < math.Inf(1)):
		return usagef("--time must not be negative, and --threshold more than nothing")
	case v.Base != "" && v.Against != "":
		return usagef("--base and --against are two comparisons; give one")
	case v.Base != "" && (v.Size != "" || v.Plots != "" || v.Native):
		return usagef("--base compares two revisions of the native side and measures nothing else: --native, --size and --plots have no meaning with it; choose cases with --run")
	case v.Tries < 0 || v.Tries > 0 && v.Base == "":
		return usagef("--tries must not be negative, and is for --base")
	case v.Tries > 0 && (v.Out != "" || v.Format != "text"):
		return usagef("--tries writes a line for each try; --out and --format have no meaning with it")
	case !slices.Contains([]string{"text", "markdown", "json"}, v.Format):
		return usagef("--format %s: no such format; it is text, markdown or json", v.Format)
	}
	size, err := v.size()
	if err != nil {
		return err
	}
	if err := checkOut(v.Out); err != nil {
		return err
	}
	suite := slices.Concat(bench.Default(), bench.EncodeCases(), BenchCases())
	if v.Base != "" {
		return v.base(ctx, t, suite)
	}
	if !v.Native {
		suite = slices.Concat(suite, bench.References(), bench.PeerCases(), DiffCases())
	}
	if suite, err = v.choose(suite); err != nil {
		return err
	}
	var before *bench.Results
	if v.Against != "" {
		if before, err = readResults(v.Against); err != nil {
			return err
		}
	}
	m := t.meter()
	m.begin("bench")
	env := bench.NewEnv(ctx)
	env.Source, _ = moduleRoot(ctx) // without one, peers are missing
	defer env.Close()
	results, failed := (&bench.Run{Suite: suite, Rounds: v.Count, Each: v.Time, Progress: v.progress(m)}).Run(env)
	m.clear()
	machine := bench.Machine(time.Now())
	report := &bench.Report{}
	if failed != nil {
		if len(results.Records) == 0 {
			return brokenOff(ctx, failed)
		}
		machine, report.Note = bench.Unfinished(machine), unfinished
	}
	if v.Out != "" {
		if err := t.writeOut(v.Out, func(w io.Writer) error { return results.Write(w, machine) }); err != nil {
			return err
		}
	}
	if err := v.plots(suite, results); err != nil {
		return err
	}
	report.Table = bench.NewTable(suite, results, size)
	switch {
	case failed != nil: // half a run is not judged
	case before != nil:
		same := bench.SameMachine(before.Config(), machine)
		if !same {
			fmt.Fprintf(t.stderr, "%s is of another machine: times are not compared\n", v.Against)
		}
		report.Comparison = bench.Compare(before, results, bench.Judging{Threshold: v.Threshold / 100, ExactOnly: !same})
	default:
		budget, err := bench.ShippedBudget()
		if err != nil {
			return broken(err)
		}
		report.Budget = bench.HoldToBudget(budget, results)
	}
	if err := v.report(t, report); err != nil {
		return err
	}
	if failed != nil {
		return brokenOff(ctx, failed)
	}
	return nil
}

// unfinished is what the report of half a run says.
const unfinished = "The run did not end: this is what was measured before."

// brokenOff is the failure of a run that broke off.
func brokenOff(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return broken(errors.New("interrupted"))
	}
	return broken(err)
}

// report writes a report in the format asked for; it fails where something is
// worse.
func (v *benchVerb) report(t *terminal, r *bench.Report) error {
	r.All = t.verbose
	write := map[string]func(io.Writer) error{"text": r.WriteText, "markdown": r.WriteMarkdown, "json": r.WriteJSON}[v.Format]
	if err := t.writeOut("", write); err != nil {
		return err
	}
	if r.Worse() {
		return &failure{code: ExitPerformance}
	}
	return nil
}

// size is that of the table.
func (v *benchVerb) size() (int, error) {
	switch v.Size {
	case "all":
		return 0, nil
	case "":
		return 64 << 10, nil
	}
	for _, size := range bench.Sizes {
		if bench.SizeName(size) == v.Size {
			return size, nil
		}
	}
	return 0, usagef("--size %s: it is all, or a power of two from 1KiB to 1MiB", v.Size)
}

// plots writes the charts, if they are asked for.
func (v *benchVerb) plots(suite bench.Suite, results *bench.Results) error {
	if v.Plots == "" {
		return nil
	}
	if err := os.MkdirAll(v.Plots, 0o755); err != nil {
		return usagef("--plots %s: %v", v.Plots, reason(err))
	}
	for _, p := range bench.Plots(suite, results) {
		if err := writeAtomic(filepath.Join(v.Plots, p.FileName()), p.WriteSVG); err != nil {
			return broken(fmt.Errorf("--plots: %w", advise(err)))
		}
	}
	return nil
}

func (v *benchVerb) choose(suite bench.Suite) (bench.Suite, error) {
	chosen, err := suite.Select(v.Run)
	if err != nil {
		return nil, usagef("--run: %v", err)
	}
	if len(chosen) == 0 {
		return nil, usagef("--run: no case fits; names are like %s", suite[0].Name())
	}
	return chosen, nil
}

func (v *benchVerb) progress(m *meter) func(done, total int, name string) {
	return func(done, total int, name string) {
		m.say(fmt.Sprintf("bench: %d of %d, %s", done, total, name), false)
	}
}

func readResults(name string) (*bench.Results, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("--against %s: %v", name, reason(err))
	}
	defer f.Close()
	results, err := bench.Read(f, name)
	if err != nil {
		return nil, usagef("--against: %v", err)
	}
	if len(results.Records) == 0 {
		return nil, usagef("--against %s holds no measurement", name)
	}
	return results, nil
}
