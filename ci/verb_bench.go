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
	"strings"
	"text/tabwriter"
	"time"

	"github.com/beamdiff/beamdiff/bench"
)

type benchVerb struct {
	Run       []string      `sep:"none" placeholder:"GLOB" help:"Only the cases whose name fits, or begins with whole parts that do: Parse, 'Parse/kind=calls*/size=64KiB', '*/impl=native'. May be repeated."`
	Count     int           `default:"0" placeholder:"N" help:"Rounds in which the implementations take turns; 0 is 6, and 10 with --base, which takes no fewer."`
	Time      time.Duration `default:"10ms" placeholder:"DURATION" help:"How long one measurement takes, about."`
	Native    bool          `help:"Leave out the checkpoint's Python and the peers."`
	Size      string        `default:"64KiB" placeholder:"SIZE" help:"The size of input that the table shows, or all. All sizes are measured."`
	Format    string        `default:"text" placeholder:"FORMAT" help:"The table: text, markdown or json."`
	Out       string        `placeholder:"FILE" help:"Write the measurements there, in Go's benchmark format, which benchstat and --against read."`
	Plots     string        `placeholder:"FOLDER" help:"Write charts there, as SVG: throughput, and time as a multiple of the native one, by size."`
	Against   string        `placeholder:"FILE" help:"Compare with the measurements in this file. Times count only if they are of the same machine."`
	Base      string        `placeholder:"REVISION" help:"Instead: build the benchmarks of this git revision and of the working tree, run the two in turns, and compare."`
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

What is counted (allocations, bytes, steps) is compared exactly: with --against and --base with the other side,
and else with the budget that is checked in (bench/budget.txt). A time counts as longer if that is certain (the
Mann-Whitney test, 5 % for all cases together) and by more than the threshold. With --base what looks longer is
measured again, and only that judges it.

Exit codes: 0 nothing is worse, 2 wrong use, 3 a measurement or the set-up failed, 4 something is worse.`
}

func (v *benchVerb) run(ctx context.Context, t *terminal) error {
	switch {
	case v.Count < 0:
		return usagef("--count must not be negative")
	case v.Time <= 0 || v.Threshold <= 0:
		return usagef("--time and --threshold must be more than nothing")
	case v.Base != "" && v.Against != "":
		return usagef("--base and --against are two comparisons; give one")
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
	results, err := (&bench.Run{Suite: suite, Rounds: v.Count, Each: v.Time, Progress: v.progress(m)}).Run(env)
	m.clear()
	if err != nil {
		return broken(err)
	}
	machine := bench.Machine(time.Now())
	if v.Out != "" {
		if err := t.writeOut(v.Out, func(w io.Writer) error { return results.Write(w, machine) }); err != nil {
			return err
		}
	}
	if err := v.plots(suite, results); err != nil {
		return err
	}
	table := bench.NewTable(suite, results, size)
	write := map[string]func(io.Writer) error{"text": table.WriteText, "markdown": table.WriteMarkdown, "json": table.WriteJSON}[v.Format]
	if err := t.writeOut("", write); err != nil {
		return err
	}
	if before != nil {
		same := bench.SameMachine(before.Config(), machine)
		if !same {
			fmt.Fprintf(t.stderr, "%s is of another machine: times are not compared\n", v.Against)
		}
		return v.judge(t, bench.Compare(before, results, bench.Judging{Threshold: v.Threshold / 100, ExactOnly: !same}))
	}
	return v.budget(t, results)
}

// size is that of the table.
func (v *benchVerb) size() (int, error) {
	if v.Size == "all" {
		return 0, nil
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

// budget holds what was counted against the budget.
func (v *benchVerb) budget(t *terminal, results *bench.Results) error {
	budget, err := bench.ShippedBudget()
	if err != nil {
		return broken(err)
	}
	over, _ := bench.CheckBudget(budget, results) // what was not run is not asked for
	worse := false
	for _, o := range over {
		fmt.Fprintf(t.stderr, "%v\n", o)
		worse = worse || o.Used > o.Budget
	}
	if worse {
		return &failure{ExitPerformance, errors.New("more than the budget (bench/budget.txt)")}
	}
	return nil
}

// judge writes a comparison and says whether anything is worse.
func (v *benchVerb) judge(t *terminal, c *bench.Comparison) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	single := 0
	fmt.Fprintln(table, "benchmark\tunit\tbefore\tafter\tchange\tp\tverdict")
	for _, change := range c.Changes {
		if change.Verdict == bench.Unmatched {
			single++
		}
		if !t.verbose && (change.Verdict == bench.Alike || change.Verdict == bench.Unmatched) {
			continue
		}
		if change.Verdict == bench.Unmatched {
			fmt.Fprintf(table, "%s\t\t\t\t\t\t%v\n", change.Name, change.Verdict)
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%.4g\t%.4g\t%s\t%.2g\t%v\n", change.Name, change.Unit, change.Old, change.New, percent(change.New, change.Old), change.P, change.Verdict)
	}
	table.Flush()
	worse := c.Regressed()
	fmt.Fprintf(&b, "%d of %s worse", len(worse), count(len(c.Changes)-single, "comparison"))
	if c.Timed > 0 {
		fmt.Fprintf(&b, "; geometric mean of %s: %s", count(c.Timed, "time"), percent(c.Geomean, 1))
	}
	if single > 0 {
		fmt.Fprintf(&b, "; %s on one side only", count(single, "benchmark"))
	}
	if err := t.print(b.String() + "\n"); err != nil {
		return err
	}
	if len(worse) > 0 {
		return &failure{code: ExitPerformance}
	}
	return nil
}

// percent is the change from one number to another.
func percent(now, before float64) string {
	if before == 0 || math.IsNaN(now/before) {
		return "?"
	}
	return fmt.Sprintf("%+.1f %%", 100*(now/before-1))
}
