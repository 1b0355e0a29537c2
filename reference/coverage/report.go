package coverage

import (
	"bufio"
	"fmt"
	"io"
)

// Entry is a point that exists, and its text: the source line, or the condition
// or the loop's items as they are written there.
type Entry struct {
	Point Point
	Text  string
}

// Report is what exists and what of it was reached.
type Report struct {
	// Existing are the points in the order of their files, lines and branches.
	Existing []Entry
	Reached  Set
}

// Missing gives what exists and was not reached, in the order of Existing.
func (r Report) Missing() []Entry {
	var out []Entry
	for _, e := range r.Existing {
		if !r.Reached.Has(e.Point) {
			out = append(out, e)
		}
	}
	return out
}

// Only gives the report of the files that keep keeps.
func (r Report) Only(keep func(file string) bool) Report {
	out := Report{Reached: r.Reached}
	for _, e := range r.Existing {
		if keep(e.Point.Place().File) {
			out.Existing = append(out.Existing, e)
		}
	}
	return out
}

// Count is how much of a file there is and was reached. A branch counts once for
// each of its ways.
type Count struct {
	File                      string
	Lines, LinesReached       int
	Branches, BranchesReached int
}

// Counts gives the count of each file, in the order of Existing.
func (r Report) Counts() []Count {
	var out []Count
	for _, e := range r.Existing {
		place := e.Point.Place()
		if len(out) == 0 || out[len(out)-1].File != place.File {
			out = append(out, Count{File: place.File})
		}
		c := &out[len(out)-1]
		reached := 0
		if r.Reached.Has(e.Point) {
			reached = 1
		}
		if place.Branch == 0 {
			c.Lines++
			c.LinesReached += reached
		} else {
			c.Branches++
			c.BranchesReached += reached
		}
	}
	return out
}

// WriteText writes the counts, a line a file, and then what was not reached, a
// line a point.
//
//	chat_template: 168 of 170 lines, 380 of 384 branches
//	chat_template:35          never reached: {{- raise_exception(…) -}}
//	chat_template:34.1:true   never true: level > 32
func (r Report) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, c := range r.Counts() {
		fmt.Fprintf(b, "%s: %d of %d lines, %d of %d branches\n", c.File, c.LinesReached, c.Lines, c.BranchesReached, c.Branches)
	}
	missing := r.Missing()
	width := 0
	for _, e := range missing {
		width = max(width, len(e.Point))
	}
	for _, e := range missing {
		fmt.Fprintf(b, "%-*s  %s: %s\n", width, e.Point, never[e.Point.Place().Way], short(e.Text))
	}
	return b.Flush()
}

// never says of each way what did not happen.
var never = map[string]string{
	"":       "never reached",
	WayTrue:  "never true",
	WayFalse: "never false",
	WayItem:  "never with an item",
	WayEnd:   "never to its end",
}

// short cuts a long text at a character.
func short(text string) string {
	const most = 120
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most]) + "…"
}
