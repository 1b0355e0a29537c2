package harmony

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Reader reads one reply of a model as it arrives. A response template's parser
// and a hand-written syntax both are Readers.
//
// For every way of cutting a reply into chunks the merged events and the reply
// are the same. After an error a Reader stays in that error.
type Reader interface {
	// Feed reads the next chunk, cut anywhere, also inside a character. The
	// events belong to the Reader until the next call. Errors carry the absolute
	// byte offset in the reply.
	Feed(chunk string) ([]Event, error)
	// Finalize ends the reply. It returns the events of the rest and the reply.
	Finalize(stop Stop) ([]Event, Reply, error)
}

// EventType says what an Event tells.
type EventType uint8

const (
	RegionOpen  EventType = iota + 1 // a region of Field begins
	RegionChunk                      // Text of the open region
	RegionClose                      // the region ends with Value
)

var eventNames = [...]string{"", "region_open", "region_chunk", "region_close"}

// String gives the reference's name of the event.
func (t EventType) String() string {
	if int(t) < len(eventNames) {
		return eventNames[t]
	}
	return fmt.Sprintf("EventType(%d)", uint8(t))
}

// Event is one step of reading a reply: a stretch of text (a region) that
// belongs to one field of the message opens, grows or closes. Regions never
// nest.
type Event struct {
	Type  EventType
	Field string
	Text  string      // RegionChunk: raw text, never empty
	Dirty bool        // RegionChunk: the text is markup that Value is made of
	Value value.Value // RegionClose: this region's own value; null where values are discarded
	// Closed, of a RegionClose: the closing marker was seen. Else the reply ended
	// or another region opened.
	Closed bool
}

// Object gives the event in the reference's form and order of keys;
// [value.Dumps] makes the line of it that beamdiff parse --events writes.
func (e Event) Object() value.Value {
	m := []value.Member{{Name: "type", Value: value.String(e.Type.String())}, {Name: "field", Value: value.String(e.Field)}}
	switch e.Type {
	case RegionChunk:
		m = append(m, value.Member{Name: "text", Value: value.String(e.Text)}, value.Member{Name: "dirty", Value: value.Bool(e.Dirty)})
	case RegionClose:
		m = append(m, value.Member{Name: "value", Value: e.Value})
	}
	return value.Members(m...)
}

// Reply is a whole reply, read.
type Reply struct {
	// Message is the message as the format's reference reads it, byte for byte,
	// also where that is poor; null where values are discarded.
	Message value.Value
	// Calls are all tool calls of the reply, in order: those in Message, and
	// those of regions whose value a later region replaced there
	// ([RegionOverwritten]), which a client of the events has seen too.
	Calls []Call
	// Regions are the regions in order; only when they were asked for.
	Regions []Region
	// Problems tell what the message does not show; only when they were asked
	// for.
	Problems []Problem
}

// Call is one tool call of a reply.
type Call struct {
	// Field is the field of the message whose region holds the call.
	Field string
	// Value is the call as the message has it: a part of Message, not a copy,
	// where no later region replaced it.
	Value value.Value
	// Span reaches from the start of the marker that opened the call to the end
	// of the one that closed it.
	Span Span
	// Closed tells whether the closing marker was seen.
	Closed bool
	// Runnable tells whether the call is complete: its close was seen, or the
	// reply ended by itself, or nobody knows how, and no argument is open.
	Runnable bool
}

// Region is one stretch of a reply that belongs to a field of the message.
type Region struct {
	Field  string
	Span   Span // with the markers that opened and closed it
	Body   Span // without them
	Closed bool // the closing marker was seen
}

// Stop says why a reply ended. The zero Stop is unknown.
type Stop struct {
	kind  stopKind
	token string
}

type stopKind uint8

const (
	stopUnknown stopKind = iota
	stopLength
	stopToken
)

// StopUnknown: nothing is known of why the reply ended.
func StopUnknown() Stop { return Stop{} }

// StopLength: the limit of tokens was reached.
func StopLength() Stop { return Stop{kind: stopLength} }

// StopToken: the model ended the reply with that token, which may or may not
// stand in the text.
func StopToken(token string) Stop { return Stop{kind: stopToken, token: token} }

// Length tells whether the reply was cut by the limit of tokens.
func (s Stop) Length() bool { return s.kind == stopLength }

// Token gives the stop token, and whether the reply ended with one.
func (s Stop) Token() (token string, ok bool) { return s.token, s.kind == stopToken }
