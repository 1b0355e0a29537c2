package ci

import (
	"cmp"
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/ci/gate"
	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
)

type gateVerb struct {
	Base      string `required:"" placeholder:"SIDE" help:"What is there today: a directory, a template's file, REVISION:PATH in git, a public checkpoint, a hub id, beam (the reconstruction), or reference@VERSION, the candidate under another release of Transformers."`
	Candidate string `required:"" placeholder:"SIDE" help:"What is to take its place, in the same forms. Of a file alone the rest is the other side's."`

	Count  int           `default:"1000" placeholder:"N" help:"How many cases are generated besides those of the corpus and of the laws (1000); 0 is none."`
	Time   time.Duration `default:"0s" placeholder:"DURATION" help:"Ask no new cases after this time; the report says which part was asked. 0 is no limit."`
	Seed   uint64        `default:"1" help:"Chooses the generated cases: one seed, the same cases."`
	FailOn string        `default:"error" placeholder:"LEVEL" help:"What fails: error (the default: a law that is broken, a text that is lost, a request that is refused, …), or change: every change of an answer too, for a change that must change nothing."`
	Old    bool          `help:"Count what the base breaks already, too; else a gate is about what is new."`
	NoLaws bool          `help:"Do not ask the laws of check, only what changed."`
	findingFlags
	Jobs int    `default:"0" help:"Processes of each side; 0 is the number of processors."`
	As   string `placeholder:"FORMAT" help:"Take both sides as of this format."`
	limitFlags
}

func (gateVerb) Help() string {
	return `
Examples:
  beamdiff gate --base main:model --candidate model    a directory of the repository, as on main and as it is now
  beamdiff gate --base old.jinja --candidate new.jinja
  beamdiff gate --base ./model --candidate new.jinja   another chat template for the same checkpoint
  beamdiff gate --base ./model --candidate response.json
  beamdiff gate --base ./model --candidate reference@5.23.0
                                                       another release of Transformers
  beamdiff gate --base main:model --candidate model --fail-on change
                                                      a refactoring: nothing may change
  beamdiff gate --base main:model --candidate model --format markdown --out comment.md

Both sides are asked the corpus, the conversations that clients send, and generated ones. What changed is told
by cause: the lines of the template that were edited and those that wrote the first byte that differs, with
the smallest case of each. A change is a warning; it is an error where it loses a text, refuses what was
rendered, makes a turn unreadable, or breaks a law. What the base breaks already fails nothing, and so do
findings of a baseline: accept changes that are meant with --write-baseline, and name that file in --baseline.
--old counts both, as check does.

Exit codes: 0 nothing that fails, 1 findings that fail, 2 wrong use or unreadable input, 3 an engine or the
set-up failed, or the run was interrupted.`
}

func (v *gateVerb) run(ctx context.Context, t *terminal) error {
	switch {
	case v.Count < 0 || v.Jobs < 0 || v.Time < 0:
		return usagef("--count, --time and --jobs must not be negative")
	case v.FailOn != "error" && v.FailOn != "change":
		return usagef("--fail-on %s: it is error or change", v.FailOn)
	case v.Old && v.NewOnly:
		return usagef("--old and --new-only exclude each other")
	case strings.HasPrefix(v.Base, gate.ReleasePrefix) && strings.HasPrefix(v.Candidate, gate.ReleasePrefix):
		return usagef("--base and --candidate are both releases of Transformers: one side names the checkpoint, which then runs under the default release")
	case v.Base == v.Candidate:
		return usagef("--base and --candidate are the same: %s", v.Base)
	}
	v.Strict = v.Strict || v.FailOn == "change"
	v.NewOnly = v.NewOnly || !v.Old
	known, err := v.differences()
	if err != nil {
		return err
	}
	lists, err := v.lists()
	if err != nil {
		return err
	}
	dir, remove, err := scratch("gate")
	if err != nil {
		return broken(err)
	}
	defer remove()
	m := t.meter()
	defer m.clear()
	sources, err := gate.Materialise(ctx, [2]string{v.Base, v.Candidate}, dir, func(ctx context.Context, name string) (string, error) {
		return folder(ctx, t, m, name)
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return broken(errors.New("interrupted"))
	case err != nil:
		return usage(err)
	}
	today, err := corpus.ParseDate((&opener{limitFlags: v.limitFlags}).today())
	if err != nil {
		return usage(err)
	}
	g := &gate.Gate{Today: today, Count: v.Count, Time: v.Time, Seed: v.Seed, Known: known, Old: v.Old,
		Progress: func(phase string, done, total int) { m.step(Progress{phase, done, total}) }}
	if !v.NoLaws {
		g.Laws = law.Laws()
	}
	for i, side := range []*gate.Side{&g.Base, &g.Candidate} {
		open, err := v.open(ctx, t, m, sources, i)
		if unread := (&loading{}); err != nil && i == 1 && unread.unread(err) {
			m.clear()
			return v.tell(t, unread.gate(sources), lists, today)
		}
		if err != nil {
			return err
		}
		defer open.close()
		stop := context.AfterFunc(ctx, func() { time.AfterFunc(gracePeriod, open.close) }) // after what is found has been told
		defer stop()
		*side = gate.Side{Name: sources[i].Name, Engine: open.engines[0], Checkpoint: open.checkpoint, Dir: sources[i].Dir, Files: sources[i].Files}
		g.Format = open.format
	}
	g.Native = engine.NewNative(g.Candidate.Checkpoint, engine.NativeOptions{Format: v.As})
	r, err := g.Run(ctx)
	m.clear()
	if err != nil {
		return broken(err)
	}
	return v.tell(t, r, lists, today)
}

// gate is the report of a gate whose candidate cannot be read.
func (l *loading) gate(sources [2]gate.Source) *report.Report {
	r := &report.Report{Verb: "gate", Compared: true}
	for i, role := range [2]string{gate.Base, gate.Candidate} {
		r.Subjects = append(r.Subjects, report.Subject{Role: role, Name: sources[i].Name, Files: sources[i].Files})
	}
	for i := range l.findings {
		for k := range l.findings[i].Places {
			l.findings[i].Places[k].Role = gate.Candidate
		}
	}
	*r = l.report(*r)
	return r
}

// gracePeriod is how long an interrupted gate may go on telling what it has found.
const gracePeriod = 6 * time.Second

// open opens one of the sides.
func (v *gateVerb) open(ctx context.Context, t *terminal, m *meter, sources [2]gate.Source, i int) (*opened, error) {
	of, spec := sources[i], referenceName
	if of.Release != "" {
		of, spec = sources[1-i], gate.ReleasePrefix+of.Release
	}
	name := cmp.Or(of.Dir, of.Name)
	if of.Named && public(of.Name) != nil {
		name = of.Name // it says the format, too
	}
	o := &opener{t: t, meter: m, checkpointFlags: checkpointFlags{Checkpoint: name, As: v.As}, limitFlags: v.limitFlags,
		jobs: cmp.Or(v.Jobs, max(1, runtime.NumCPU()/2))}
	o.Decide = nil
	open, err := o.open(ctx, []string{spec})
	if err == nil && open.checkpoint == nil {
		open.checkpoint, err = fetched(ctx, open.engines[0])
		if err == nil {
			open.format = open.checkpoint.Format()
		}
	}
	return open, err
}

// folder is the directory of a checkpoint that has a name, "" for a hub id.
func folder(ctx context.Context, t *terminal, m *meter, name string) (string, error) {
	o := &opener{t: t, meter: m, checkpointFlags: checkpointFlags{Checkpoint: name}}
	if name == "beam" || shipped(name) != nil {
		if name == "beam" {
			name = "" // the default one
		}
		dir, err := reference.ShippedDirectory(name)
		if err != nil {
			return "", broken(err)
		}
		return dir, nil
	}
	if err := o.resolve(ctx); err != nil || o.folder != "" {
		return o.folder, err
	}
	if !reference.IsHubID(name) {
		return "", usage(&reference.CheckpointError{Name: name})
	}
	return "", nil
}

// differences takes the lists of known differences out of --known, which has those
// of findings as well, and adds the shipped one.
func (v *gateVerb) differences() ([]corpus.KnownDifference, error) {
	var files []string
	v.Known = slices.DeleteFunc(v.Known, func(name string) bool {
		data, err := os.ReadFile(name)
		if err != nil {
			return false // which lists tells
		}
		list, err := corpus.DecodeKnown(data, name)
		if err == nil && len(list) > 0 {
			files = append(files, name)
			return true
		}
		return false
	})
	return loadKnown(files)
}
