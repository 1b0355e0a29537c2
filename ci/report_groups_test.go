package ci

import (
	"bytes"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
)

// A case stands in one line, with all that it has for reasons, so that the lines
// add up to the table.
func TestPassingAddsUp(t *testing.T) {
	known := func(id string) Verdict { return Verdict{Kind: corpus.Known, KnownID: id} }
	report := &Report{Result: &Result{Cases: []CaseResult{
		{Case: corpus.Case{ID: "s/both"}, Verdicts: []Verdict{known("a"), known("b"), known("a")}},
		{Case: corpus.Case{ID: "s/one"}, Verdicts: []Verdict{known("a")}},
		{Case: corpus.Case{ID: "s/two"}, Verdicts: []Verdict{known("a"), known("b")}},
	}}}
	var b bytes.Buffer
	report.passing(&b)
	_, lines, _ := strings.Cut(b.String(), ":\n")
	const want = "  known difference a and known difference b: 2 cases (s/both, s/two)\n  known difference a: 1 case (s/one)\n"
	if lines != want {
		t.Errorf("got\n%swant\n%s", lines, want)
	}
}
