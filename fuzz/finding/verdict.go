package finding

import (
	"context"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Judge asks engines about one case, whole and cut, and gives the verdicts that
// are not "same". The last engine is the one that the others are judged by. The
// error is that of the context, or an engine that cannot start; an engine that
// fails on the case is a verdict. It may be called from several goroutines at
// once.
type Judge func(ctx context.Context, engines []engine.Engine, c corpus.Case) ([]Verdict, error)

// Verdict is what comparing two answers to a case found.
type Verdict struct {
	Kind corpus.Verdict
	// Left and Right name the engines; one that is unstable stands on both sides.
	Left, Right string
	// LeftOutcome and RightOutcome are the two answers.
	LeftOutcome, RightOutcome corpus.Outcome
	// Path and Offset say where the two part, as a report does: a JSON path, and
	// a byte in the text there or -1. "" where there is no place.
	Path   string
	Offset int
	// LeftText and RightText are what stands there, in short and visible.
	LeftText, RightText string
	// What says in words what was compared, or why an engine failed.
	What string
	// Chunks is how the reply was cut for the right side; null where it was not.
	Chunks value.Value
	// Fails tells whether the verdict is a finding.
	Fails bool
}

// ranks are the verdicts that can be findings, the first counts.
var ranks = []corpus.Verdict{corpus.EngineFailed, corpus.ValueDiffers, corpus.ErrorDiffers, corpus.Unstable, corpus.CannotSay}

// Worst gives the verdict that a case is known by: of those that fail the first
// in the order engine failed, value differs, error differs, unstable, cannot. ok
// is false where none fails.
func Worst(verdicts []Verdict) (worst Verdict, ok bool) {
	for _, v := range verdicts {
		if v.Fails && (!ok || slices.Index(ranks, v.Kind) < slices.Index(ranks, worst.Kind)) {
			worst, ok = v, true
		}
	}
	return worst, ok
}
