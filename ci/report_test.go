package ci

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// manyKinds is a report with every kind of verdict in it.
func manyKinds(t *testing.T) *Report {
	cases := casesOf(t, `[
		{"id": "a/same", "kind": "render", "messages": [], "want": {"value": "x"}},
		{"id": "a/differs", "kind": "render", "messages": [], "domain": "documented", "want": {"value": "Effort: 32\n\n<|end|>"}},
		{"id": "a/error", "kind": "render", "messages": []},
		{"id": "a/raises", "kind": "render", "messages": []},
		{"id": "a/both-raise", "kind": "render", "messages": []},
		{"id": "a/must-raise", "kind": "render", "messages": [], "want": {"error": {"class": "TemplateError", "message": "no"}}},
		{"id": "b/failed", "kind": "render", "messages": []},
		{"id": "b/cannot", "kind": "render", "messages": [], "format": "other"},
		{"id": "b/known", "kind": "render", "messages": []},
		{"id": "b/nan", "kind": "parse", "reply": "x", "prefix": ""},
		{"id": "b/decision", "kind": "render", "messages": [], "domain": "undocumented", "decision": "content-parts"},
		{"id": "b/depends", "kind": "render", "messages": [], "domain": "undocumented", "decision": "call-content"},
		{"id": "b/open", "kind": "render", "messages": [], "domain": "undocumented", "decision": "effort"},
		{"id": "b/settled", "kind": "render", "messages": [], "domain": "undocumented", "decision": "tool-name"},
		{"id": "b/left", "kind": "render", "messages": [], "domain": "undocumented", "decision": "tool-name"},
		`+strings.Replace(parseAnswer, `"answer"`, `"b/unstable"`, 1)+`,
		{"id": "b/recipe", "kind": "render", "messages": [], "checkpoint": "gpt-oss"}]`)
	for i := range cases {
		cases[i].Suite, _, _ = strings.Cut(cases[i].ID, "/")
		cases[i].Input.Set("is", value.String(cases[i].ID)) // so that the fakes know what is asked
	}
	type pair struct{ native, reference corpus.Outcome }
	answers := map[string]pair{
		"a/same":       {okText("x"), okText("x")},
		"a/differs":    {okText("Effort: 32\n\n<|end|>"), okText("Effort:\u00a032\n\n<|end|>")},
		"a/error":      {raising("TemplateError", "it's bad"), raising("TemplateError", "it’s bad")},
		"a/raises":     {okText("fine"), raising("ValueError", "two\nlines")},
		"a/both-raise": {raising("TemplateError", "no"), raising("TemplateError", "no")},
		"a/must-raise": {raising("TemplateError", "no"), raising("TemplateError", "no")},
		"b/failed":     {okText("x"), corpus.Outcome{Kind: corpus.Failed, Why: "crashed: signal: killed", Offset: -1}},
		"b/cannot":     {corpus.Outcome{Kind: corpus.Cannot, Why: "renders beam only", Offset: -1}, okText("x")},
		"b/known":      {okText("x"), okText("y")},
		"b/nan":        {okValue(jsonOf(t, `{"a": NaN}`)), okValue(jsonOf(t, `{"a": "\ud800"}`))},
		"b/decision":   {okText("ab"), okText("a\nb")},
		"b/depends":    {okText("ab"), okText("a\nb")}, // on the decision before
		"b/open":       {okText("ab"), okText("a b")},
		"b/settled":    {okText("ab"), okText("a  b")},
		"b/left":       {okText("ab"), okText("zz")},
	}
	side := func(name string, choose func(pair) corpus.Outcome, others engine.Engine) *fake {
		return &fake{name, able, func(r engine.Request) corpus.Outcome {
			id, _ := r.Case.Get("is")
			s, _ := id.AsString()
			if p, ok := answers[s]; ok {
				o := choose(p)
				if r.Op == engine.OpStream {
					o.Value = object("initial", value.List(), "feeds", value.List(), "final", value.List(), "message", o.Value)
				}
				return o
			}
			return others.Do(t.Context(), r)
		}}
	}
	left := &decider{*side("native", func(p pair) corpus.Outcome { return p.native }, native())}
	left.info = engine.Info{Versions: []engine.Version{{Name: "go", Version: "go1.99"}}, Checkpoint: "some/model", CheckpointHash: strings.Repeat("0f", 32),
		Formats: []string{"beam"}, Abilities: []string{"render", "parse"}}
	right := side("reference", func(p pair) corpus.Outcome { return p.reference }, unstable("x"))
	right.info = engine.Info{Versions: []engine.Version{{Name: "python", Version: "3.14.6"}, {Name: "transformers", Version: "5.24.0"}},
		Checkpoint: "some/model", CheckpointHash: strings.Repeat("0f", 32), Formats: []string{"*"}, Abilities: able.Abilities, Notes: []string{"the tokenizer is lent"}}
	known, err := corpus.DecodeKnown([]byte(`
		[[known]]
		id = "x-is-y"
		cases = ["b/known"]
		engines = ["native", "reference"]
		verdict = "value differs"
		outcomes = [['{"value": "x"}', '{"value": "y"}']]
		reason = "for this test"
		link = "none"
		owner = "ci"
		expires = 2026-01-31
		[[known]]
		id = "stale"
		cases = ["a/same"]
		engines = ["native", "reference"]
		verdict = "value differs"
		outcomes = [['{"value": "x"}', '{"value": "y"}']]
		reason = "for this test"
		link = "none"
		owner = "ci"
		expires = 2099-01-31
		`), "known.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{Engines: []engine.Engine{left, right}, Cases: cases, Known: known, Seed: 7, Today: "2026-11-30", Jobs: 1}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	diff := &diffVerb{Seed: 7, Cases: []string{"my cases/"}, limitFlags: limitFlags{Timeout: defaultTimeout, Memory: defaultMemory}}
	return &Report{Result: res, Version: "v1.2.3", Command: func(id string) string { return diff.repeat(goRun, id) }}
}

// decider is a fake that can decide content-parts otherwise.
type decider struct{ fake }

func (*decider) Choices(name string) []string {
	return map[string][]string{"content-parts": {"refuse", "lines"}, "effort": {"refuse"}, "tool-name": {"write"}}[name]
}

func (d *decider) Decide(_, choice string) (engine.Engine, error) {
	return saying("native", okText(map[string]string{"lines": "a\nb", "write": "a  b"}[choice])), nil
}

// The reports are exact bytes, in testdata; -update writes them.
func TestReports(t *testing.T) {
	report := manyKinds(t)
	for _, tt := range []struct {
		file    string
		verbose bool
		write   func(*bytes.Buffer) error
	}{
		{"report.txt", false, func(b *bytes.Buffer) error { return report.WriteText(b) }},
		{"report_verbose.txt", true, func(b *bytes.Buffer) error { return report.WriteText(b) }},
		{"report.json", false, func(b *bytes.Buffer) error { return report.WriteJSON(b) }},
		{"report.xml", false, func(b *bytes.Buffer) error { return report.writer("junit")(b) }},
		{"report.sarif", false, func(b *bytes.Buffer) error { return report.writer("sarif")(b) }},
		{"report.md", false, func(b *bytes.Buffer) error { return report.writer("markdown")(b) }},
	} {
		t.Run(tt.file, func(t *testing.T) {
			report.Verbose = tt.verbose
			var got bytes.Buffer
			if err := tt.write(&got); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", tt.file)
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				at := firstDifference(got.String(), string(want))
				t.Errorf("differs at byte %d:\ngot  %s\nwant %s", at, window(got.String(), at), window(string(want), at))
			}
		})
	}
}

func reportSchema(t *testing.T) *jsonschema.Schema { return schemaOf(t, ReportSchema) }

func schemaOf(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(t *testing.T, schema *jsonschema.Schema, report []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(doc)
}

// The JSON report fits its schema, which allows nothing else.
func TestReportSchema(t *testing.T) {
	var b bytes.Buffer
	if err := manyKinds(t).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	schema := reportSchema(t)
	if err := validate(t, schema, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][2]string{
		{`"report": 1`, `"report": 2`},
		{`"exit": 3`, `"exit": 7`},
		{`"verdict": "engine failed"`, `"verdict": "engine broke"`},
		{`"feeds": 0`, `"feeds": 0, "more": 1`},
		{`"known": "x-is-y"`, `"known": 1`},
	} {
		if !bytes.Contains(b.Bytes(), []byte(edit[0])) {
			t.Fatalf("the report has no %s", edit[0])
		}
		if validate(t, schema, bytes.Replace(b.Bytes(), []byte(edit[0]), []byte(edit[1]), 1)) == nil {
			t.Errorf("the schema allows %s", edit[1])
		}
	}
}

func TestQuoteArg(t *testing.T) {
	for in, want := range map[string]string{"a/b-c": "a/b-c", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "**": "'**'", "x=./y": "x=./y"} {
		if got := quoteArg(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// What an engine says of itself cannot move the terminal on which it is read.
func TestReportIsPrintable(t *testing.T) {
	const esc = "\x1b[2J\x9b\r"
	left := saying("a", corpus.Outcome{Kind: corpus.Cannot, Why: "no " + esc, Offset: -1})
	right := saying("b", corpus.Outcome{Kind: corpus.Failed, Why: "crashed " + esc, Offset: -1})
	left.info.Notes, left.info.Versions = []string{"note " + esc}, []engine.Version{{Name: esc, Version: esc}}
	r := &Runner{Engines: []engine.Engine{left, right, native()}, Cases: casesOf(t, renderHello+"}")}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := (&Report{Result: res}).WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\r") || strings.Contains(b.String(), "\x9b") {
		t.Errorf("%q", b.String())
	}
	for _, want := range []string{`no \u001b[2J\x9b\r`, `crashed \u001b[2J\x9b\r`, `note: note \u001b[2J`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}
