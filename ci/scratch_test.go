package ci

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A run removes its own directory, and what killed runs left, but nothing that is in
// use, that has just been made, or that is no directory.
func TestScratch(t *testing.T) {
	temp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	used, remove, err := scratch("gate")
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	for _, name := range []string{"beamdiff-gate-killed", "beamdiff-gate-new", "beamdiff-gate-file", "beamdiff-other-1"} {
		at := filepath.Join(temp, name)
		if name == "beamdiff-gate-file" {
			err = os.WriteFile(at, nil, 0o600)
		} else if err = os.Mkdir(at, 0o700); err == nil {
			err = os.WriteFile(filepath.Join(at, "lock"), nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-time.Hour)
	for _, name := range []string{filepath.Dir(used), filepath.Join(temp, "beamdiff-gate-killed"), filepath.Join(temp, "beamdiff-gate-file")} {
		if err := os.Chtimes(name, long, long); err != nil {
			t.Fatal(err)
		}
	}
	_, again, err := scratch("gate")
	if err != nil {
		t.Fatal(err)
	}
	again()
	var left []string
	entries, _ := os.ReadDir(temp)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{"beamdiff-gate-file", "beamdiff-gate-new", filepath.Base(filepath.Dir(used)), "beamdiff-other-1"}
	slices.Sort(left)
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
}
