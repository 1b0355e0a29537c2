package report

import (
	"fmt"
	"strings"
)

// The exit codes of a report: those of the command.
const (
	ExitPassed = 0
	ExitFailed = 1
	ExitBroken = 3 // something could not be looked at, or the run was interrupted
)

// Fails tells whether a finding fails the run.
func (r *Report) Fails(f Finding) bool {
	switch {
	case f.Status == Known, f.Status == Old && r.Policy.NewOnly:
		return false
	}
	return f.Level == Error || f.Level == Warning && r.Policy.Strict
}

// Failed tells whether the run has not passed: a finding fails it, something could
// not be looked at, or it was interrupted.
func (r *Report) Failed() bool { return r.ExitCode() != ExitPassed }

// ExitCode is what the run means for whoever waits for it: [ExitPassed],
// [ExitFailed] or [ExitBroken]. What could not be looked at counts before what was
// found.
func (r *Report) ExitCode() int {
	if r.Interrupted || len(r.NotChecked) > 0 {
		return ExitBroken
	}
	for _, f := range r.Findings {
		if r.Fails(f) {
			return ExitFailed
		}
	}
	return ExitPassed
}

// Counts are numbers of findings.
type Counts struct {
	Errors, Warnings, Notes int
	// Failing are those that fail the run; Old and Known what the lists have.
	Failing, Old, Known int
}

// count counts the findings of which holds is true; nil is all of them.
func (r *Report) count(holds func(Finding) bool) Counts {
	var n Counts
	for _, f := range r.Findings {
		if holds != nil && !holds(f) {
			continue
		}
		switch f.Level {
		case Error:
			n.Errors++
		case Warning:
			n.Warnings++
		case Note:
			n.Notes++
		}
		switch f.Status {
		case Old:
			n.Old++
		case Known:
			n.Known++
		}
		if r.Fails(f) {
			n.Failing++
		}
	}
	return n
}

// Counts counts all findings.
func (r *Report) Counts() Counts { return r.count(nil) }

// String says the numbers in words: "2 errors, 1 warning (1 old)".
func (n Counts) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
	}{{n.Errors, "error"}, {n.Warnings, "warning"}, {n.Notes, "note"}} {
		if p.n > 0 {
			parts = append(parts, plural(p.n, p.noun))
		}
	}
	out := strings.Join(parts, ", ")
	if out == "" {
		out = "no findings"
	}
	var lists []string
	if n.Old > 0 {
		lists = append(lists, fmt.Sprintf("%d old", n.Old))
	}
	if n.Known > 0 {
		lists = append(lists, fmt.Sprintf("%d known", n.Known))
	}
	if len(lists) > 0 {
		out += " (" + strings.Join(lists, ", ") + ")"
	}
	return out
}

// Verdict is the run in one line.
func (r *Report) Verdict() string {
	word := "passed"
	switch r.ExitCode() {
	case ExitFailed:
		word = "failed"
	case ExitBroken:
		word = "not finished"
		if !r.Interrupted {
			word = "could not look at everything"
		}
	}
	n := r.Counts()
	line := r.Verb + " " + word + ": " + n.String()
	if n.Failing > 0 && n.Failing < len(r.Findings) {
		line += fmt.Sprintf("; failing: %d", n.Failing)
	}
	if len(r.NotChecked) > 0 {
		line += fmt.Sprintf("; %s not checked", plural(len(r.NotChecked), "thing"))
	}
	return line
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
