package gate

import (
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// edit is one run of lines of the base's chat template that the candidate has
// otherwise.
type edit struct {
	start, end int    // of the base's text, in bytes
	text       string // the candidate's lines in their place
	base, cand span
}

// span is lines from and up to, but not with, to; they count from 1.
type span struct{ from, to int }

func (s span) has(line int) bool { return s.from <= line && line < s.to }

func (s span) lines() int { return s.to - s.from }

// editsOf are the differences of two texts, in their order; neighbouring lines are
// one edit.
func editsOf(base, cand string) []edit {
	var out []edit
	grown := 0 // how many lines more the candidate has so far
	for _, e := range udiff.Lines(base, cand) {
		if n := len(out) - 1; n >= 0 && out[n].end == e.Start {
			out[n].end, out[n].text = e.End, out[n].text+e.New
		} else {
			out = append(out, edit{start: e.Start, end: e.End, text: e.New})
		}
	}
	for i := range out {
		e := &out[i]
		from := 1 + strings.Count(base[:e.start], "\n")
		e.base = span{from, from + lineCount(base[e.start:e.end])}
		e.cand = span{from + grown, from + grown + lineCount(e.text)}
		grown += lineCount(e.text) - lineCount(base[e.start:e.end])
	}
	return out
}

// lineCount is the number of lines of a text; the last may have no line break.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// with is the base's text with some of the edits made.
func with(base string, edits []edit, chosen func(i int) bool) string {
	var b strings.Builder
	at := 0
	for i, e := range edits {
		if !chosen(i) {
			continue
		}
		b.WriteString(base[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.WriteString(base[at:])
	return b.String()
}

// lineOf is a line of a text, without white space around it.
func lineOf(text string, line int) string {
	for i, row := range strings.SplitAfter(text, "\n") {
		if i+1 == line {
			return strings.TrimSpace(row)
		}
	}
	return ""
}
