package ci

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

// formats are those that --as knows: Beam's, those of public checkpoints, and
// other.
func formats() []string {
	known := []string{"beam", "other"}
	for _, r := range reference.Recipes().Recipes {
		if !slices.Contains(known, r.Format) {
			known = append(known, r.Format)
		}
	}
	return known
}

// public is the recipe that the name of a checkpoint stands for; nil for a
// directory, which wins, and for what is no recipe's name.
func public(name string) *recipe.Recipe {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil
	}
	return reference.Recipes().Find(name)
}

// shipped is the checkpoint of that name that this project ships beside the
// default one; nil for a directory, which wins, and for other names.
func shipped(name string) *checkpoint.Checkpoint {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil
	}
	return checkpoint.Named(name)
}

// resolve puts a public checkpoint into the cache, where the checkpoint is one.
func (o *opener) resolve(ctx context.Context) (err error) {
	r := public(o.given())
	if r == nil {
		return nil
	}
	if o.folder, err = reference.Assemble(ctx, r, python.Options{Progress: o.meter.setup}); err != nil {
		return broken(err)
	}
	o.public = r
	if o.As == "" {
		o.As = r.Format
	}
	return nil
}

// at opens the engines for cases that name a checkpoint of their own. Few cases
// are not worth a process for each processor.
func (o *opener) at(specs []string) func(context.Context, string, int) ([]engine.Engine, string, error) {
	return func(ctx context.Context, name string, cases int) ([]engine.Engine, string, error) {
		other := *o
		other.checkpointFlags = checkpointFlags{Checkpoint: name}
		other.public, other.folder = nil, ""
		other.jobs = min(o.jobs, 1+cases/64)
		open, err := other.open(ctx, specs)
		if err != nil {
			return nil, "", err
		}
		return open.engines, open.format, nil
	}
}

// checkNames refuses cases that name a checkpoint that is neither shipped nor has
// a recipe.
func checkNames(cases []corpus.Case) error {
	for _, c := range cases {
		if c.Checkpoint != "" && reference.Recipes().Find(c.Checkpoint) == nil && checkpoint.Named(c.Checkpoint) == nil {
			return usagef("case %s names the checkpoint %q, and there is no such recipe, nor a shipped one; list --checkpoints shows them", c.ID, c.Checkpoint)
		}
	}
	return nil
}

// publicLine tells the doctor which public checkpoints are in the cache.
func publicLine() doctorLine {
	cache, err := python.CacheDir()
	if err != nil {
		return doctorLine{bad, "public", err.Error()}
	}
	list := reference.Recipes()
	var made int
	var damaged []string
	for _, r := range list.Recipes {
		_, err := recipe.Find(cache, r)
		if err == nil {
			made++
		} else if d, is := err.(*python.DamageError); is && d.Path != "." {
			damaged = append(damaged, r.Name+": "+d.Error())
		}
	}
	detail := count(len(list.Recipes), "checkpoint") + ", " + itoa(made) + " of them in the cache"
	switch {
	case len(damaged) > 0:
		return doctorLine{missing, "public", detail + "\ndamaged, and made again when used: " + strings.Join(damaged, "; ")}
	case made < len(list.Recipes):
		return doctorLine{missing, "public", detail + "; setup fetches them, or the first use of one"}
	}
	return doctorLine{ok, "public", detail + ": " + filepath.Join(cache, "checkpoints")}
}
