package corpus

import (
	"strconv"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Kind is what a case asks for.
type Kind string

// The kinds of case.
const (
	Render    Kind = "render" // a prompt from messages
	Parse     Kind = "parse"  // a message from a reply
	Mask      Kind = "mask"   // the spans of a finished conversation that the model wrote
	EncodeIDs Kind = "encode" // the token ids of a prompt
)

// Domain says who fixes the answer to a case.
type Domain string

const (
	Documented   Domain = "documented"   // the format's documentation does
	Undocumented Domain = "undocumented" // only an implementation does
)

// Case is one input, as its JSON says it.
type Case struct {
	// ID is unique over all the cases of a run: names between slashes. Those of
	// this project's own suites say where they stand: suite/file/name.
	ID     string
	Kind   Kind
	Format string // "beam", …; "" where the run's checkpoint decides
	Domain Domain // "" where the case does not say
	// Suite is the name of the folder that the case was read from.
	Suite string
	// Source is the place in a document or a report that the case proves, such
	// as beam-harmony-format.md:66.
	Source string
	// Why says in a sentence what the case is for.
	Why string
	// Decision names the open decision of the checkpoint's README that an
	// undocumented case depends on.
	Decision string
	// Checkpoint names a recipe; "" is the run's checkpoint.
	Checkpoint string
	// CheckpointHash is the checkpoint that an undocumented Want holds for.
	CheckpointHash string
	// Input is the object of all the keys of the kind, in their order: what an
	// engine is asked. schema/case.schema.json says what they are.
	Input *value.Object
	// Want is what must come out; nil where nothing is known.
	Want *Outcome
	// Stream, of a parse case with chunks, is the value that the stream
	// operation must give besides: the events of each feed. Null where none is
	// wanted.
	Stream value.Value
}

// OutcomeKind says what an engine gave.
type OutcomeKind uint8

const (
	OK     OutcomeKind = iota + 1 // a value
	Raised                        // an error of the format
	Cannot                        // the engine lacks the ability
	Failed                        // the engine itself failed: crash, time-out, out of memory, broken protocol
)

func (k OutcomeKind) String() string {
	if names := [...]string{"", "ok", "error", "cannot", "failed"}; int(k) < len(names) {
		return names[k]
	}
	return "OutcomeKind(" + strconv.Itoa(int(k)) + ")"
}

// Outcome is what an engine answered to a case.
type Outcome struct {
	Kind OutcomeKind
	// Value, where Kind is OK: a render's text as a string; a parse's message;
	// a mask's object; what PROTOCOL.md says for the others.
	Value value.Value
	// Class and Message, where Kind is Raised: the class of the exception
	// without its module, and its text.
	Class, Message string
	// Why, where Kind is Cannot or Failed, in words.
	Why string
	// Offset is where in the input an error was found, in bytes; native only,
	// -1 where it is not known.
	Offset int64
	// Partial, where a lenient parse raised, is what was read so far.
	Partial value.Value
}
