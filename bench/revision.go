package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// Side is a program that measures: the test binary of this package, built from
// some source.
type Side struct {
	Name   string // a revision, or "working tree"
	Binary string
}

// BuildError is a side that could not be built.
type BuildError struct {
	Side   string
	Output string
	Err    error
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("%s: the benchmarks cannot be built: %v\n%s", e.Side, e.Err, strings.TrimRight(e.Output, "\n"))
}
func (e *BuildError) Unwrap() error { return e.Err }

// RevisionError is a revision that git does not give.
type RevisionError struct{ Revision, Why string }

func (e *RevisionError) Error() string { return "revision " + e.Revision + ": " + e.Why }

// BuildTree builds the side of the source in root, the module's folder, into the
// folder to. more are further arguments of go test.
func BuildTree(ctx context.Context, name, root, to string, more ...string) (Side, error) {
	s := Side{Name: name, Binary: filepath.Join(to, "bench.test")}
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"test", "-c", "-o", s.Binary}, more...), "./bench")...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return s, &BuildError{name, string(out), err}
	}
	if _, err := os.Stat(s.Binary); err != nil {
		return s, &BuildError{name, "package bench has no tests there", err}
	}
	return s, nil
}

// BuildRevision builds the side of a git revision of the repository in root: in a
// work tree of its own in the folder to, which is taken away again.
func BuildRevision(ctx context.Context, revision, root, to string) (s Side, err error) {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = root
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return "", &RevisionError{revision, oneLine(fmt.Sprint(err, ": ", stderr.String()))}
		}
		return strings.TrimSuffix(string(out), "\n"), nil
	}
	commit, err := git("rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return s, &RevisionError{revision, "git knows no such commit here"}
	}
	tree := filepath.Join(to, "tree")
	defer func() {
		ctx = context.WithoutCancel(ctx)
		// Twice --force: an interrupt while git makes the tree leaves it locked.
		if _, gone := git("worktree", "remove", "--force", "--force", tree); gone != nil { // or not yet a work tree
			gone := os.RemoveAll(tree)
			_, pruned := git("worktree", "prune")
			if gone = errors.Join(gone, pruned); err == nil {
				err = gone
			}
		}
	}()
	if _, err := git("worktree", "add", "--detach", "--force", tree, commit); err != nil {
		return s, err
	}
	if _, err := os.Stat(filepath.Join(tree, "bench", "bench_test.go")); err != nil {
		return s, &RevisionError{revision, "it has no benchmarks in bench/ yet; choose a later one"}
	}
	name := revision
	if !strings.HasPrefix(commit, revision) {
		name += " (" + commit[:12] + ")"
	}
	return BuildTree(ctx, name, tree, to)
}

// Alternate measures two sides in turns.
type Alternate struct {
	// A is the one before, B the one after.
	A, B Side
	// Cases are timed where a side has them.
	Cases Suite
	// Counts are cases of which only what is counted is compared; each is run a few
	// times.
	Counts Suite
	// Rounds is how often each side is run; at least 10, which is also the default.
	Rounds int
	// Each is how long a turn takes; 0 is 2 ms, which on a busy machine often fits
	// between two interruptions. Turns as in Run; 0 is 5.
	Each  time.Duration
	Turns int
	// Progress, if set, hears how far the run is.
	Progress func(done, total int, name string)
}

// leastRounds are those below which the statistics say nothing.
const leastRounds = 10

// Run runs the sides' binaries, each time in a fresh process, so that where a
// process happens to have its memory is not taken for a difference: for each family
// A B, then B A, and so on. Of the turns of one process the least counts. With an
// error come the measurements made before it.
func (a *Alternate) Run(ctx context.Context) (before, after *Results, err error) {
	rounds := max(leastRounds, a.Rounds)
	before, after = &Results{}, &Results{}
	groups := a.Cases.families()
	turns := turns{each: orElse(a.Each, 2*time.Millisecond).String(), n: orElse(a.Turns, 5)}
	for i, group := range groups {
		for round := range rounds {
			sides := []struct {
				side Side
				to   *Results
			}{{a.A, before}, {a.B, after}}
			if round%2 == 1 {
				sides[0], sides[1] = sides[1], sides[0]
			}
			for _, s := range sides {
				if err := s.side.measure(ctx, group, turns, s.to); err != nil {
					return before, after, err
				}
			}
		}
		if a.Progress != nil {
			a.Progress(i+1, len(groups), group[0].Input())
		}
	}
	return before, after, nil
}

// Count runs the cases of Counts once on each side and keeps what is counted.
func (a *Alternate) Count(ctx context.Context) (before, after *Results, err error) {
	before, after = &Results{}, &Results{}
	for _, group := range a.Counts.families() {
		if err := errors.Join(a.A.measure(ctx, group, turns{"1x", 1}, before), a.B.measure(ctx, group, turns{"1x", 1}, after)); err != nil {
			return before, after, err
		}
	}
	for _, r := range []*Results{before, after} {
		for _, record := range r.Records {
			record.Values = slices.DeleteFunc(record.Values, func(v benchfmt.Value) bool { return !slices.Contains(Exact, v.Unit) })
		}
	}
	return before, after, nil
}

// families are the cases by family: each runs in a process of its own.
func (s Suite) families() (list []Suite) {
	for _, family := range s.Families() {
		var group Suite
		for _, c := range s {
			if c.Family == family {
				group = append(group, c)
			}
		}
		list = append(list, group)
	}
	return list
}

// turns is how often one process measures a case, and how long each time, as go
// test's -benchtime has it.
type turns struct {
	each string
	n    int
}

// measure runs cases of one family in a process and adds one record for each.
func (s Side) measure(ctx context.Context, group Suite, t turns, to *Results) error {
	wanted := map[string]bool{}
	for _, c := range group {
		wanted[c.Name()] = true
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, s.Binary, "-test.run", "^$", "-test.cpu", "1", "-test.timeout", "30m",
		"-test.bench", pattern(group), "-test.benchtime", t.each, "-test.count", fmt.Sprint(t.n))
	cmd.Dir = filepath.Dir(s.Binary)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: %w: %s", s.Name, err, oneLine(stdout.String()+stderr.String()))
	}
	all, err := Read(&stdout, s.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	for _, name := range all.names() {
		if wanted[name] {
			to.Records = append(to.Records, all.least(name))
		}
	}
	return nil
}

// pattern is for go test's -bench: the cases, one after the other.
func pattern(group Suite) string {
	var names []string
	for _, c := range group {
		var parts []string
		for part := range strings.SplitSeq("Benchmark"+c.Name(), "/") {
			parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
		}
		names = append(names, strings.Join(parts, "/"))
	}
	return strings.Join(names, "|")
}
