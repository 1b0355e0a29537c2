package report

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// nasty are the characters that forms of a report trip over: what a terminal obeys,
// what XML cannot hold, what ends a CDATA section, a cell, a fence or a tag, what
// turns the text around it, a lone surrogate, and a byte outside UTF-8.
const nasty = "\x1b[31mred\x1b[0m \x00\x07 | `code` ``` ]]> <b> & @team \u202egnp \ufffe \xed\xa0\x80 \xff"

// fixture has one of everything, and nasty text wherever text can come from
// outside.
func fixture() *Report {
	return &Report{
		Verb: "gate", Version: "v1.2.3", Compared: true,
		Subjects: []Subject{
			{Role: "base", Name: "main:my model/" + nasty, Hash: strings.Repeat("0a", 32), Files: map[string]string{"chat_template": "models/my model/chat_template.jinja"}},
			{Role: "candidate", Name: "models/new", Hash: strings.Repeat("1b", 32), Files: map[string]string{
				"chat_template": "models/new/chat:template|`'\".jinja", "response_template": "models/new/tokenizer_config.json"}},
		},
		Rules: []Rule{
			{ID: "render/null-content", Title: "A message without content renders.", Level: Error, Help: "Clients send `null`.\n\nMend it so.", Asked: 12, Held: 10},
			{ID: "mask/stop", Title: "Masks cover the stop token.", Level: Warning, Help: nasty, Asked: 3, Held: 2},
			{ID: "reply/cut", Title: "A reply reads the same in pieces.", Level: Error, Asked: 4, Held: 4},
		},
		Findings: []Finding{
			{Rule: "render/null-content", Level: Error, Signature: "render/null-content error None leaks " + nasty, Status: New,
				Message: "the prompt holds None " + nasty, Advice: "write {% if message.content %} around it",
				Places: []Place{
					{Role: "candidate", File: "chat_template", Line: 12, Text: "\t{{ message.content }} " + nasty},
					{Role: "base", File: "chat_template", Line: 11, Text: "{{ message.content or '' }}"}},
				Cases: []string{"shapes/null", "shapes/null/2", "shapes/" + nasty, "shapes/4"},
				Smallest: &Witness{Case: "shapes/null", Input: `{"messages": [{"role": "user", "content": null}]}`, Command: "beamdiff render 'a b.json'",
					At: "the prompt, byte 98", Sides: []Side{{"base", "user:·"}, {"candidate", "user:·None" + nasty}}}},
			{Rule: "render/null-content", Level: Warning, Signature: "long", Status: Old, Known: "no reason given",
				Message: strings.Repeat("very long ä ", 400)},
			{Rule: "mask/stop", Level: Warning, Signature: "mask/stop", Status: New, Message: "two\nlines", Subject: "candidate",
				Places: []Place{{Role: "candidate", File: "response_template"}}},
			{Rule: "mask/stop", Level: Error, Signature: "mask/stop known", Status: Known, Known: "on purpose; owner me; until 2026-12-31", Message: "known",
				Places: []Place{{Role: "candidate", File: "elsewhere", Line: 3}}},
			{Rule: "mask/stop", Level: Note, Signature: "mask/stop note", Message: "for your information"},
		},
		Notes: []string{"seed 1 " + nasty},
	}
}

// forms are the five ways to write a report, by the ending of the golden file.
var forms = []struct {
	ending string
	write  func(*Report, io.Writer) error
}{
	{"txt", (*Report).WriteText},
	{"json", (*Report).WriteJSON},
	{"xml", (*Report).WriteJUnit},
	{"sarif", (*Report).WriteSARIF},
	{"md", (*Report).WriteMarkdown},
}

// Every form of the same report, byte for byte, and no form changes the report.
func TestGolden(t *testing.T) {
	for _, f := range forms {
		t.Run(f.ending, func(t *testing.T) {
			r := fixture()
			var got bytes.Buffer
			if err := f.write(r, &got); err != nil {
				t.Fatal(err)
			}
			golden(t, "report."+f.ending, got.Bytes())
			var again bytes.Buffer
			if err := f.write(r, &again); err != nil || !bytes.Equal(got.Bytes(), again.Bytes()) {
				t.Errorf("written twice it differs (%v)", err)
			}
		})
	}
}

// golden holds a file of testdata against what was written.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		at := FirstDifference(string(got), string(want))
		t.Errorf("%s differs at byte %d:\ngot  %s\nwant %s", name, at, Window(string(got), at), Window(string(want), at))
	}
}

// What a terminal or a page would obey stands in no form, whatever is in the report.
func TestNothingObeyed(t *testing.T) {
	for _, f := range forms {
		var b bytes.Buffer
		if err := f.write(fixture(), &b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if f.ending == "json" {
			text = strings.ReplaceAll(text, "\u202e", "") // exact texts: JSON's reader has to escape them
		}
		for _, bad := range []string{"\x1b", "\x00", "\x07", "\u202e", "\xed\xa0\x80", "\xff", "\r"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q stands in the report", f.ending, bad)
			}
		}
		if f.ending == "md" && (strings.Contains(text, "<b>") && !strings.Contains(text, "\n  ") || strings.Contains(strings.Split(text, "<details>")[0], "@team")) {
			t.Errorf("md: a tag or a mention is live:\n%s", text)
		}
	}
}

// An empty report is one that passed, in every form.
func TestEmpty(t *testing.T) {
	r := &Report{Verb: "check", Version: "v1.2.3"}
	for _, f := range forms {
		var b bytes.Buffer
		if err := f.write(r, &b); err != nil {
			t.Fatal(err)
		}
		if f.ending != "xml" && f.ending != "sarif" && !strings.Contains(b.String(), "check passed: no findings") {
			t.Errorf("%s does not say that it passed:\n%s", f.ending, b.String())
		}
	}
}

// A comment stays within the limit, says what it left out, and keeps what fails the
// run.
func TestMarkdownLimit(t *testing.T) {
	r := &Report{Verb: "check", Version: "v1"}
	r.Rules = []Rule{{ID: "render/x", Title: "x", Level: Error}}
	for range 400 {
		r.Findings = append(r.Findings, Finding{Rule: "render/x", Level: Warning, Signature: "w", Message: strings.Repeat("`w` ", 300)})
	}
	r.Findings = append(r.Findings, Finding{Rule: "render/x", Level: Error, Signature: "e", Message: "the one that fails"})
	for range 3000 {
		r.NotChecked = append(r.NotChecked, strings.Repeat("because ", 20))
	}
	var b bytes.Buffer
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if len(text) > markdownLimit || len(text) < markdownLimit*9/10 {
		t.Errorf("%d bytes; the limit is %d", len(text), markdownLimit)
	}
	for _, want := range []string{"the one that fails", "findings left out here for want of room", "- and ", "<sub>1 rule asked"} {
		if !strings.Contains(text, want) {
			t.Errorf("the comment does not hold %q", want)
		}
	}
}

// sweep is a report of many subjects, the later the worse.
func sweep(n int) *Report {
	r := &Report{Verb: "check", Version: "v1", Rules: []Rule{{ID: "render/x", Title: "x", Level: Error, Asked: n}, {ID: "render/y", Level: Warning}}}
	for i := range n {
		name := fmt.Sprintf("some/template-%d", i)
		r.Subjects = append(r.Subjects, Subject{Role: name, Name: name})
		for j := range i % 4 {
			r.Findings = append(r.Findings, Finding{Subject: name, Rule: "render/x", Level: []Level{Error, Warning, Note}[j], Signature: "s", Message: "m", Cases: []string{"a", "b"}})
		}
	}
	return r
}

// Of many subjects text and Markdown give numbers; under Verbose the text has the
// findings too.
func TestManySubjects(t *testing.T) {
	r := sweep(12)
	for _, ending := range []string{"txt", "md"} {
		var b bytes.Buffer
		for _, f := range forms {
			if f.ending == ending {
				if err := f.write(r, &b); err != nil {
					t.Fatal(err)
				}
			}
		}
		golden(t, "many."+ending, b.Bytes())
	}
	r.Verbose = true
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil || !strings.Contains(b.String(), "\nerror in some/template-1: render/x: m\n") {
		t.Errorf("%v: no finding in\n%s", err, b.String())
	}
	b.Reset()
	if err := sweep(5000).WriteMarkdown(&b); err != nil || b.Len() > markdownLimit || !strings.Contains(b.String(), " more; the JSON report has them all.") {
		t.Errorf("%v: %d bytes, and nothing said of what is left out", err, b.Len())
	}
}

// What JSON holds is read back, and another version of the form is refused.
func TestReadJSON(t *testing.T) {
	r := fixture().valid()
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	back, err := ReadJSON(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := back.WriteJSON(&again); err != nil || again.String() != b.String() {
		t.Errorf("read and written again, it differs (%v)", err)
	}
	for _, bad := range []string{"{}", "[", `{"findings_version": 2}`} {
		if _, err := ReadJSON([]byte(bad)); err == nil {
			t.Errorf("%s is read as a report", bad)
		}
	}
}

// What fails a run, and with which code.
func TestExitCode(t *testing.T) {
	one := func(level Level, status Status) []Finding {
		return []Finding{{Rule: "a/b", Level: level, Status: status, Signature: "s", Message: "m"}}
	}
	for _, tt := range []struct {
		name string
		r    Report
		want int
	}{
		{"nothing", Report{}, 0},
		{"error", Report{Findings: one(Error, "")}, 1},
		{"warning", Report{Findings: one(Warning, New)}, 0},
		{"strict warning", Report{Findings: one(Warning, New), Policy: Policy{Strict: true}}, 1},
		{"strict note", Report{Findings: one(Note, New), Policy: Policy{Strict: true}}, 0},
		{"old error", Report{Findings: one(Error, Old)}, 1},
		{"old error, new only", Report{Findings: one(Error, Old), Policy: Policy{NewOnly: true}}, 0},
		{"new error, new only", Report{Findings: one(Error, New), Policy: Policy{NewOnly: true}}, 1},
		{"unlisted error, new only", Report{Findings: one(Error, ""), Policy: Policy{NewOnly: true}}, 1},
		{"known error", Report{Findings: one(Error, Known)}, 0},
		{"not checked", Report{NotChecked: []string{"why"}}, 3},
		{"not checked, with an error", Report{NotChecked: []string{"why"}, Findings: one(Error, New)}, 3},
		{"interrupted", Report{Interrupted: true}, 3},
	} {
		if got := tt.r.ExitCode(); got != tt.want || tt.r.Failed() != (tt.want != 0) {
			t.Errorf("%s: exit code %d, want %d", tt.name, got, tt.want)
		}
	}
}

// A finding of a rule that nobody listed is told in every form.
func TestUnlistedRule(t *testing.T) {
	r := &Report{Verb: "check", Findings: []Finding{{Rule: "un/listed", Level: Error, Signature: "s", Message: "hidden?"}}}
	for _, f := range forms {
		var b bytes.Buffer
		if err := f.write(r, &b); err != nil || !strings.Contains(b.String(), "hidden?") {
			t.Errorf("%s (%v) does not tell of it:\n%s", f.ending, err, b.String())
		}
	}
}

// The same rule asked of two subjects is one, with both counts.
func TestAdd(t *testing.T) {
	var r Report
	r.Add(Report{Subjects: []Subject{{Role: "a"}}, Rules: []Rule{{ID: "a/b", Asked: 2, Held: 1}}, Findings: []Finding{{Subject: "a", Rule: "a/b", Level: Error}}})
	r.Add(Report{Subjects: []Subject{{Role: "b"}}, Rules: []Rule{{ID: "a/b", Asked: 3, Held: 3}, {ID: "a/c", Asked: 1}}, NotChecked: []string{"x"}, Interrupted: true})
	if len(r.Subjects) != 2 || len(r.Rules) != 2 || r.Rules[0].Asked != 5 || r.Rules[0].Held != 4 || len(r.Findings) != 1 || len(r.NotChecked) != 1 || !r.Interrupted {
		t.Errorf("added up: %+v", r)
	}
}
