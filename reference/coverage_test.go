package reference_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

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
	// The library keeps 128 templates; the checkpoint's is then compiled anew.
	for i := range 130 {
		measure(t, e, engine.OpRender, fmt.Sprintf(`{"messages": [{"role": "user", "content": "Hi"}], "chat_template": "%d"}`, i), false)
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

// unreachable is a line of the default checkpoint's chat template, or one way of a
// condition in it, that no case can reach.
type unreachable struct {
	Line string `toml:"line"`
	Text string `toml:"text"` // "" for the line itself
	Way  string `toml:"way"`
	Why  string `toml:"why"`
}

// checkReached holds a report against the list of what cannot be reached.
func checkReached(r coverage.Report, list []unreachable) []string {
	var faults []string
	lines := map[int]string{}
	used := make([]bool, len(list))
	for _, e := range r.Existing {
		place := e.Point.Place()
		known := unreachable{Text: e.Text, Way: place.Way}
		if place.Branch == 0 {
			lines[place.Line] = e.Text
			known.Text = ""
		}
		known.Line = lines[place.Line]
		at := slices.IndexFunc(list, func(u unreachable) bool { u.Why = ""; return u == known })
		switch reached := r.Reached.Has(e.Point); {
		case at >= 0 && reached:
			faults = append(faults, fmt.Sprintf("%s (%s) is listed and reached", e.Point, e.Text))
			fallthrough
		case at >= 0:
			used[at] = true
		case !reached:
			faults = append(faults, fmt.Sprintf("%s (%s) is reached by no case", e.Point, e.Text))
		}
	}
	for i, u := range list {
		if !used[i] || u.Why == "" {
			faults = append(faults, fmt.Sprintf("%s %s %s: it does not stand in the template, or has no reason", u.Line, u.Text, u.Way))
		}
	}
	return faults
}

// The cases of the corpus reach every line and every way of every branch of the
// default checkpoint's chat template, but for those that none can reach.
func TestTemplateIsReached(t *testing.T) {
	e := open(t, reference.Options{Workers: 2, Coverage: true}).(engine.Measurer)
	cases := slices.DeleteFunc(corpus.Embedded(), func(c corpus.Case) bool { return c.Kind == corpus.Parse || c.Checkpoint != "" })
	report, err := reference.Reach(t.Context(), e, cases)
	if err != nil {
		t.Fatal(err)
	}
	report = report.Only(func(file string) bool { return file == "chat_template" })
	var file struct {
		Unreachable []unreachable `toml:"unreachable"`
	}
	if _, err := toml.DecodeFile("unreachable.toml", &file); err != nil {
		t.Fatal(err)
	}
	for _, fault := range checkReached(report, file.Unreachable) {
		t.Error(fault)
	}
	counts := report.Counts()
	if len(counts) != 1 || counts[0].Lines < 200 || counts[0].Branches < 300 {
		t.Fatalf("the template has only %+v", counts)
	}
	text := &strings.Builder{}
	report.WriteText(text)
	t.Log(text)

	for name, change := range map[string]func(r *coverage.Report, list *[]unreachable){
		"a point that is not reached": func(r *coverage.Report, _ *[]unreachable) { delete(r.Reached, "chat_template:5") },
		"one that is listed and reached": func(r *coverage.Report, _ *[]unreachable) {
			r.Reached.Add(r.Missing()[0].Point)
		},
		"one that is not in the template": func(_ *coverage.Report, list *[]unreachable) {
			*list = append(*list, unreachable{Line: "x", Why: "y"})
		},
		"no reason": func(_ *coverage.Report, list *[]unreachable) { (*list)[0].Why = "" },
	} {
		r := coverage.Report{Existing: report.Existing, Reached: coverage.NewSet(report.Reached.Points()...)}
		list := slices.Clone(file.Unreachable)
		if change(&r, &list); len(checkReached(r, list)) == 0 {
			t.Errorf("planted: %s is not seen", name)
		}
	}
}
