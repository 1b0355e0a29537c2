package ci

import (
	"testing"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
)

// As findings, a result means the same for a gate as it does itself: case for case,
// and with what fails nothing left out one after the other.
func TestFindingsExitCode(t *testing.T) {
	r := manyKinds(t)
	all := r.Result.Cases
	codes := map[int]bool{}
	for _, known := range [][]KnownResult{r.Known, nil} {
		for i := range all {
			for _, cases := range [][]CaseResult{all, all[i : i+1], all[:i]} {
				r.Result.Cases, r.Result.Known = cases, known
				f := r.Findings()
				if f.ExitCode() != r.ExitCode() {
					t.Errorf("%d cases from %s: as findings exit code %d, itself %d", len(cases), all[i].Case.ID, f.ExitCode(), r.ExitCode())
				}
				codes[r.ExitCode()] = true
			}
		}
	}
	if len(codes) != 3 {
		t.Errorf("only the exit codes %v were met", codes)
	}
}

// Each case that is not the same is told once for each pair, and none that is.
func TestFindingsTold(t *testing.T) {
	r := manyKinds(t)
	told := map[string]int{}
	for _, f := range r.Findings().Findings {
		if f.Rule != report.ListRule {
			told[f.Cases[0]]++
		}
	}
	for _, c := range r.Cases {
		want := 0
		for _, v := range shown(c) {
			if v.Kind != corpus.EngineFailed {
				want++
			}
		}
		if told[c.Case.ID] != want {
			t.Errorf("%s is told %d times, want %d", c.Case.ID, told[c.Case.ID], want)
		}
	}
}
