package ci

import (
	"bytes"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
)

// untouched warns where the run says nothing of its checkpoint: cases of
// another format were left out, and each of the others brings the template that
// it is about, or was asked at another checkpoint.
func (r *Report) untouched(b *bytes.Buffer) {
	format := slices.ContainsFunc(r.NotRun, func(n NotRun) bool { return n.Checkpoint == "" })
	if !format || slices.ContainsFunc(r.Cases, r.touches) {
		return
	}
	b.WriteString("\nNOT COMPARED: the templates of this checkpoint, as no case is about them; cases of your own are (diff case.json --checkpoint …), with a want of the prompt where an engine cannot render it\n")
}

// touches tells whether a case was asked with a template of the run's checkpoint.
func (r *Report) touches(c CaseResult) bool {
	if slices.ContainsFunc(r.Checkpoints, func(other CheckpointResult) bool { return other.Name == c.Case.Checkpoint }) {
		return false
	}
	template := "chat_template"
	if c.Case.Kind == corpus.Parse {
		template = "response_template"
	}
	_, own := c.Case.Input.Get(template)
	return !own
}
