package reference_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/beamdiff/beamdiff/reference/python"
)

// The character classes of package rx are those of the pinned regex module, byte
// for byte of the file that go generate writes.
func TestCharacterClasses(t *testing.T) {
	env, err := python.Ensure(t.Context(), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	defer env.Close()
	folder := filepath.Join("..", "harmony", "response", "rx")
	committed, err := os.ReadFile(filepath.Join(folder, "tables.go"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := env.Command(t.Context(), filepath.Join(folder, "tables.py"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	made, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if bytes.Equal(made, committed) {
		return
	}
	a, b := bytes.SplitAfter(made, []byte("\n")), bytes.SplitAfter(committed, []byte("\n"))
	n := 0
	for n < min(len(a), len(b)) && bytes.Equal(a[n], b[n]) {
		n++
	}
	t.Errorf("tables.go differs from line %d on from what the pinned regex module says: run go generate in harmony/response/rx", n+1)
}
