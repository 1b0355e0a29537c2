package corpus

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
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

// Every shipped file fits the schema.
func TestShippedFilesFitTheSchema(t *testing.T) {
	schema := compileSchema(t)
	for _, name := range caseFiles(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, schema, string(data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// notJSON are the cases whose answer is a number that JSON cannot say: they want
// nothing, and the engines are only compared.
var notJSON = []string{
	"templates/values/D3-overflow", "templates/values/D3-nan", "templates/values/D3-minus-infinity",
	"templates/values/D5-nan", "templates/values/D5-infinity", "templates/values/D5-overflow", "templates/values/D10-nan",
}

// What every shipped case says of itself.
func TestShippedCases(t *testing.T) {
	suites := map[string]int{}
	asked := map[string]string{} // what a suite asks already, and by which case
	for _, c := range Embedded() {
		suites[c.Suite]++
		if parts := strings.Split(c.ID, "/"); len(parts) != 3 || parts[0] != c.Suite {
			t.Errorf("%s: the id is not suite/file/name", c.ID)
		} else if data, err := os.ReadFile(parts[0] + "/" + parts[1] + ".json"); err != nil || !bytes.Contains(data, []byte(`"`+c.ID+`"`)) {
			t.Errorf("%s: the id does not say the case's file", c.ID)
		}
		if c.Format == "" || c.Domain == "" || c.Source == "" || c.Want == nil && !slices.Contains(notJSON, c.ID) {
			t.Errorf("%s: format, domain, source or want is missing", c.ID)
		}
		if !strings.HasSuffix(c.Why, ".") && !strings.HasSuffix(c.Why, "?") {
			t.Errorf("%s: why is no sentence: %q", c.ID, c.Why)
		}
		if c.Domain == Documented && (c.CheckpointHash != "" || c.Decision != "") {
			t.Errorf("%s: a documented case depends on no checkpoint", c.ID)
		}
		if c.Suite == "decisions" && c.Decision == "" {
			t.Errorf("%s: no decision", c.ID)
		}
		what := c.Suite + " " + c.Checkpoint + " " + string(c.Kind) + " " + string(value.Append(nil, c.Input.Value(), value.PyDumps))
		if other, has := asked[what]; has {
			t.Errorf("%s asks what %s asks", c.ID, other)
		}
		asked[what] = c.ID
	}
	if suites["documentation"] < 180 || suites["decisions"] < 260 || suites["bugs"] < 120 || suites["library"] < 45 || suites["templates"] < 320 || suites["regressions"] < 10 || suites["tokens"] < 200 {
		t.Errorf("cases by suite: %v", suites)
	}
}
