package corpus

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the shipped data in its canonical form")

// caseFiles are the shipped files that hold cases.
func caseFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []string
	for _, f := range files {
		if !strings.HasSuffix(f, ".schema.json") {
			cases = append(cases, f)
		}
	}
	if len(cases) < 20 {
		t.Fatalf("only %d files of cases were found", len(cases))
	}
	return cases
}

// Every shipped file is in the canonical form that Encode writes.
func TestShippedFilesAreCanonical(t *testing.T) {
	for _, name := range caseFiles(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := Decode(data, name)
		if err != nil {
			t.Error(err)
			continue
		}
		want, err := Encode(cases)
		if err != nil {
			t.Error(err)
			continue
		}
		if bytes.Equal(data, want) {
			continue
		}
		if !*update {
			t.Errorf("%s is not in canonical form; rewrite it with go test ./corpus -run Canonical -update", name)
			continue
		}
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Error(err)
		}
	}
}
