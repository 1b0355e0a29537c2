package openai

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
)

// Parser reads one reply as it arrives. It is a [harmony.Reader]; its fields are
// those of [MessageFields]. It belongs to one goroutine.
//
// A byte is looked at once; those that may begin a marker or are part of a character
// wait, and are looked at again with the next chunk, at most as often as a marker has
// bytes. So the cost is linear however the reply is cut. A chunk allocates nothing
// beyond what the message keeps.
type Parser struct {
	o ReadOptions

	state  state
	off    int64  // of the next byte
	held   []byte // ends what was fed: it may become a marker or a character
	small  strings.Builder
	looked int64 // bytes that were looked at, again ones counted again

	head    []byte // the header so far
	headAt  int64  // where it begins
	openAt  int64  // where the message begins, with its <|start|>
	implied bool   // <|start|>assistant stands in the prompt

	cur   Message // the message whose body is open
	use   use     // of cur
	piece string  // its content so far, while that is one piece
	body  []byte  // else
	gap   between // between two messages

	events   []harmony.Event
	messages []Message
	calls    []harmony.Call
	problems []harmony.Problem
	parts    [len(useFields)][]string // the texts of the message's fields
	err      error
	done     bool
	reply    harmony.Reply
	initial  []harmony.Event
}

type state uint8

const (
	inHeader  state = iota
	inBody          // behind <|message|>
	inBetween       // no message is open
)

// between is what stands between two messages.
type between struct {
	at     int64
	open   bool
	filled bool // it is more than white space
	marked bool // a marker is in it
}

// NewParser makes a reader of one reply.
func NewParser(o ReadOptions) *Parser {
	o.Limits = o.Limits.complete()
	p := &Parser{o: o, implied: true}
	if o.Conversation {
		p.state, p.implied = inBetween, false
	}
	if o.Prefix != "" {
		p.prefix(o.Prefix)
	}
	return p
}

// prefix reads what the prompt holds of the turn: what stands behind its last
// <|start|>. Messages that end there are not the reply's.
func (p *Parser) prefix(prompt string) {
	at := strings.LastIndex(prompt, MarkStart)
	if at < 0 {
		return
	}
	p.off = int64(at - len(prompt))
	p.state, p.implied = inBetween, false
	p.read(prompt[at:])
	p.initial = p.events
	p.events = nil
	if p.state == inBetween {
		p.initial = nil
	}
	p.messages, p.calls, p.problems, p.parts = nil, nil, nil, [len(useFields)][]string{}
}

// InitialEvents are the events of the part of the turn that the prompt holds.
func (p *Parser) InitialEvents() []harmony.Event { return p.initial }

// Feed reads the next chunk, cut at any byte. The events belong to the parser until
// the next call. Errors are of type *[ReadError].
func (p *Parser) Feed(chunk string) ([]harmony.Event, error) {
	p.events = p.events[:0]
	if p.state == inBody && len(p.held) == 0 && p.err == nil && !p.done && p.isShort(chunk) {
		p.looked += int64(len(chunk))
		p.off += int64(len(chunk))
		p.content(chunk)
		return p.events, nil
	}
	if p.done {
		return nil, &ReadError{Kind: Finalized, Offset: p.off, Msg: "the reader was finalized: make another for the next reply"}
	}
	if p.err != nil || chunk == "" {
		return nil, p.err
	}
	over := false
	if room := int64(p.o.Limits.Bytes) - p.off - int64(len(p.held)); int64(len(chunk)) > room {
		chunk, over = chunk[:max(room, 0)], true
	}
	for len(p.held) > 0 && chunk != "" && p.err == nil {
		// What was held is decided by the bytes of one marker behind it.
		n := min(len(chunk), maxMark)
		joined := p.join(chunk[:n])
		chunk = chunk[n:]
		p.read(joined)
	}
	if p.err == nil {
		p.read(chunk)
	}
	if p.err == nil && over {
		p.fail(OverLimit, int64(p.o.Limits.Bytes), "the reply is longer than %d bytes: raise ReadLimits.Bytes", p.o.Limits.Bytes)
	}
	return p.events, p.err
}

// isShort tells whether a chunk is as most are: a few characters of ASCII, without the
// first byte of any marker, below the limit.
func (p *Parser) isShort(chunk string) bool {
	if n := len(chunk); n == 0 || n > 16 || p.off+int64(n) > int64(p.o.Limits.Bytes) {
		return false
	}
	for i := range len(chunk) {
		if c := chunk[i]; c == '<' || c >= 0x80 {
			return false
		}
	}
	return true
}
