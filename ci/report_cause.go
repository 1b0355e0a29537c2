package ci

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
)

// fewCases is how many cases of one cause are told one by one.
const fewCases = 3

// failing tells of the failing cases. Those of one cause, where they are many,
// are told by the first of them; a template that is broken everywhere is one
// block, and not one for each case.
func (r *Report) failing(b *bytes.Buffer) {
	var told []CaseResult
	alike := map[string][]string{}
	for _, c := range r.Cases {
		if c.Fails() && (r.Verbose || !r.decided(c.Case.ID)) {
			told = append(told, c)
			alike[cause(c)] = append(alike[cause(c)], c.Case.ID)
		}
	}
	for _, c := range told {
		ids := alike[cause(c)]
		switch {
		case r.Verbose || len(ids) <= fewCases:
			r.difference(b, c, nil)
		case ids[0] == c.Case.ID:
			r.difference(b, c, ids[1:])
		}
	}
}

// others is the line for the cases that fail as the one above it does.
func others(ids []string) string {
	return fmt.Sprintf("  and in the same way %s (-v shows each): %s\n", count(len(ids), "more case", "more cases"), some(ids))
}

// listIndex is a place in a list, in a JSON path or in a text that names one.
var listIndex = regexp.MustCompile(`\[\d+\]`)

// cause names why a case fails: the pairs, their verdicts and the shapes of the
// paths; of errors the judge's, else the other side's; of values what stands where
// they part, on both sides. Cases with one cause need be told once.
func cause(c CaseResult) string {
	var parts []string
	for _, v := range shown(c) {
		what, _, _ := strings.Cut(v.What, "\n")
		part := v.Pair() + " " + string(v.Kind) + " " + what
		if v.Kind == corpus.ErrorDiffers {
			part += " " + raisedBy(v)
		} else if v.Where != nil {
			part += " " + v.Where.Path + " " + v.Where.Left + " " + v.Where.Right
		}
		parts = append(parts, listIndex.ReplaceAllString(part, "[]"))
	}
	return strings.Join(parts, "\n")
}

// raisedBy is the error of the right side, where it raised one, else of the left:
// a judge that raises the same everywhere is one cause, whatever the others say.
func raisedBy(v Verdict) string {
	o, side := v.RightOutcome, v.Right
	if o.Kind != corpus.Raised {
		o, side = v.LeftOutcome, v.Left
	}
	return side + " " + o.Class + ": " + o.Message
}
