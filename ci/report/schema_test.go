package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/beamdiff/beamdiff/corpus"
)

// compile makes a schema of its text.
func compile(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// against validates a document, after change has damaged it.
func against(s *jsonschema.Schema, text []byte, change func(doc map[string]any)) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	if change != nil {
		change(doc.(map[string]any))
	}
	return s.Validate(doc)
}

func TestJSONSchema(t *testing.T) {
	text, err := os.ReadFile("../schema/findings.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	schema := compile(t, text)
	for _, r := range []*Report{fixture(), {Verb: "check"}, {Verb: "gate", Interrupted: true, NotChecked: []string{"x"}}} {
		var b bytes.Buffer
		if err := r.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		if err := against(schema, b.Bytes(), nil); err != nil {
			t.Error(err)
		}
		if err := against(schema, b.Bytes(), func(doc map[string]any) { doc["more"] = 1 }); err == nil {
			t.Error("the schema takes a key that it does not know")
		}
		if err := against(schema, b.Bytes(), func(doc map[string]any) { delete(doc, "exit") }); err == nil {
			t.Error("the schema does not miss a key")
		}
	}
}

// The official schema of SARIF 2.1.0 (OASIS, errata 01) stands as a constant in a
// module that is fetched here, with its hash, and not otherwise used.
const (
	sarifModule = "github.com/owenrumney/go-sarif/v3@v3.3.1"
	sarifSum    = "h1:bKY8YnWcY8zYTiGVObC5wZLlfEvMkCxK9XMGXBbzEtQ="
	sarifFile   = "pkg/report/v210/sarif/schema.go"
)

var officialSARIF = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "sarif")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("go", "mod", "download", "-json", sarifModule)
	cmd.Dir = dir // outside this module: its go.mod is not touched
	out, err := cmd.Output()
	var module struct{ Dir, Sum, Error string }
	if bad := json.Unmarshal(out, &module); bad != nil || module.Error != "" {
		return nil, fmt.Errorf("go mod download %s: %v %s", sarifModule, err, module.Error)
	}
	if module.Sum != sarifSum {
		return nil, fmt.Errorf("%s has the sum %s, not %s", sarifModule, module.Sum, sarifSum)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(module.Dir, filepath.FromSlash(sarifFile)), nil, 0)
	if err != nil {
		return nil, err
	}
	var schema string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING && len(lit.Value) > len(schema) {
			schema, err = strconv.Unquote(lit.Value)
		}
		return err == nil
	})
	if !strings.Contains(schema, `"`+sarifSchema+`"`) {
		return nil, fmt.Errorf("%s does not hold the schema %s (%v)", sarifFile, sarifSchema, err)
	}
	return []byte(schema), nil
})

func TestSARIFSchema(t *testing.T) {
	text, err := officialSARIF()
	if err != nil {
		t.Fatalf("NOT RUN: the official schema cannot be had: %v", err)
	}
	schema := compile(t, text)
	many := fixture()
	many.NotChecked, many.Interrupted = []string{"the masks"}, true
	for _, r := range []*Report{fixture(), {Verb: "check"}, many} {
		var b bytes.Buffer
		if err := r.WriteSARIF(&b); err != nil {
			t.Fatal(err)
		}
		if err := against(schema, b.Bytes(), nil); err != nil {
			t.Error(err)
		}
	}
	var b bytes.Buffer
	if err := fixture().WriteSARIF(&b); err != nil {
		t.Fatal(err)
	}
	run := func(doc map[string]any) map[string]any { return doc["runs"].([]any)[0].(map[string]any) }
	result := func(doc map[string]any) map[string]any { return run(doc)["results"].([]any)[0].(map[string]any) }
	for name, damage := range map[string]func(map[string]any){
		"version":  func(doc map[string]any) { doc["version"] = "2.0.0" },
		"tool":     func(doc map[string]any) { delete(run(doc), "tool") },
		"level":    func(doc map[string]any) { result(doc)["level"] = "fatal" },
		"baseline": func(doc map[string]any) { result(doc)["baselineState"] = "old" },
		"unknown":  func(doc map[string]any) { result(doc)["rule"] = "x" },
		"line": func(doc map[string]any) {
			place := result(doc)["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)
			place["region"].(map[string]any)["startLine"] = 0
		},
	} {
		if err := against(schema, b.Bytes(), damage); err == nil {
			t.Errorf("%s: the schema takes the damaged report", name)
		}
	}
}

// What the standard asks of a result beyond its schema: its rule stands in the table
// at its index, and if one result tells of a baseline, all do.
func TestSARIFRules(t *testing.T) {
	var b bytes.Buffer
	if err := fixture().WriteSARIF(&b); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	prints := map[string]bool{}
	for _, res := range run.Results {
		if run.Tool.Driver.Rules[res.RuleIndex].ID != res.RuleID || res.Baseline == "" || len(res.Locations) == 0 {
			t.Errorf("result of %s: rule %d, baseline %q, %d locations", res.RuleID, res.RuleIndex, res.Baseline, len(res.Locations))
		}
		prints[res.Fingerprints["beamdiffCause/v1"]] = true
	}
	if len(prints) != len(run.Results) {
		t.Errorf("%d results have %d fingerprints", len(run.Results), len(prints))
	}
	at := run.Results[0].Locations[0].Physical
	if at.Artifact.URI != "models/new/chat:template%7C%60%27%22.jinja" || at.Region.StartLine != 12 {
		t.Errorf("the location is %q, line %d", at.Artifact.URI, at.Region.StartLine)
	}
	plain := &Report{Findings: []Finding{{Rule: "a/b", Level: Error, Signature: "s", Message: "m"}}, Rules: []Rule{{ID: "a/b"}}}
	for _, list := range []struct {
		status Status
		tells  bool
	}{{"", false}, {Known, false}, {Old, true}} { // no list, one of known findings, a baseline; each of another finding
		if list.status != "" {
			(&Baseline{}).Mark(plain, list.status, corpus.Date{})
		}
		b.Reset()
		if err := plain.WriteSARIF(&b); err != nil || strings.Contains(b.String(), `"baselineState": "new"`) != list.tells {
			t.Errorf("after a list of status %q (%v):\n%s", list.status, err, b.String())
		}
	}
}

// junitShape is what the schema that CI systems share (the one of Jenkins' xUnit
// plugin) lets stand where: for each element its attributes and its children.
var junitShape = map[string]struct{ attributes, must, children []string }{
	"testsuites": {[]string{"name", "tests", "failures", "errors", "time", "disabled"}, nil, []string{"testsuite"}},
	"testsuite":  {[]string{"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package"}, []string{"name", "tests"}, []string{"testcase", "properties", "system-out", "system-err"}},
	"testcase":   {[]string{"name", "classname", "time", "assertions", "status", "file", "line"}, []string{"name", "classname"}, []string{"skipped", "error", "failure", "system-out", "system-err"}},
	"skipped":    {[]string{"message", "type"}, nil, nil},
	"failure":    {[]string{"message", "type"}, []string{"type"}, nil},
	"error":      {[]string{"message", "type"}, []string{"type"}, nil},
	"system-out": {},
}

// junitFaults says what of a document is not of that shape, or does not add up.
func junitFaults(text []byte) (faults []string) {
	dec := xml.NewDecoder(bytes.NewReader(text))
	var open []string
	counted := map[string]int{}
	var suite map[string]int
	for {
		tok, err := dec.Token()
		if err != nil {
			if err.Error() != "EOF" {
				faults = append(faults, err.Error())
			}
			break
		}
		switch e := tok.(type) {
		case xml.StartElement:
			name := e.Name.Local
			shape, known := junitShape[name]
			if !known || len(open) == 0 && name != "testsuites" || len(open) > 0 && !slices.Contains(junitShape[open[len(open)-1]].children, name) {
				faults = append(faults, fmt.Sprintf("%s in %v", name, open))
			}
			has := map[string]string{}
			for _, a := range e.Attr {
				has[a.Name.Local] = a.Value
				if !slices.Contains(shape.attributes, a.Name.Local) {
					faults = append(faults, name+" has "+a.Name.Local)
				}
			}
			for _, must := range shape.must {
				if has[must] == "" {
					faults = append(faults, name+" lacks "+must)
				}
			}
			if name == "testsuite" {
				suite = map[string]int{}
				for _, n := range []string{"tests", "failures", "errors", "skipped"} {
					suite[n], _ = strconv.Atoi(has[n])
				}
				counted = map[string]int{}
			}
			counted[name]++
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
			if e.Name.Local == "testsuite" && (suite["tests"] != counted["testcase"] || suite["failures"] != counted["failure"] ||
				suite["errors"] != counted["error"] || suite["skipped"] != counted["skipped"]) {
				faults = append(faults, fmt.Sprintf("the suite says %v and holds %v", suite, counted))
			}
		}
	}
	return faults
}

func TestJUnitShape(t *testing.T) {
	several := &Report{Verb: "check", Rules: fixture().Rules, NotChecked: []string{"why " + nasty}, Interrupted: true,
		Subjects: []Subject{{Role: "a", Name: "a"}, {Role: "b", Name: "b"}}, Findings: []Finding{{Subject: "b", Rule: "mask/stop", Level: Error, Signature: "s", Message: nasty},
			{Rule: "reply/cut", Level: Error, Signature: "t", Message: "nobody's"}, {Subject: "c", Rule: "reply/cut", Level: Warning, Signature: "u", Message: "a stranger's"}}}
	var last []byte
	for _, r := range []*Report{fixture(), {Verb: "check"}, several} {
		var b bytes.Buffer
		if err := r.WriteJUnit(&b); err != nil {
			t.Fatal(err)
		}
		last = b.Bytes()
		if faults := junitFaults(last); len(faults) > 0 {
			t.Errorf("%s\n%s", strings.Join(faults, "\n"), last)
		}
	}
	for _, message := range []string{"nobody&#39;s", "a stranger&#39;s"} {
		if n := bytes.Count(last, []byte("<testcase name=\"reply/cut: "+message)); n != 1 {
			t.Errorf("%s is told %d times:\n%s", message, n, last)
		}
	}
	for _, damage := range [][2]string{{`failures="1"`, `failures="2"`}, {"testcase", "case"}, {` type="error"`, ""}, {`classname=`, `class=`}, {"]]&gt;", "\x00"}, {"]]&gt;", "\x1b"}} {
		if bad := bytes.ReplaceAll(last, []byte(damage[0]), []byte(damage[1])); len(junitFaults(bad)) == 0 {
			t.Errorf("%q for %q is not noticed", damage[1], damage[0])
		}
	}
}
