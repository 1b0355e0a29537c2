package recipe

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/reference/python"
)

// Prune removes from the cache folder the checkpoints and wheels that no recipe
// of the list needs, and what killed runs left. It gives their names. The error
// is a *python.SetupError.
func Prune(ctx context.Context, cache string, list *List) (removed []string, err error) {
	s := storeIn(cache)
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s.sweep()
	keep := []string{filepath.Join(s.dir, "wheels"), filepath.Join(s.dir, "lock")}
	for _, r := range list.Recipes {
		keep = append(keep, s.path(r))
	}
	for _, p := range list.Packages {
		if !p.Installed() {
			keep = append(keep, s.wheel(p))
		}
	}
	for _, dir := range []string{s.dir, filepath.Join(s.dir, "wheels")} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return removed, s.broken(python.StepCache, dir, err)
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if slices.Contains(keep, path) || strings.HasPrefix(e.Name(), newPrefix) {
				continue
			}
			if err := os.RemoveAll(path); err != nil {
				return removed, s.broken(python.StepCache, path, err)
			}
			removed = append(removed, e.Name())
		}
	}
	return removed, nil
}
