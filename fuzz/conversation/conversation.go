package conversation

import (
	"cmp"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Conversation is a request to render.
type Conversation struct {
	// Input is the keys of a render case: messages, tools, and the template's
	// arguments.
	Input *value.Object
	// Traits name what went into it, sorted, each once.
	Traits []string

	format string // that it was made for; "" is beam
}

// Generate makes a conversation of up to five exchanges.
func Generate(s *fuzz.Source) *Conversation {
	m := newMaker(s)
	m.careless = s.OneIn(4)
	if s.N(3) > 0 {
		m.toolset()
	}
	m.arguments()
	m.instructions()
	for n := s.N(5); n >= 0; n-- {
		m.exchange()
	}
	if m.s.OneIn(16) {
		m.continued()
	}
	return m.conversation()
}

// GenerateOne makes a short conversation around one construct, which the trait
// one=NAME names.
func GenerateOne(s *fuzz.Source) *Conversation {
	m := newMaker(s)
	m.careless = s.OneIn(2) // a single fault is seen
	c := constructs[s.N(len(constructs))]
	m.seen("one=" + c.name)
	c.make(m)
	return m.conversation()
}

// Structured makes a conversation of a fuzzer's bytes.
func Structured(data []byte) *Conversation {
	s := fuzz.FromBytes(data)
	made := Generate
	if s.OneIn(3) {
		made = GenerateOne
	}
	if s.OneIn(4) {
		return Mutate(s, made(s))
	}
	return made(s)
}

// Has tells whether a trait went into the conversation.
func (c *Conversation) Has(trait string) bool {
	_, ok := slices.BinarySearch(c.Traits, trait)
	return ok
}

// Case is the conversation as a case of a kind: [corpus.Render] or [corpus.Mask].
// It shares Input, which is never changed.
func (c *Conversation) Case(kind corpus.Kind, id string) corpus.Case {
	return corpus.Case{ID: id, Kind: kind, Format: cmp.Or(c.format, "beam"), Source: "generated", Input: c.Input}
}

// Request is the conversation as the native renderer takes it. Each call decodes
// it anew, so that the request may be changed. It shares the values in it.
func (c *Conversation) Request() *beam.Request {
	req, err := beam.DecodeRequest(c.Input.Value())
	if err != nil {
		panic(err) // generators write lists of objects
	}
	return req
}

// String is the conversation as JSON, to try it again.
func (c *Conversation) String() string { return value.Dumps(c.Input.Value()) }
