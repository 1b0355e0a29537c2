package recipe

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/beamdiff/beamdiff/reference/python"
)

// In a cache folder that is a file nothing is damaged: nothing is there.
func TestFindInAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Find(file, &Recipe{Name: "x"})
	var damage *python.DamageError
	if !errors.As(err, &damage) || damage.Path != "." {
		t.Errorf("%v", err)
	}
}
