package ci

import (
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Want is the name of the side that a case's want is.
const Want = "want"

// Verdict is what comparing two answers to one case found.
type Verdict struct {
	Kind corpus.Verdict
	// Left and Right name the pair: an engine, or [Want]. An engine that is
	// unstable is paired with itself.
	Left, Right string
	// LeftOutcome and RightOutcome are the two answers. Their values are shared
	// with the engines' answers and must not be changed.
	LeftOutcome, RightOutcome corpus.Outcome
	// Where the two part; nil where Kind is same, cannot or engine failed.
	Where *Where
	// What says in words what was compared, or why an engine failed or cannot;
	// "" where the pair says it all.
	What string
	// Chunks is how the reply was cut for the right side, in the form of a case's
	// key; null where it was not.
	Chunks value.Value
	// Was is the verdict that a known difference explains; else Kind.
	Was corpus.Verdict
	// KnownID is the entry that explains it, where Kind is known difference.
	KnownID string
	// Fails tells whether the verdict fails the run.
	Fails bool
}

// Pair names the two sides, as want/native.
func (v Verdict) Pair() string { return v.Left + "/" + v.Right }

// differs tells whether the verdict is a difference between two answers.
func differs(k corpus.Verdict) bool { return k == corpus.ValueDiffers || k == corpus.ErrorDiffers }

// ranks are the verdicts from the best to the worst: where several hold for a
// case, the last one counts.
var ranks = []corpus.Verdict{
	corpus.Same,
	corpus.Known,
	corpus.CannotSay,
	corpus.Unstable,
	corpus.ErrorDiffers,
	corpus.ValueDiffers,
	corpus.EngineFailed,
}

// worse tells whether verdict a counts before b.
func worse(a, b corpus.Verdict) bool { return slices.Index(ranks, a) > slices.Index(ranks, b) }
