package reference

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/python"
)

func TestPruneDefault(t *testing.T) {
	cache := t.TempDir()
	if removed, err := pruneShipped(cache, time.Now()); err != nil || removed != nil {
		t.Errorf("an empty cache: %q, %v", removed, err)
	}
	v, err := shippedDirectory(cache, checkpoint.Default())
	if err != nil {
		t.Fatal(err)
	}
	dir, _ := v.AsString()
	home := filepath.Dir(dir)
	for _, name := range []string{"0123456789abcdef", "new-1", "new-2"} {
		if err := os.MkdirAll(filepath.Join(home, name, "made"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * leftOver)
	if err := os.Chtimes(filepath.Join(home, "new-1"), old, old); err != nil {
		t.Fatal(err)
	}
	removed, err := pruneShipped(cache, time.Now())
	want := []string{filepath.Join("checkpoint", "0123456789abcdef"), filepath.Join("checkpoint", "new-1")}
	if err != nil || !slices.Equal(removed, want) {
		t.Errorf("removed %q, %v; want %q", removed, err, want)
	}
	if _, err := os.Stat(filepath.Join(home, "new-2")); err != nil {
		t.Errorf("a folder that another run writes is gone: %v", err)
	}
	if c, err := checkpoint.Load(dir); err != nil || c.Hash() != checkpoint.Default().Hash() {
		t.Errorf("the checkpoint in use: %v", err)
	}
}

// Of the tokenizers libraries the one that was given last stays, and what a run may
// be making.
func TestPruneLibraries(t *testing.T) {
	cache := t.TempDir()
	if removed, err := pruneLibraries(cache, time.Now()); err != nil || removed != nil {
		t.Errorf("an empty cache: %q, %v", removed, err)
	}
	now := time.Now()
	home := filepath.Join(cache, "tokenizers")
	for name, age := range map[string]time.Duration{"v1-a": 9 * leftOver, "v2-a": 4 * leftOver, "v3-a": 5 * leftOver, "v4-a.work": 3 * leftOver, "v5-a.work": 0} {
		dir := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Join(dir, "made"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	removed, err := pruneLibraries(cache, now)
	want := []string{filepath.Join("tokenizers", "v1-a"), filepath.Join("tokenizers", "v3-a"), filepath.Join("tokenizers", "v4-a.work")}
	if err != nil || !slices.Equal(removed, want) {
		t.Errorf("removed %q, %v; want %q", removed, err, want)
	}
}

// A file in the place of the default checkpoint's folder is told with what to do.
func TestDefaultDirectoryIsAFile(t *testing.T) {
	cache := t.TempDir()
	file := filepath.Join(cache, "checkpoint")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := shippedDirectory(cache, checkpoint.Default())
	var setup *python.SetupError
	if !errors.As(err, &setup) || setup.Kind != python.NoCache || setup.Tried != file || setup.Advice == "" {
		t.Errorf("%v", err)
	}
}
