package corpus

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// checkReports holds the README's list of bug reports against the sources of
// cases: each report has a case, or a row that says why not. It gives what is
// wrong.
func checkReports(readme string, sources []string) (faults []string) {
	_, section, _ := strings.Cut(readme, "\n## The bug reports")
	prose, table, _ := strings.Cut(section, "\n| report |") // none where each report has a case
	var all []string
	for _, run := range regexp.MustCompile(`\b[A-F] \([^)]*\)((?:\s\d+)+)`).FindAllStringSubmatch(prose, -1) {
		all = append(all, strings.Fields(run[1])...)
	}
	reasons := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \|[^|]+\| ([^|]{20,}) \|$`).FindAllStringSubmatch(table, -1) {
		reasons[row[1]] = true
	}
	cases := map[string]bool{}
	for _, source := range sources {
		if number, ok := strings.CutPrefix(source, "bug-reports.md#"); ok {
			cases[number] = true
		}
	}
	for _, number := range all {
		switch {
		case cases[number] && reasons[number]:
			faults = append(faults, number+" has a case and a reason for having none")
		case !cases[number] && !reasons[number]:
			faults = append(faults, number+" has neither a case nor a reason")
		}
		delete(cases, number)
		delete(reasons, number)
	}
	for number := range cases {
		faults = append(faults, number+" is the source of a case and not listed")
	}
	for number := range reasons {
		faults = append(faults, number+" has a reason and is not listed")
	}
	slices.Sort(faults)
	return faults
}

func TestReports(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var sources []string
	for _, c := range Embedded() {
		sources = append(sources, c.Source)
	}
	if faults := checkReports(string(readme), sources); faults != nil {
		t.Errorf("%s", strings.Join(faults, "\n"))
	}
	// The list is whole: the numbers up to the last one, less those that the list
	// itself leaves out.
	const left = "3 9 14 20 22 26 28 33 36 40 44 48 50 51"
	for n := 1; n <= 52; n++ {
		number := strconv.Itoa(n)
		in := slices.Contains(strings.Fields(left), number)
		listed := checkReports(string(readme), append(slices.Clone(sources), "bug-reports.md#"+number))
		isUnlisted := slices.Contains(listed, number+" is the source of a case and not listed")
		if in != isUnlisted {
			t.Errorf("report %d: listed %v", n, !isUnlisted)
		}
	}
	without := slices.DeleteFunc(slices.Clone(sources), func(s string) bool { return s == "bug-reports.md#24" })
	if faults := checkReports(string(readme), without); len(faults) != 1 || faults[0] != "24 has neither a case nor a reason" {
		t.Errorf("a report that loses its cases: %q", faults)
	}
	row := func(number string) string {
		return string(readme) + "\n| report | what it is about | why it has no case here |\n|---|---|---|\n| " + number + " | x | a reason that is long enough |\n"
	}
	for number, want := range map[string]string{"99": "99 has a reason and is not listed", "17": "17 has a case and a reason for having none"} {
		if faults := checkReports(row(number), sources); len(faults) != 1 || faults[0] != want {
			t.Errorf("a reason for report %s: %q", number, faults)
		}
	}
}
