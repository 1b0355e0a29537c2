package ci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/bench"
	"github.com/beamdiff/beamdiff/reference/python"
)

// base compares a revision with the working tree.
func (v *benchVerb) base(ctx context.Context, t *terminal, suite bench.Suite) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	counts, err := v.choose(suite.Gated())
	if err != nil {
		return err
	}
	timed := counts
	if len(v.Run) == 0 {
		timed = counts.HotPaths()
	}
	cache, err := python.CacheDir()
	if err != nil {
		return broken(err)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return broken(err)
	}
	dir, err := os.MkdirTemp(cache, "bench-")
	if err != nil {
		return broken(err)
	}
	defer os.RemoveAll(dir)
	m := t.meter()
	m.begin("bench")
	m.say("bench: building both sides", true)
	a := &bench.Alternate{Cases: timed, Counts: counts, Rounds: v.Count, Each: v.Time, Progress: v.progress(m)}
	for _, side := range []struct {
		name  string
		to    *bench.Side
		build func(to string) (bench.Side, error)
	}{
		{"a", &a.A, func(to string) (bench.Side, error) { return bench.BuildRevision(ctx, v.Base, root, to) }},
		{"b", &a.B, func(to string) (bench.Side, error) { return bench.BuildTree(ctx, "working tree", root, to) }},
	} {
		to := filepath.Join(dir, side.name)
		if err := os.Mkdir(to, 0o755); err != nil {
			return broken(err)
		}
		if *side.to, err = side.build(to); err != nil {
			m.clear()
			if ctx.Err() != nil {
				return brokenOff(ctx, err)
			}
			if gone := (*bench.RevisionError)(nil); errors.As(err, &gone) {
				return usagef("--base: %v", err)
			}
			return broken(err)
		}
	}
	budget, err := readBudget(filepath.Join(root, "bench", "budget.txt"))
	if err != nil {
		return err
	}
	judging := bench.Judging{Threshold: v.Threshold / 100, Budget: budget}
	if v.Tries > 0 {
		return v.tries(ctx, t, m, a, judging)
	}
	c, before, after, failed := a.Gate(ctx, judging)
	m.clear()
	machine := bench.Machine(time.Now())
	if failed != nil {
		machine = bench.Unfinished(machine)
	}
	if v.Out != "" && len(before.Records) > 0 {
		if err := t.writeOut(v.Out, func(w io.Writer) error { return bench.WriteSides(w, machine, before, after) }); err != nil {
			return err
		}
	}
	if failed != nil {
		return brokenOff(ctx, failed)
	}
	return v.report(t, &bench.Report{Comparison: c})
}

// tries repeats the comparison of two builds and counts how often anything is
// worse: with a revision against itself, each is a false alarm.
func (v *benchVerb) tries(ctx context.Context, t *terminal, m *meter, a *bench.Alternate, judging bench.Judging) error {
	alarms := 0
	for try := 1; try <= v.Tries; try++ {
		start := time.Now()
		c, _, _, err := a.Gate(ctx, judging)
		m.clear()
		if err != nil {
			return brokenOff(ctx, err)
		}
		worse := c.Regressed()
		if len(worse) > 0 {
			alarms++
		}
		line := fmt.Sprintf("try %d of %d, %.0f s: %d of %s worse; geometric mean of %s: %s\n", try, v.Tries, time.Since(start).Seconds(),
			len(worse), count(len(c.Changes), "comparison"), count(c.Timed, "time"), bench.Percent(c.Geomean, 1))
		for _, w := range worse {
			line += fmt.Sprintf("  %s %s: %s, p=%.2g: %v\n", w.Name, w.Unit, bench.Percent(w.New, w.Old), w.P, w.Verdict)
		}
		if err := t.print(line); err != nil {
			return err
		}
		a.Counts = nil // they are the same for the same two programs
	}
	if err := t.print(fmt.Sprintf("%d of %s found something worse\n", alarms, count(v.Tries, "try"))); err != nil {
		return err
	}
	if alarms*20 > v.Tries {
		return &failure{code: ExitPerformance}
	}
	return nil
}

// readBudget reads the working tree's budget, which need not be the one that this
// program was built with.
func readBudget(name string) (*bench.Results, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, broken(err)
	}
	defer f.Close()
	budget, err := bench.Read(f, name)
	if err != nil {
		return nil, broken(err)
	}
	return budget, nil
}

// moduleRoot is the folder of this program's source.
func moduleRoot(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}")
	out, err := cmd.Output()
	path, dir, ok := strings.Cut(strings.TrimSuffix(string(out), "\n"), " ")
	if err != nil || !ok || path+"/" != sourceModule {
		return "", usagef("--base builds the benchmarks from source: run it inside the repository, with Go on the path")
	}
	return dir, nil
}

const sourceModule = "github.com/beamdiff/beamdiff/"
