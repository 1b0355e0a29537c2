package reference_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/coverage"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// measure asks a request for its points, and for all of them.
func measure(t *testing.T, e engine.Measurer, op engine.Op, text string, all bool) (corpus.Outcome, coverage.Set) {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := v.AsObject()
	out, points := e.Measure(t.Context(), engine.Request{Op: op, Case: o}, all)
	return out, coverage.NewSet(points...)
}

// What a case reaches is told once, and again where all of it is asked for;
// errors tell it too.
func TestCoverage(t *testing.T) {
	e := open(t, reference.Options{Workers: 1, Coverage: true}).(engine.Measurer)
	info, err := e.Info(t.Context())
	if err != nil || !slices.Contains(info.Abilities, engine.AbleCoverage) {
		t.Fatalf("abilities %v, %v", info.Abilities, err)
	}
	const hello, refused = `{"messages": [{"role": "user", "content": "Hi"}]}`, `{"messages": [{"role": "poet"}]}`
	report, err := e.Coverage(t.Context())
	if err != nil || len(report.Reached) > 0 {
		t.Fatalf("before any case %d points are reached; %v", len(report.Reached), err)
	}
	place := func(text, way string) coverage.Point {
		at := slices.IndexFunc(report.Existing, func(e coverage.Entry) bool { return e.Text == text && e.Point.Place().Way == way })
		if at < 0 {
			t.Fatalf("there is no point %s %s", text, way)
		}
		return report.Existing[at].Point
	}
	user, other := place("role == 'user'", "true"), place("role == 'user'", "false")

	_, first := measure(t, e, engine.OpRender, hello, false)
	if !first.Has(user) || first.Has(other) {
		t.Errorf("a user message reaches %v", first.Points())
	}
	if _, again := measure(t, e, engine.OpRender, hello, false); len(again) > 0 {
		t.Errorf("the same case again reaches %v", again.Points())
	}
	if _, all := measure(t, e, engine.OpRender, hello, true); len(all.Missing(first)) > 0 || len(first.Missing(all)) > 0 {
		t.Errorf("all of the case is %v, at first it was %v", all.Points(), first.Points())
	}
	out, raised := measure(t, e, engine.OpRender, refused, false)
	if out.Kind != corpus.Raised || !raised.Has(other) || raised.Has(user) {
		t.Errorf("a role that is none: %s, reaches %v", say(out), raised.Points())
	}
	_, parsed := measure(t, e, engine.OpStream, `{"reply": "<|channel|>final<|message|>Hi<|return|>", "prefix": "", "chunks": 3}`, false)
	if !parsed.Has(place("self._finalized", "false")) {
		t.Errorf("a reply reaches %v", parsed.Points())
	}
	report, err = e.Coverage(t.Context())
	for _, s := range []coverage.Set{first, raised, parsed} {
		first.Merge(s)
	}
	if err != nil || len(report.Reached) != len(first) || len(first.Missing(report.Reached)) > 0 {
		t.Errorf("reached are %d points, of the answers %d; %v", len(report.Reached), len(first), err)
	}
	if news, answers := e.News(); len(news) != len(first) || answers != 5 {
		t.Errorf("%d answers told %d points", answers, len(news))
	}
	if news, answers := e.News(); len(news) != 0 || answers != 0 {
		t.Errorf("told twice: %d answers, %d points", answers, len(news))
	}
	e.Forget()
	_, again := measure(t, e, engine.OpRender, hello, false)
	if news, _ := e.News(); !again.Has(user) || len(again.Missing(coverage.NewSet(news...))) > 0 || len(news) != len(again) {
		t.Errorf("after all was forgotten a case reaches %v, and the news are %v", again.Points(), news)
	}
}

// An engine that was not opened with coverage says so.
func TestCoverageOff(t *testing.T) {
	e, err := shared()
	if err != nil {
		t.Fatalf("NOT RUN: %v", err)
	}
	_, err = e.(engine.Measurer).Coverage(t.Context())
	var none *engine.CoverageError
	if !errors.As(err, &none) || none.Why != "the checkpoint was not opened with coverage" {
		t.Errorf("got %v", err)
	}
	if _, points := measure(t, e.(engine.Measurer), engine.OpRender, `{"messages": []}`, true); len(points) > 0 {
		t.Errorf("points %v", points)
	}
}
