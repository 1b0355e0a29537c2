package mutation

import (
	_ "embed"
	"fmt"
	"io"
	"slices"

	"github.com/BurntSushi/toml"
)

// Equivalent is a reason why no case can kill some mutants, and the ids of those.
type Equivalent struct {
	Why     string   `toml:"why"`
	Mutants []string `toml:"mutants"`
}

//go:embed equivalents.toml
var equivalentsData string

// Equivalents are the mutants of the default checkpoint that cannot be told from
// its templates.
func Equivalents() ([]Equivalent, error) {
	var file struct {
		Equivalent []Equivalent `toml:"equivalent"`
	}
	meta, err := toml.Decode(equivalentsData, &file)
	if err == nil && len(meta.Undecoded()) > 0 {
		err = fmt.Errorf("unknown key %s", meta.Undecoded()[0])
	}
	if err != nil {
		return nil, fmt.Errorf("mutation: equivalents.toml: %w", err)
	}
	return file.Equivalent, nil
}

// Report is what became of mutants.
type Report struct {
	Killed, Equivalent int
	// Survivors are neither killed nor listed: gaps of the corpus.
	Survivors []Mutant
	// Faults are what is wrong with the list: a mutant that is killed, that does
	// not exist, that is listed twice or without a reason.
	Faults []string
}

// Check holds results against the list. all are the mutants that were generated,
// of which the results may be a part.
func Check(all []Mutant, results []Result, list []Equivalent) Report {
	var r Report
	fault := func(format string, args ...any) { r.Faults = append(r.Faults, fmt.Sprintf(format, args...)) }
	exists := map[string]bool{}
	for _, m := range all {
		exists[m.ID] = true
	}
	listed := map[string]bool{}
	for _, e := range list {
		for _, id := range e.Mutants {
			switch {
			case !exists[id]:
				fault("%s: it is listed and there is no such mutant", id)
			case listed[id]:
				fault("%s: it is listed twice", id)
			case e.Why == "":
				fault("%s: it is listed without a reason", id)
			}
			listed[id] = true
		}
	}
	for _, result := range results {
		switch {
		case result.Killer == "" && listed[result.ID]:
			r.Equivalent++
		case result.Killer == "":
			r.Survivors = append(r.Survivors, result.Mutant)
		default:
			r.Killed++
			if listed[result.ID] {
				fault("%s: it is listed as equivalent, and %s kills it", result.ID, result.Killer)
			}
		}
	}
	return r
}

// Total is the number of mutants.
func (r *Report) Total() int { return r.Killed + r.Equivalent + len(r.Survivors) }

// WriteText writes the figures, and then a line for each survivor and fault.
func (r *Report) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%d mutants: %d killed, %d equivalent, %d survive\n", r.Total(), r.Killed, r.Equivalent, len(r.Survivors))
	for _, m := range r.Survivors {
		if m.From > 0 {
			fmt.Fprintf(w, "survives: %s (line %d)\n", m.ID, m.From)
		} else {
			fmt.Fprintf(w, "survives: %s\n", m.ID)
		}
	}
	for _, f := range slices.Sorted(slices.Values(r.Faults)) {
		fmt.Fprintf(w, "wrong: %s\n", f)
	}
}
