package reference

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

// Prune removes from the environment's cache folder what this version does not
// use: environments but this one and those to keep, public checkpoints and their
// wheels, shipped checkpoints, tokenizers libraries, and what killed runs left. It
// gives the names of what was removed, and of the environments that other runs use.
// The error is a *python.SetupError.
func Prune(ctx context.Context, env *python.Env, keep ...*python.Env) (removed, busy []string, err error) {
	removed, busy, err = env.Prune(ctx, keep...)
	if err != nil {
		return removed, busy, err
	}
	public, err := recipe.Prune(ctx, env.CacheDir(), Recipes())
	removed = append(removed, public...)
	if err != nil {
		return removed, busy, err
	}
	old, err := pruneShipped(env.CacheDir(), time.Now())
	removed = append(removed, old...)
	if err != nil {
		return removed, busy, err
	}
	old, err = pruneLibraries(env.CacheDir(), time.Now())
	return append(removed, old...), busy, err
}

// pruneLibraries removes the tokenizers libraries that scripts/tokenizers made, but
// for the one that it gave last and any that may be in the making. What was built
// with one does not need it any more.
func pruneLibraries(cache string, now time.Time) (removed []string, err error) {
	home := filepath.Join(cache, "tokenizers")
	entries, err := os.ReadDir(home)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, python.Failure(python.StepCache, home, err)
	}
	used := make([]time.Time, len(entries))
	newest := -1
	for i, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // it is gone already
		}
		used[i] = info.ModTime()
		if !strings.HasSuffix(e.Name(), ".work") && (newest < 0 || used[i].After(used[newest])) {
			newest = i
		}
	}
	for i, e := range entries {
		if i == newest || now.Sub(used[i]) < leftOver {
			continue
		}
		path := filepath.Join(home, e.Name())
		if err := os.RemoveAll(path); err != nil {
			return removed, python.Failure(python.StepCache, path, err)
		}
		removed = append(removed, filepath.Join(filepath.Base(home), e.Name()))
	}
	return removed, nil
}

// leftOver is the age from which a folder that a run was to rename is taken for
// a killed run's: writing one takes milliseconds.
const leftOver = time.Hour

// pruneShipped removes other shipped checkpoints than this version's. A run of
// another version makes its own again when it starts.
func pruneShipped(cache string, now time.Time) (removed []string, err error) {
	home := shippedHome(cache)
	entries, err := os.ReadDir(home)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, python.Failure(python.StepCache, home, err)
	}
	folders := []string{shippedFolder(checkpoint.Default())}
	for _, v := range checkpoint.Variants() {
		folders = append(folders, shippedFolder(checkpoint.Named(v.Name)))
	}
	for _, e := range entries {
		path := filepath.Join(home, e.Name())
		if slices.Contains(folders, e.Name()) {
			continue
		}
		if info, err := e.Info(); strings.HasPrefix(e.Name(), newPrefix) && (err != nil || now.Sub(info.ModTime()) < leftOver) {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			return removed, python.Failure(python.StepCache, path, err)
		}
		removed = append(removed, filepath.Join(filepath.Base(home), e.Name()))
	}
	return removed, nil
}

// newPrefix begins the name of a folder until it is whole.
const newPrefix = "new-"

func shippedHome(cache string) string               { return filepath.Join(cache, "checkpoint") }
func shippedFolder(c *checkpoint.Checkpoint) string { return c.Hash()[:16] }
