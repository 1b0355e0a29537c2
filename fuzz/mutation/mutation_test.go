package mutation

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write the list of a small checkpoint's mutants")

func open(ctx context.Context, coverage bool) (engine.Engine, error) {
	return reference.Open(ctx, reference.Options{Workers: 1, Coverage: coverage, Timeout: time.Minute})
}

// python is an engine that makes mutants.
func python(t *testing.T) engine.Engine {
	t.Helper()
	e, err := open(t.Context(), false)
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// generate makes the mutants of a checkpoint.
func generate(t *testing.T, e engine.Engine, c *checkpoint.Checkpoint) []Mutant {
	t.Helper()
	mutants, err := Generate(t.Context(), e, c)
	if err != nil {
		t.Fatal(err)
	}
	return mutants
}

// The corpus kills at least 95 of 100 mutants of the default checkpoint's
// templates, and each of the rest is listed with a reason why none can. By default
// a sample is run, always the same; BEAMDIFF_MUTANTS=all runs all, a number as
// many.
func TestCorpusKills(t *testing.T) {
	all := generate(t, python(t), checkpoint.Default())
	if len(all) < 1800 {
		t.Errorf("only %d mutants", len(all))
	}
	some := Sample(all, 40)
	switch text := os.Getenv("BEAMDIFF_MUTANTS"); text {
	case "":
	case "all":
		some = all
	default:
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("BEAMDIFF_MUTANTS must be all or a number, not %q", text)
		}
		some = Sample(all, n)
	}
	r := &Runner{Open: open, Cases: Own(corpus.Embedded()), Progress: func(done, of int) {
		if done%100 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d mutants\n", done, of)
		}
	}}
	results, err := r.Run(t.Context(), some)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Equivalents()
	if err != nil {
		t.Fatal(err)
	}
	report := Check(all, results, list)
	text := &strings.Builder{}
	report.WriteText(text)
	t.Log(text)
	if len(report.Survivors)+len(report.Faults) > 0 {
		t.Error("mutants survive, or the list of equivalents is wrong")
	}
	listed := 0
	for _, e := range list {
		listed += len(e.Mutants)
	}
	if share := 1 - float64(listed)/float64(len(all)); share < 0.95 {
		t.Errorf("%d of %d mutants are listed as equivalent", listed, len(all))
	}
}

// small is a checkpoint with templates that are quickly changed in every way.
func small(t *testing.T) *checkpoint.Checkpoint {
	v, err := value.Loads(`{"start_anchor": "<", "fields": {"content": {"open_pattern": "(?P<a>x+?)[^yé]"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	return &checkpoint.Checkpoint{
		Templates: []checkpoint.Template{{Text: "é\n{%- macro m(a) -%}\n{{- a ~ '<' -}}\n{%- endmacro -%}\n" +
			"{%- for x in [1, 'a'] if x is not none and x != 1 -%}\n{{- m(x | upper) -}}{%- set y = x -%}\n{%- endfor -%}\n"}},
		ResponseTemplate: v,
	}
}

// Every mutant of a small checkpoint, by name, and what some of them look like.
func TestGenerate(t *testing.T) {
	e := python(t)
	mutants := generate(t, e, small(t))
	var ids []string
	for _, m := range mutants {
		ids = append(ids, m.ID)
	}
	if *update {
		if err := os.WriteFile("testdata/small.txt", []byte(strings.Join(ids, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/small.txt")
	if err != nil || strings.Join(ids, "\n")+"\n" != string(want) {
		t.Errorf("the mutants are\n%s\nwant\n%s", strings.Join(ids, "\n"), want)
	}
	made := map[string]Mutant{}
	for _, m := range mutants {
		if _, twice := made[m.ID]; twice {
			t.Errorf("%s is the name of two", m.ID)
		}
		made[m.ID] = m
	}
	for id, part := range map[string]string{
		"chat_template m: ~ '<' -> nothing":                                  "{{- a -}}",
		"chat_template template: 1 <-> 'a'":                                  "in ['a', 1] if",
		"chat_template template: x is not none and x != 1 -> x is not none":  "] if x is not none -%}",
		"chat_template template: x | upper -> x":                             "m(x)",
		"chat_template template: {%- set y = x -%} -> {#- -#}":               "-}}{#- -#}\n{%- endfor",
		"response_template fields.content.open_pattern: [^yé]: y -> nothing": `x+?)[^\u00e9]`,
		"response_template fields.content.open_pattern: +? -> +":             `(?P<a>x+)`,
	} {
		if text := value.Dumps(made[id].Template); !strings.Contains(text, strings.ReplaceAll(strings.Trim(value.Dumps(value.String(part)), `"`), `\\`, `\`)) {
			t.Errorf("%s is %s, without %s", id, text, part)
		}
	}
	if m := made["chat_template template: x | upper -> x"]; m.From != 6 || m.To != 6 {
		t.Errorf("the lines are %d to %d", m.From, m.To)
	}
	_, err = Generate(t.Context(), e, &checkpoint.Checkpoint{Templates: []checkpoint.Template{{Text: "{% if %}"}}})
	if err == nil || !strings.Contains(err.Error(), "chat_template: TemplateSyntaxError") {
		t.Errorf("what is no template gives %v", err)
	}
}

// A corpus with a gap lets mutants survive, and a case that is wrong without any
// change is told.
func TestRunner(t *testing.T) {
	var some []Mutant
	text := checkpoint.Default().Templates[0].Text
	for _, effort := range []string{"64", "128"} {
		changed := strings.Replace(text, ": "+effort, ": "+effort+" + 1", 1)
		if changed == text {
			t.Fatalf("the template has no effort of %s", effort)
		}
		some = append(some, Mutant{ID: effort, Of: ChatTemplate, Template: value.String(changed)})
	}
	cases := slices.DeleteFunc(Own(corpus.Embedded()), func(c corpus.Case) bool {
		return c.ID != "documentation/effort/medium" && c.ID != "documentation/parse/answer"
	})
	if len(cases) != 2 {
		t.Fatalf("%d cases", len(cases))
	}
	r := &Runner{Open: open, Cases: cases, Processes: 1}
	results, err := r.Run(t.Context(), some)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(results[0].Killer, results[0].Asked, " ", results[1].Killer, results[1].Asked)
	if got != "documentation/effort/medium1 1" {
		t.Errorf("got %s", got)
	}
	r.Cases[0].Want = &corpus.Outcome{Kind: corpus.OK, Value: value.String("x"), Offset: -1}
	if _, err = r.Run(t.Context(), some); err == nil || !strings.Contains(err.Error(), "without any change") {
		t.Errorf("a wrong case gives %v", err)
	}
}

func TestCheck(t *testing.T) {
	all := []Mutant{{ID: "killed"}, {ID: "survives"}, {ID: "equivalent"}}
	results := []Result{{Mutant: all[0], Killer: "a/b/c"}, {Mutant: all[1]}, {Mutant: all[2]}}
	r := Check(all, results, []Equivalent{{Why: "w", Mutants: []string{"equivalent"}}})
	if r.Killed != 1 || r.Equivalent != 1 || len(r.Survivors) != 1 || r.Survivors[0].ID != "survives" || len(r.Faults) > 0 {
		t.Errorf("%+v", r)
	}
	for fault, list := range map[string][]Equivalent{
		"killed: it is listed as equivalent, and a/b/c kills it": {{Why: "w", Mutants: []string{"killed"}}},
		"x: it is listed and there is no such mutant":            {{Why: "w", Mutants: []string{"x"}}},
		"survives: it is listed twice":                           {{Why: "w", Mutants: []string{"survives", "survives"}}},
		"survives: it is listed without a reason":                {{Mutants: []string{"survives"}}},
	} {
		if r := Check(all, results, list); !slices.Contains(r.Faults, fault) {
			t.Errorf("%s: the faults are %q", fault, r.Faults)
		}
	}
}

// A sample is part of the mutants in their order, and always the same.
func TestSample(t *testing.T) {
	var all []Mutant
	for i := range 100 {
		all = append(all, Mutant{ID: fmt.Sprint(i)})
	}
	some := Sample(all, 10)
	if len(some) != 10 || !slices.EqualFunc(some, Sample(all, 10), func(a, b Mutant) bool { return a.ID == b.ID }) {
		t.Errorf("%v", some)
	}
	if !slices.IsSortedFunc(some, func(a, b Mutant) int {
		return slices.IndexFunc(all, func(m Mutant) bool { return m.ID == a.ID }) - slices.IndexFunc(all, func(m Mutant) bool { return m.ID == b.ID })
	}) {
		t.Errorf("not in order: %v", some)
	}
	if got := Sample(all, 1000); len(got) != 100 {
		t.Errorf("of more than there are: %d", len(got))
	}
}
