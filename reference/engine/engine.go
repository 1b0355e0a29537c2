// Package engine is what answers cases, wherever it runs.
//
//  1. An [Engine] takes a [Request], an operation and its case, and gives an
//     Outcome: a value, an error of the format, "cannot", or the engine's own
//     failure. These four are values, never Go errors.
//  2. [Native] is this project's own Go.
//  3. [Pool] is any program that speaks the protocol of PROTOCOL.md, run in as
//     many processes as asked for, restarted when it dies.
//
// The checkpoint's own Python is a Pool over the worker; package reference sets
// it up.
package engine

import (
	"context"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Op is an operation of the protocol.
type Op string

// The operations that take a case.
const (
	OpRender Op = "render"
	OpParse  Op = "parse"
	OpStream Op = "stream"
	OpMask   Op = "mask"
	OpEncode Op = "encode"
)

// Abilities beside the operations.
const (
	AbleTokens = "tokens" // encode and mask give token ids
	AbleIDs    = "ids"    // parse and stream take token ids
)

// Request asks one thing of an engine.
type Request struct {
	Op Op
	// Case is the keys of the kind (corpus.Case.Input).
	Case *value.Object
}

// Engine answers requests. Its methods may be called from several goroutines at
// once.
type Engine interface {
	// Name is how the engine is named in verdicts: native, reference, ….
	Name() string
	// Info tells what the engine is and can do. An error means that the engine
	// could not be started.
	Info(ctx context.Context) (Info, error)
	// Do answers one request. A context that ends gives a Failed outcome.
	Do(ctx context.Context, r Request) corpus.Outcome
	// Close ends the engine's processes.
	Close() error
}

// Info is what an engine says of itself.
type Info struct {
	Name string
	// Versions of everything that shapes an answer, by name, in order.
	Versions []Version
	// CheckpointHash is the sha256 over chat template, response template and
	// tokenizer as loaded; "" for an engine without a checkpoint.
	CheckpointHash string
	// Checkpoint is its path or name, as given.
	Checkpoint string
	// Formats are those that the engine renders; "*" is any.
	Formats []string
	// Abilities are the operations it answers, [AbleTokens] and [AbleIDs].
	Abilities []string
	// NoTokens says why [AbleTokens] is not among them, where the engine knows; no
	// part of the protocol.
	NoTokens string
	// Notes are what a person should know, such as a tokenizer that was lent.
	Notes []string
}

// Version names one thing and its version.
type Version struct{ Name, Version string }
