package reference

import (
	"context"
	_ "embed"
	"sync"

	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

//go:embed checkpoints.toml
var recipesFile []byte

var recipes = sync.OnceValues(func() (*recipe.List, error) { return recipe.Decode(recipesFile, "checkpoints.toml") })

// Recipes are the public checkpoints that have a name here: checkpoints.toml.
// The list is shared and must not be changed.
func Recipes() *recipe.List {
	list, err := recipes()
	if err != nil {
		panic(err) // a test of this package reads it
	}
	return list
}

// Assemble gives the folder of a public checkpoint, and makes it in the cache
// where it is not there or damaged; that may set up Python, with the packages of
// the default lock whatever o says, and fetch a package.
// The error is a *python.SetupError or a *recipe.Error.
func Assemble(ctx context.Context, r *recipe.Recipe, o python.Options) (string, error) {
	cache, err := o.CacheDir, error(nil)
	if cache == "" {
		if cache, err = python.CacheDir(); err != nil {
			return "", err
		}
	}
	if dir, err := recipe.Find(cache, r); err == nil {
		return dir, nil
	}
	o.Lock, o.Release = python.Lock{}, "" // some templates are of the library itself
	env, err := python.Ensure(ctx, o)
	if err != nil {
		return "", err
	}
	defer env.Close()
	dirs, err := recipe.Ensure(ctx, env, o, r)
	if err != nil {
		return "", err
	}
	return dirs[0], nil
}
