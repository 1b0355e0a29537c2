package corpus

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// elsewhere are the traps of the specification's section 15 that no case can
// ask, with the test that holds each.
var elsewhere = map[string]string{
	"A4":  "reference: TestNeverReturns; harmony/response: TestEveryLimit", // the reference never answers
	"A13": "reference: TestTrapsOfTheAPI",
	"A14": "reference: TestTrapsOfTheAPI",
	"A15": "reference: TestTrapsOfRendering",
	"D13": "reference: TestTrapsOfRendering",
	"E3":  "harmony/response: TestCompileRefuses", // texts of errors, which are not compared
	"E4":  "reference: TestTrapsOfRendering",
}

// trapsLeft gives the traps that have neither a case nor a test elsewhere, or
// both.
func trapsLeft(sources []string) (faults []string) {
	for _, section := range []struct {
		letter string
		last   int
	}{{"A", 16}, {"B", 12}, {"C", 12}, {"D", 14}, {"E", 4}, {"G", 8}} {
		for n := 1; n <= section.last; n++ {
			trap := fmt.Sprint(section.letter, n)
			has := slices.Contains(sources, "response-template-spec.md, 15 "+trap)
			if _, other := elsewhere[trap]; has == other {
				faults = append(faults, fmt.Sprintf("%s: a case %v, elsewhere %v", trap, has, other))
			}
		}
	}
	return faults
}

// Every trap has a case or stands in the list of those that cannot.
func TestEveryTrap(t *testing.T) {
	var sources []string
	for _, c := range Embedded() {
		if c.Suite == "templates" {
			sources = append(sources, c.Source)
		}
		if c.Suite == "templates" && !strings.HasPrefix(c.Source, "response-template-spec.md, ") {
			t.Errorf("%s: source %q", c.ID, c.Source)
		}
	}
	for _, fault := range trapsLeft(sources) {
		t.Error(fault)
	}
	without := slices.DeleteFunc(slices.Clone(sources), func(s string) bool { return strings.HasSuffix(s, " B7") })
	if faults := trapsLeft(without); len(faults) != 1 || !strings.HasPrefix(faults[0], "B7") {
		t.Errorf("a trap without cases: %q", faults)
	}
	if faults := trapsLeft(append(sources, "response-template-spec.md, 15 A4")); len(faults) != 1 {
		t.Errorf("a case of a trap that stands elsewhere: %q", faults)
	}
}

// The traps of Python's API and of rendering are tests of the reference's side:
// each has one that is named after it.
func TestEveryTrapOfTheReference(t *testing.T) {
	tests, err := os.ReadFile("../reference/library_traps_test.go")
	if err != nil {
		t.Fatal(err)
	}
	left := func(tests string) (traps []string) {
		for _, section := range []struct {
			letter string
			last   int
		}{{"F", 5}, {"J", 10}} {
			for n := 1; n <= section.last; n++ {
				if trap := fmt.Sprint(section.letter, n); !strings.Contains(tests, "\t{\""+trap+" ") {
					traps = append(traps, trap)
				}
			}
		}
		return traps
	}
	if got := left(string(tests)); got != nil {
		t.Errorf("no test of %v", got)
	}
	if got := left(strings.ReplaceAll(string(tests), "\t{\"J3 ", "")); !slices.Equal(got, []string{"J3"}) {
		t.Errorf("without those of J3, no test of %v", got)
	}
}
