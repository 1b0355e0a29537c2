package ci

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// FindingsSchema is the JSON schema of the reports of check and gate.
//
//go:embed schema/findings.schema.json
var FindingsSchema []byte

// Findings tells the result as findings do: a rule for each suite, a finding for
// each case that is not the same, and one for each known difference that does not
// hold. Its exit code is the result's.
func (r *Report) Findings() *report.Report {
	out := &report.Report{Verb: "diff", Version: r.Version, Interrupted: r.Interrupted, Verbose: r.Verbose}
	for _, e := range r.Engines {
		name := e.Name
		if e.Checkpoint != "" {
			name += " of " + e.Checkpoint
		}
		out.Subjects = append(out.Subjects, report.Subject{Role: e.Name, Name: name + ", " + versions(e), Hash: e.CheckpointHash})
	}
	for _, s := range r.Suites() {
		out.Rules = append(out.Rules, report.Rule{ID: suiteRule(s.Name), Level: report.Error, Asked: s.Cases, Held: s.Same,
			Title: "Every engine answers the cases of " + cmp.Or(s.Name, "the run") + " alike, and as their wants say"})
	}
	for _, c := range r.Cases {
		for _, v := range shown(c) {
			r.finding(out, c, v)
		}
	}
	r.knownFindings(out)
	for _, n := range r.NotRun {
		out.Notes = append(out.Notes, fmt.Sprintf("not run: %s: %s", n.ID, n.Why))
	}
	return out
}

func suiteRule(suite string) string { return "diff/" + cmp.Or(suite, "cases") }

// finding adds a verdict that is not "same". An engine that failed is no finding
// but something that could not be looked at.
func (r *Report) finding(out *report.Report, c CaseResult, v Verdict) {
	if v.Kind == corpus.EngineFailed {
		out.NotChecked = append(out.NotChecked, fmt.Sprintf("%s: %s: %s: %s", c.Case.ID, v.Pair(), v.Kind, v.What))
		return
	}
	f := report.Finding{Rule: suiteRule(c.Case.Suite), Level: report.Error, Status: report.New, Cases: []string{c.Case.ID},
		Signature: fmt.Sprintf("%s %s %s", c.Case.ID, v.Pair(), v.Kind)}
	if v.Left != v.Right {
		f.Message = fmt.Sprintf("%s: %s: %s", c.Case.ID, v.Pair(), v.Kind)
	} else {
		f.Message = fmt.Sprintf("%s: %s %s", c.Case.ID, v.Kind, v.Left)
	}
	if what, _, _ := strings.Cut(v.What, "\n"); what != "" {
		f.Message += " (" + what + ")"
	}
	switch {
	case v.KnownID != "":
		f.Status, f.Known = report.Known, "known difference "+v.KnownID
	case !v.Fails && v.Kind == corpus.Unstable:
		f.Level = report.Warning
	case !v.Fails:
		f.Level = report.Note
	}
	f.Smallest = &report.Witness{Case: c.Case.ID, Input: value.Dumps(c.Case.Input.Value())}
	if r.Command != nil {
		f.Smallest.Command = r.Command(c.Case.ID)
	}
	if w := v.Where; w != nil {
		f.Smallest.At = place(c.Case, w)
		f.Smallest.Sides = []report.Side{{Name: v.Left, Text: w.Left}, {Name: v.Right, Text: w.Right}}
	}
	out.Findings = append(out.Findings, f)
}

// knownFindings adds what is wrong with the lists of known differences.
func (r *Report) knownFindings(out *report.Report) {
	rule := report.ListRuleOf()
	for _, k := range r.Known {
		rule.Asked++
		if len(k.Messages) == 0 {
			rule.Held++
			continue
		}
		level := report.Warning
		if k.Fails {
			level = report.Error
		}
		out.Findings = append(out.Findings, report.Finding{Rule: rule.ID, Level: level, Status: report.New, Signature: rule.ID + " " + k.ID,
			Message: fmt.Sprintf("the known difference %s: %s", k.ID, strings.Join(k.Messages, "; ")), Cases: k.Cases})
	}
	if rule.Asked > 0 {
		out.Rules = append(out.Rules, rule)
	}
}

// writer is the way to write the report in a form, nil where there is none: text
// and JSON tell every case, the others the findings.
func (r *Report) writer(form string) func(io.Writer) error {
	switch form {
	case "text":
		return r.WriteText
	case "json":
		return r.WriteJSON
	}
	write := formOf(form)
	if write == nil {
		return nil
	}
	return func(w io.Writer) error { return write(r.Findings(), w) }
}
