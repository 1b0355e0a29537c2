package law

import (
	"context"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/response"
)

// Law is one rule and how it is asked.
type Law struct {
	report.Rule
	// Ask tells Found of each case in which the law was asked, whether it held or
	// not. An error ends the run: it is the engine's or the set-up's, never the
	// template's.
	Ask func(ctx context.Context, s *Subject, found Found) error
}

// Found hears of one case of a law; trouble is nil where it held.
type Found func(c corpus.Case, trouble *Trouble)

// Trouble is how one case breaks a law.
type Trouble struct {
	// Level lessens that of the law, "" keeps it.
	Level report.Level
	// Cause tells troubles apart: equal causes are one finding. It names no case.
	Cause string
	// Message, Advice, Places and Witness are those of a report.Finding.
	Message, Advice string
	Places          []report.Place
	Witness         report.Witness
}

// Subject is the checkpoint that is looked at.
type Subject struct {
	report.Subject
	// Asker answers cases with the checkpoint's own Python, each only once.
	Asker Asker
	// ChatTemplate is the source; "" where there is none.
	ChatTemplate string
	// ResponseTemplate is the source as JSON, "" where there is none; Reader is what
	// native Go makes of it, nil where that failed, and ReaderError says why.
	ResponseTemplate string
	Reader           *response.Template
	ReaderError      error
	// Markers are the added tokens of the checkpoint's tokenizer, and what the
	// template writes that looks like one.
	Markers []string
}

// Asker answers cases.
type Asker interface {
	// Ask gives what the checkpoint's Python makes of each case, in their order. op is
	// the protocol's: render, parse, stream, mask.
	Ask(ctx context.Context, op string, cases []corpus.Case) ([]corpus.Outcome, error)
	// Trace gives the lines of the chat template that wrote each part of a prompt.
	Trace(ctx context.Context, c corpus.Case) ([]Emitted, error)
}

// Emitted says that a line of the chat template wrote text[Start:End] of the
// prompt, in bytes. Line counts from 1.
type Emitted struct {
	Start, End int
	Line       int
}
