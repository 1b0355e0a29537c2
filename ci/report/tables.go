package report

import (
	"bytes"
	"fmt"
	"slices"
)

// tally is what came of one rule, or of one subject.
type tally struct {
	name string
	Counts
	// subjects are how many have a finding of the rule, wrong how many an error; cases
	// are how many cases met one.
	subjects, wrong, cases int
}

// byRule tallies the findings of each rule that was broken, in the order of the
// rules.
func (r *Report) byRule() []tally {
	ids := make([]string, 0, len(r.Rules))
	for _, u := range r.Rules {
		ids = append(ids, u.ID)
	}
	return r.tallies(ids, func(f Finding) string { return f.Rule })
}

// bySubject tallies the findings of each subject that has some, in their order.
func (r *Report) bySubject() []tally {
	var names []string
	for _, s := range r.Subjects {
		names = append(names, s.Role)
	}
	return r.tallies(names, func(f Finding) string { return f.Subject })
}

func (r *Report) tallies(names []string, of func(Finding) string) []tally {
	var out []tally
	index := map[string]int{}
	add := func(name string) int {
		if _, has := index[name]; !has {
			index[name] = len(out)
			out = append(out, tally{name: name})
		}
		return index[name]
	}
	for _, n := range names {
		add(n)
	}
	subjects, wrong := map[[2]string]bool{}, map[[2]string]bool{}
	for _, f := range r.Findings {
		t := &out[add(of(f))]
		one := Report{Policy: r.Policy, Findings: []Finding{f}}
		n := one.Counts()
		t.Errors += n.Errors
		t.Warnings += n.Warnings
		t.Notes += n.Notes
		t.Failing += n.Failing
		t.Old += n.Old
		t.Known += n.Known
		t.cases += len(f.Cases)
		key := [2]string{of(f), f.Subject}
		if !subjects[key] {
			subjects[key] = true
			t.subjects++
		}
		if f.Level == Error && !wrong[key] {
			wrong[key] = true
			t.wrong++
		}
	}
	return slices.DeleteFunc(out, func(t tally) bool { return t.Counts == Counts{} })
}

// tables writes the numbers of a run over many subjects.
func (r *Report) tables(b *bytes.Buffer) {
	broken := r.bySubject()
	fmt.Fprintf(b, "%s, %d with findings\n\n", plural(len(r.Subjects), "subject"), len(broken))
	fmt.Fprintf(b, "%8s %8s %8s %8s %8s  %s\n", "subjects", "in error", "errors", "warnings", "notes", "rule")
	for _, t := range r.byRule() {
		fmt.Fprintf(b, "%8d %8d %8d %8d %8d  %s\n", t.subjects, t.wrong, t.Errors, t.Warnings, t.Notes, t.name)
	}
	fmt.Fprintf(b, "\n%8s %8s %8s  %s\n", "errors", "warnings", "notes", "subject")
	for _, t := range broken {
		fmt.Fprintf(b, "%8d %8d %8d  %s\n", t.Errors, t.Warnings, t.Notes, oneLine(t.name))
	}
}
