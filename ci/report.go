package ci

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
)

// Report is a result with what a reader of it needs besides.
type Report struct {
	*Result
	// Version is that of this program.
	Version string
	// Command repeats one case, given the case's id; "" where nothing can.
	Command func(id string) string
	// Verbose lists every case, not only those that are not the same.
	Verbose bool
}

// shown are the verdicts of a case that a report tells of.
func shown(c CaseResult) []Verdict {
	var out []Verdict
	for _, v := range c.Verdicts {
		if v.Kind != corpus.Same {
			out = append(out, v)
		}
	}
	return out
}

// place says in words where a verdict's difference is.
func place(c corpus.Case, w *Where) string {
	path := w.Path
	if c.Kind == corpus.Render && path == "$" {
		path = "the prompt"
	}
	if w.Offset < 0 {
		return path
	}
	return path + ", byte " + itoa(w.Offset)
}

// quoteArg writes an argument as a shell reads it back.
func quoteArg(arg string) string {
	if arg != "" && !strings.ContainsFunc(arg, func(r rune) bool {
		return !strings.ContainsRune("@%_-+=:,./", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// count writes a number with its noun; plural is the noun's, if it is not
// regular.
func count(n int, noun string, plural ...string) string {
	switch {
	case n == 1:
	case len(plural) > 0:
		noun = plural[0]
	case strings.HasSuffix(noun, "y"):
		noun = noun[:len(noun)-1] + "ies"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// some lists the first names and counts the rest.
func some(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
}
