package render

import (
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

func native(t *testing.T, settings ...string) engine.Engine {
	var d decide.Decisions
	for _, setting := range settings {
		if err := d.Set(setting); err != nil {
			t.Fatal(err)
		}
	}
	return engine.NewNative(checkpoint.Default(), engine.NativeOptions{Decisions: d})
}

// Native against the reference: prompts, spans, errors by class and text.
func TestDifferential(t *testing.T) {
	n := suite.Pairs(t)
	differ := Differ{Native: native(t), Reference: suite.Reference(t)}
	start := time.Now()
	report := differ.Run(t.Context(), n, makeConversation)
	t.Logf("%v; %.0f conversations/s", report, float64(report.Pairs)/time.Since(start).Seconds())
	clean(t, report, n)
}

// clean fails where a run over n conversations found something, or had too few
// answers that are prompts, or that are errors.
func clean(t *testing.T, report *Report, n int) {
	t.Helper()
	for _, d := range report.Differences[:min(3, len(report.Differences))] {
		t.Error(d)
	}
	for _, f := range report.Failed[:min(3, len(report.Failed))] {
		t.Errorf("not answered: %s", f)
	}
	if report.Errors < n/5 || report.Errors > n*6/5 {
		t.Errorf("%d of %d answers are errors", report.Errors, 2*n)
	}
}

// Each decision taken otherwise is a fault: the generated conversations show it,
// within so many.
func TestPlantedDifferences(t *testing.T) {
	const within = 3000
	for _, decision := range decide.All() {
		for _, choice := range decision.Choices[1:] {
			setting := decision.Name + "=" + choice
			t.Run(setting, func(t *testing.T) {
				differ := Differ{Native: native(t, setting), Reference: native(t)}
				for i := range within {
					var r Report
					differ.compare(t.Context(), makeConversation(i), &r)
					if len(r.Differences) > 0 {
						t.Logf("at conversation %d", i)
						return
					}
				}
				t.Errorf("no difference in %d conversations", within)
			})
		}
	}
}
