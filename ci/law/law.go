package law

import (
	"context"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
)

// Law is one rule and how it is asked.
type Law struct {
	report.Rule
	// Ask tells found of each case in which the law was asked, whether it held or
	// not. An error ends the run: it is the engine's or the set-up's, never the
	// template's. An *Unasked does not: it says what could not be looked at.
	Ask func(ctx context.Context, s *Subject, found Found) error
}

// Found hears of one case of a law, once; without troubles it held.
type Found func(c corpus.Case, troubles ...Trouble)

// Trouble is how one case breaks a law.
type Trouble struct {
	// Level lessens that of the law, "" keeps it.
	Level report.Level
	// Cause tells troubles apart: equal causes are one finding. It names no case and
	// no line of a template.
	Cause string
	// Message, Advice and Places are those of a report.Finding.
	Message, Advice string
	Places          []report.Place
	// Witness is that of the finding, if its case is the smallest. What it leaves
	// out of Case and Input comes from the case.
	Witness report.Witness

	// wrote is the byte of the case's prompt that is wrong, nil where there is none:
	// the lines that wrote it are the places, if the engine can tell.
	wrote *int
}

// wrote is a place for Trouble.wrote.
func wrote(at int) *int { return &at }

// Unasked says why a law could not be asked of a subject that it is for. A run
// with one has not passed.
type Unasked struct{ Law, Why string }

func (e *Unasked) Error() string { return e.Law + " could not be asked: " + e.Why }

// Laws are all laws, in the order of a report.
func Laws() []Law { return append(RenderLaws(), ReplyLaws()...) }
