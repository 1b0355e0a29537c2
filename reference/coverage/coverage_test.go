package coverage_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/reference/coverage"
)

func TestParsePoint(t *testing.T) {
	for text, want := range map[string]coverage.Place{
		"chat_template:207":           {File: "chat_template", Line: 207},
		"chat_template/tools:1.2:end": {File: "chat_template/tools", Line: 1, Branch: 2, Way: coverage.WayEnd},
		"a.py:10.1:true":              {File: "a.py", Line: 10, Branch: 1, Way: coverage.WayTrue},
	} {
		p, err := coverage.ParsePoint(text)
		if err != nil || p.Place() != want {
			t.Errorf("%s: %+v, %v", text, p.Place(), err)
		}
	}
	for _, text := range []string{"", "a", "a:", ":1", "a:0", "a:-1", "a:x", "a:1.1", "a:1:true", "a:1.0:true", "a:1.x:true", "a:1.1:yes", "a:1.1:true:true"} {
		if p, err := coverage.ParsePoint(text); err == nil {
			t.Errorf("%q is taken for %+v", text, p.Place())
		} else if !strings.Contains(err.Error(), "FILE:LINE") {
			t.Errorf("%q: the error does not say what a point is: %v", text, err)
		}
	}
}

func TestSet(t *testing.T) {
	s := coverage.NewSet("a:1", "a:2")
	if got := s.New("a:2", "a:3", "a:10"); !slices.Equal(got, []coverage.Point{"a:3", "a:10"}) || len(s) != 2 {
		t.Errorf("New gives %v and leaves %v", got, s)
	}
	if got := s.Add("a:3", "a:1", "a:3"); !slices.Equal(got, []coverage.Point{"a:3"}) {
		t.Errorf("Add gives %v", got)
	}
	if n := s.Merge(coverage.NewSet("a:3", "a:4")); n != 1 || !s.Has("a:4") {
		t.Errorf("Merge gives %d", n)
	}
	all := coverage.NewSet("b:1", "a:10", "a:9.1:false", "a:9.1:true", "a:9", "a:1")
	want := []coverage.Point{"a:9", "a:9.1:true", "a:9.1:false", "a:10", "b:1"}
	if got := s.Missing(all); !slices.Equal(got, want) {
		t.Errorf("Missing gives %v, want %v", got, want)
	}
}

func ExampleReport_WriteText() {
	r := coverage.Report{
		Existing: []coverage.Entry{
			{Point: "chat_template:5", Text: "{%- if content is string -%}"},
			{Point: "chat_template:5.1:true", Text: "content is string"},
			{Point: "chat_template:5.1:false", Text: "content is string"},
			{Point: "chat_template:6", Text: "{{- content -}}"},
		},
		Reached: coverage.NewSet("chat_template:5", "chat_template:5.1:false"),
	}
	r.WriteText(os.Stdout)
	// Output:
	// chat_template: 1 of 2 lines, 1 of 2 branches
	// chat_template:5.1:true  never true: content is string
	// chat_template:6         never reached: {{- content -}}
}
