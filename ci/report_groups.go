package ci

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
)

// group is a heading with the ids of the cases under it.
type group struct {
	name string
	ids  []string
}

// under adds an id to the group of a name, which is made where there is none.
func under(groups []group, name, id string) []group {
	for i := range groups {
		if groups[i].name == name {
			if !slices.Contains(groups[i].ids, id) {
				groups[i].ids = append(groups[i].ids, id)
			}
			return groups
		}
	}
	return append(groups, group{name, []string{id}})
}

// grouped writes a line for each group, under what they are of; nothing where
// there is none.
func (r *Report) grouped(b *bytes.Buffer, of string, groups []group) {
	if len(groups) == 0 {
		return
	}
	hint := " (-v shows each)"
	if r.Verbose {
		hint = ""
	}
	fmt.Fprintf(b, "\n%s%s:\n", of, hint)
	for _, g := range groups {
		fmt.Fprintf(b, "  %s: %s (%s)\n", g.name, count(len(g.ids), "case"), some(g.ids))
	}
}

// passing tells of the cases that are not the same and fail nothing: one line
// for each reason, or for reasons that cases have together, so that the numbers
// add up to those of the table; under Verbose each case in full.
func (r *Report) passing(b *bytes.Buffer) {
	var groups []group
	for _, c := range r.Cases {
		if c.Fails() {
			continue
		}
		var names []string
		for _, v := range shown(c) {
			if name := passes(v); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			groups = under(groups, strings.Join(names, " and "), c.Case.ID)
		}
	}
	r.grouped(b, "Not the same, and not failing the run", groups)
	if !r.Verbose {
		return
	}
	for _, c := range r.Cases {
		if !c.Fails() && len(shown(c)) > 0 {
			r.difference(b, c, nil)
		}
	}
}

// passes names a verdict that fails nothing, in one line.
func passes(v Verdict) string {
	switch v.Kind {
	case corpus.Known:
		return "known difference " + v.KnownID
	case corpus.Unstable:
		return "unstable " + v.Left
	}
	name := v.Pair() // a difference that fails nothing
	if v.Kind == corpus.CannotSay {
		name = v.Left
		if v.LeftOutcome.Kind != corpus.Cannot {
			name = v.Right
		}
	}
	name += " " + string(v.Kind)
	if what, _, _ := strings.Cut(v.What, "\n"); what != "" {
		name += " (" + what + ")"
	}
	return name
}

// decisions tells the differences of open decisions: one line for each option
// that settles some, and one for each decision that no option settles.
func (r *Report) decisions(b *bytes.Buffer) {
	if len(r.Decisions) == 0 {
		return
	}
	type line struct {
		option  string // as it is given, "" where none settles any
		names   []string
		ids     []string
		settles int
	}
	var lines []line
	for _, d := range r.Decisions {
		option := ""
		for _, setting := range d.Settings {
			option += " --decide " + setting
		}
		i := slices.IndexFunc(lines, func(l line) bool { return l.option == option && option != "" })
		if i < 0 {
			i = len(lines)
			lines = append(lines, line{option: option})
		}
		l := &lines[i]
		l.names, l.ids, l.settles = append(l.names, d.Decision), append(l.ids, d.Cases...), l.settles+d.Settles
	}
	b.WriteString("\nDifferences that depend on an open decision of the checkpoint (-v shows each):\n")
	for _, l := range lines {
		names, cases := strings.Join(l.names, ", "), fmt.Sprintf("%s (%s)", count(len(l.ids), "case"), some(l.ids))
		switch {
		case l.option == "":
			fmt.Fprintf(b, "  no choice settles %s: %s\n", names, cases)
		case l.settles < len(l.ids):
			fmt.Fprintf(b, " %s settles %d of %s of %s\n", l.option, l.settles, cases, names)
		default:
			fmt.Fprintf(b, " %s settles %s of %s\n", l.option, cases, names)
		}
	}
}

// raised tells of the cases without a want in which every engine raised, and the
// same: nothing but the error was compared, and a misspelt role or a forgotten
// prefix would pass for an agreement. Each error comes with its cases.
func (r *Report) raised(b *bytes.Buffer) {
	var groups []group
	n := 0
	for _, c := range r.Cases {
		raised := c.Case.Want == nil && len(c.Outcomes) > 1 && c.Kind() == corpus.Same
		for _, a := range c.Outcomes {
			raised = raised && a.Outcome.Kind == corpus.Raised
		}
		if raised {
			n++
			last := c.Outcomes[len(c.Outcomes)-1].Outcome
			said, _, _ := strings.Cut(last.Class+": "+last.Message, "\n")
			groups = under(groups, said, c.Case.ID)
		}
	}
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s without a want in which every engine raised; nothing but the error was compared:\n", count(n, "case"))
	for _, g := range groups {
		ids := some(g.ids)
		if r.Verbose {
			ids = strings.Join(g.ids, ", ")
		}
		fmt.Fprintf(b, "  %s: %s\n", ids, g.name)
	}
}
