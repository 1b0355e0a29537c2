package ci

import (
	"context"
	"errors"
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
	native := suite[:0:0]
	for _, c := range suite {
		if c.Gated {
			native = append(native, c)
		}
	}
	if native, err = v.choose(native); err != nil {
		return err
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
	a := &bench.Alternate{Cases: native, Rounds: v.Count, Each: v.Time, Progress: v.progress(m)}
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
			if gone := (*bench.RevisionError)(nil); errors.As(err, &gone) {
				return usagef("--base: %v", err)
			}
			return broken(err)
		}
	}
	c, before, after, err := a.Gate(ctx, bench.Judging{Threshold: v.Threshold / 100})
	m.clear()
	if err != nil {
		return broken(err)
	}
	if v.Out != "" {
		machine := bench.Machine(time.Now())
		if err := t.writeOut(v.Out, func(w io.Writer) error { return bench.WriteSides(w, machine, before, after) }); err != nil {
			return err
		}
	}
	return v.judge(t, c)
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
