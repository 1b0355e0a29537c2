package ci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

// referenceName is how the checkpoint's own Python is named, and releasePrefix
// begins the name of one with another release of Transformers.
const (
	referenceName = "reference"
	releasePrefix = referenceName + "@"
)

// release gives the release of Transformers in the name of an engine, "" for the
// default one's, and whether the name is a reference's.
func release(name string) (release string, is bool) {
	release, other := strings.CutPrefix(name, releasePrefix)
	if other {
		return release, true
	}
	return "", name == referenceName
}

// opened are the engines of a run, and the checkpoint as Go reads it.
type opened struct {
	engines    []engine.Engine
	checkpoint *checkpoint.Checkpoint // nil where only Python has read it
	format     string
}

func (o *opened) close() {
	for _, e := range o.engines {
		e.Close()
	}
}

// opener opens engines as the flags say.
type opener struct {
	t     *terminal
	meter *meter
	checkpointFlags
	limitFlags
	jobs     int
	coverage bool // the reference tells what cases reach

	public *recipe.Recipe // the recipe of the checkpoint, nil where it has none
	folder string         // the recipe's checkpoint in the cache
}

// check refuses flags that cannot be meant, before anything is opened.
func (o *opener) check(specs []string) error {
	seen := map[string]bool{}
	for _, spec := range specs {
		name, _, external := strings.Cut(spec, "=")
		version, ours := release(name)
		if strings.HasPrefix(name, releasePrefix) && !external {
			if err := python.CheckRelease(version); err != nil {
				return usagef("--engine %s: %v", spec, err)
			}
		}
		switch {
		case !external && name != engine.NativeName && !ours:
			return usagef("--engine %s: no such engine; it is native, reference, reference@VERSION, or 'name=command args'", spec)
		case external && (name == engine.NativeName || ours || name == Want):
			return usagef("--engine %s: the name %s is taken", spec, name)
		case seen[name]:
			return usagef("--engine: two engines are named %s", name)
		}
		seen[name] = true
	}
	if o.As != "" && !slices.Contains(formats(), o.As) {
		return usagef("--as %s: no such format; it is one of %s", o.As, strings.Join(formats(), ", "))
	}
	if o.Timeout <= 0 {
		return usagef("--timeout must be more than nothing, such as 10s")
	}
	if o.Memory < 0 {
		return usagef("--memory must be a number of MiB, or 0 for no limit")
	}
	if day, err := time.Parse(time.DateOnly, o.Today); o.Today != "" && (err != nil || day.Year() < 1) {
		return usagef("--today must be a day as YYYY-MM-DD, but is %q", o.Today)
	}
	if len(o.Decide) > 0 && !seen[engine.NativeName] {
		return usagef("--decide is for the native engine, which does not run")
	}
	_, err := o.decisions()
	return err
}

// today is the day of the run.
func (o *opener) today() string {
	if o.Today != "" {
		return o.Today
	}
	return time.Now().UTC().Format(time.DateOnly)
}

// given is the checkpoint as the command line or the environment names it; ""
// is the default one.
func (o *opener) given() string {
	if o.Checkpoint != "" {
		return o.Checkpoint
	}
	return o.t.getenv("BEAM_MODEL_ID")
}

// name is the checkpoint's: "" for the default one, the absolute path of a
// directory, or what was given.
func (o *opener) name() string {
	if o.folder != "" {
		return o.folder
	}
	name := o.given()
	if _, err := os.Stat(name); err == nil {
		if abs, err := filepath.Abs(name); err == nil {
			return abs
		}
	}
	return name
}

// load reads the checkpoint in Go. nil is a hub id, which only Python can fetch.
func (o *opener) load() (*checkpoint.Checkpoint, error) {
	name := o.name()
	if name == "" {
		return checkpoint.Default(), nil
	}
	if c := shipped(name); c != nil {
		return c, nil
	}
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) && reference.IsHubID(name) {
		return nil, nil
	}
	c, err := checkpoint.Load(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, usage(&reference.CheckpointError{Name: name})
	}
	if err != nil {
		return nil, usage(err)
	}
	if o.public != nil {
		c.Name = o.public.Title()
	}
	return c, nil
}

// open makes the engines. They start when they are first asked; only the set-up
// of Python, where it is not there yet, happens here.
func (o *opener) open(ctx context.Context, specs []string) (_ *opened, err error) {
	if err := o.check(specs); err != nil {
		return nil, err
	}
	if err := o.resolve(ctx); err != nil {
		return nil, err
	}
	out := &opened{engines: make([]engine.Engine, len(specs))}
	defer func() {
		if err != nil {
			for _, e := range out.engines {
				if e != nil {
					e.Close()
				}
			}
		}
	}()
	if out.checkpoint, err = o.load(); err != nil {
		return nil, err
	}
	for i, spec := range specs { // Python first: it can fetch what native reads
		switch _, ours := release(spec); {
		case ours:
			if out.engines[i], err = o.reference(ctx, spec); err != nil {
				return nil, err
			}
			if out.checkpoint == nil {
				if out.checkpoint, err = fetched(ctx, out.engines[i]); err != nil {
					return nil, err
				}
			}
		case spec != engine.NativeName:
			if out.engines[i], err = o.external(spec); err != nil {
				return nil, err
			}
		}
	}
	for i, spec := range specs {
		if spec == engine.NativeName {
			if out.checkpoint == nil {
				return nil, usagef("there is no directory %s; as a hub id, only the reference engine can fetch it: give a directory, or add --engine reference", o.name())
			}
			if out.engines[i], err = o.native(out.checkpoint); err != nil {
				return nil, err
			}
		}
	}
	out.format = o.As
	if out.format == "" && out.checkpoint != nil {
		out.format = out.checkpoint.Format()
	}
	return out, nil
}

// decisions are those that --decide takes otherwise.
func (o *opener) decisions() (d decide.Decisions, err error) {
	for _, setting := range o.Decide {
		if err := d.Set(setting); err != nil {
			return d, usagef("--decide %v", err)
		}
	}
	return d, nil
}

func (o *opener) native(c *checkpoint.Checkpoint) (engine.Engine, error) {
	d, err := o.decisions()
	if err != nil {
		return nil, err
	}
	return engine.NewNative(c, engine.NativeOptions{Format: o.As, Decisions: d, Date: o.today()}), nil
}

// reference opens the checkpoint's own Python, by the name of the engine.
func (o *opener) reference(ctx context.Context, engineName string) (engine.Engine, error) {
	version, _ := release(engineName)
	memory := o.Memory << 20
	if memory == 0 {
		memory = -1
	}
	name := o.name()
	if o.public != nil {
		name = o.public.Name
	}
	e, err := reference.Open(ctx, reference.Options{
		Name: engineName, Checkpoint: name, Date: o.today(), Workers: o.jobs, Timeout: o.Timeout, Memory: memory,
		Coverage: o.coverage, Python: python.Options{Release: version, Progress: o.meter.setup},
	})
	var missing *reference.CheckpointError
	if errors.As(err, &missing) {
		return nil, usage(err)
	}
	if err != nil {
		return nil, broken(err)
	}
	return e, nil
}

// fetched reads the checkpoint that Python fetched from the hub.
func fetched(ctx context.Context, e engine.Engine) (*checkpoint.Checkpoint, error) {
	if _, err := e.Info(ctx); err != nil {
		return nil, broken(err)
	}
	code := object("code", value.String(`import os; print(os.environ["BEAM_MODEL_ID"], end="")`))
	in, _ := code.AsObject()
	answer := e.Do(ctx, engine.Request{Op: "exec", Case: in})
	dir, ok := answer.Value.Get("output").AsString()
	if !ok {
		return nil, broken(fmt.Errorf("the reference does not say where it put the checkpoint: %s", toldAll(answer)))
	}
	c, err := checkpoint.Load(dir)
	if err != nil {
		return nil, broken(err)
	}
	return c, nil
}

func (o *opener) external(spec string) (engine.Engine, error) {
	dir := o.name()
	if dir == "" || shipped(dir) != nil {
		var err error
		if dir, err = reference.ShippedDirectory(dir); err != nil {
			return nil, broken(err)
		}
	}
	key := "directory"
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		key = "hub"
	}
	open, _ := object(key, value.String(dir), "date", value.String(o.today())).AsObject()
	e, err := reference.External(spec, engine.Options{Open: open, Workers: max(o.jobs, 1), CaseTimeout: o.Timeout, MemoryLimit: o.Memory << 20})
	if err != nil {
		return nil, usage(err)
	}
	return e, nil
}
