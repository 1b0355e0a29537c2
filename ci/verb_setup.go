package ci

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

func (v *setupVerb) run(ctx context.Context, t *terminal) error {
	for _, name := range v.Engine {
		version, other := strings.CutPrefix(name, releasePrefix)
		if !other {
			return usagef("--engine %s: what can be set up is reference@VERSION; the other engines need no more than setup does", name)
		}
		if err := python.CheckRelease(version); err != nil {
			return usagef("--engine %s: %v", name, err)
		}
	}
	m := t.meter()
	o := python.Options{Offline: v.Offline, Progress: m.setup}
	env, err := python.Ensure(ctx, o)
	m.clear()
	if err != nil {
		return broken(err)
	}
	defer env.Close()
	var b strings.Builder
	fmt.Fprintf(&b, "Python %s with %s is ready: %s\n", env.PythonVersion(), count(len(env.Packages()), "package"), env.Dir())
	var keep []*python.Env
	for _, name := range v.Engine {
		version, _ := release(name)
		other, err := python.Ensure(ctx, python.Options{Release: version, Offline: v.Offline, Progress: m.setup})
		m.clear()
		if err != nil {
			return errors.Join(t.print(b.String()), broken(err))
		}
		defer other.Close()
		keep = append(keep, other)
		fmt.Fprintf(&b, "%s with %s is ready: %s\n", name, count(len(other.Packages()), "package"), other.Dir())
	}
	public, err := recipe.Ensure(ctx, env, o, reference.Recipes().Recipes...)
	m.clear()
	if err != nil {
		return errors.Join(t.print(b.String()), broken(err))
	}
	fmt.Fprintf(&b, "%s ready: %s\n", count(len(public), "public checkpoint is", "public checkpoints are"), filepath.Dir(public[0]))
	templates, err := publicTemplates(ctx, env, o)
	m.clear()
	if err != nil {
		return errors.Join(t.print(b.String()), broken(err))
	}
	fmt.Fprintf(&b, "%s ready for check --public\n", count(len(templates), "public chat template is", "public chat templates are"))
	if v.Prune {
		removed, busy, err := reference.Prune(ctx, env, keep...)
		if err != nil {
			return broken(err)
		}
		for _, name := range removed {
			fmt.Fprintf(&b, "removed %s\n", name)
		}
		for _, name := range busy {
			fmt.Fprintf(&b, "in use by another run, kept: %s\n", name)
		}
		if len(removed)+len(busy) == 0 {
			b.WriteString("nothing to remove\n")
		}
	}
	return t.print(b.String())
}

// setup shows the set-up of Python: each step as it begins, packages as they
// are fetched.
func (m *meter) setup(e python.Event) {
	if e.Total > 0 {
		m.say("set-up: "+e.Text, e.Done == e.Total)
		return
	}
	m.say("set-up: "+e.Text, true)
}
