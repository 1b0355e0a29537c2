package report_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
)

// found is a report with one finding.
func found() *report.Report {
	return &report.Report{
		Verb: "check", Version: "v1.0.0",
		Subjects: []report.Subject{{Name: "my-model", Files: map[string]string{"chat_template": "my-model/chat_template.jinja"}}},
		Rules:    []report.Rule{{ID: "render/no-python", Title: "No spelling of Python's gets into a prompt", Level: report.Error, Asked: 90, Held: 89}},
		Findings: []report.Finding{{
			Rule: "render/no-python", Level: report.Error, Signature: "render/no-python error None after content of assistant",
			Message: "None stands in the prompt where the content is null", Advice: "write it only where there is one",
			Places: []report.Place{{File: "chat_template", Line: 12, Text: "{{ message.content }}"}},
			Cases:  []string{"check/null-content/2"},
		}},
	}
}

func ExampleReport_WriteText() {
	r := found()
	if err := r.WriteText(os.Stdout); err != nil {
		fmt.Println(err)
	}
	fmt.Println("exit code", r.ExitCode())
	// Output:
	// beamdiff check v1.0.0
	// my-model
	//
	// error: render/no-python: None stands in the prompt where the content is null
	//   my-model/chat_template.jinja:12: {{ message.content }}
	//   1 case: check/null-content/2
	//   do: write it only where there is one
	//
	// 1 rule asked, 0 held in every case
	// check failed: 1 error
	// exit code 1
}

// What a list has fails nothing any more, and says until when.
func ExampleBaseline_Mark() {
	list, err := report.ReadBaseline(strings.NewReader(`
		[[finding]]
		signature = "render/no-python error None after content of assistant"
		rule = "render/no-python"
		reason = "mended with the next release"
		owner = "templates"
		expires = 2026-12-31
	`), "known.toml")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, today := range []corpus.Date{{Year: 2026, Month: 12, Day: 31}, {Year: 2027, Month: 1, Day: 1}} {
		r := found()
		list.Mark(r, report.Known, today)
		fmt.Println(r.Verdict())
	}
	// Output:
	// check passed: 1 error (1 known)
	// check failed: 2 errors
}
