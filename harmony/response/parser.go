package response

import (
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// Parser reads one reply in chunks. It implements [harmony.Reader]. It belongs
// to one goroutine.
type Parser struct {
	machine
	calm    calm
	initial []harmony.Event
	joins   strings.Builder
	err     error         // the first one
	ended   bool          // Finalize was called, or there is nothing to finalize
	reply   harmony.Reply // set at the end; with an error: what was read so far
}

var _ harmony.Reader = (*Parser)(nil)

// NewParser prepares to read a reply. It reads the part of the turn that the
// prefix holds already; errors in there are returned here.
func (t *Template) NewParser(o Options) (*Parser, error) {
	p := &Parser{}
	if err := p.begin(t, o); err != nil {
		return nil, err
	}
	p.ready()
	return p, nil
}

// Reset prepares to read another reply with the same template, as
// [Template.NewParser] does, and allocates nothing for it: it keeps the room of the
// longest region. The replies that the parser gave stay as they are, its events do
// not. Where it fails, so does whatever is called next, but for another Reset.
func (p *Parser) Reset(o Options) error {
	*p = Parser{machine: p.machine, initial: p.initial[:0]}
	p.err = p.begin(p.t, o)
	p.ended = p.err != nil // nothing was read
	p.ready()
	return p.err
}

func (p *Parser) begin(t *Template, o Options) error {
	if t == nil || t.start == nil {
		return errNoTemplate()
	}
	if o.Prefix == nil {
		return fail(KindValue, "a prefix is required: the prompt that the reply follows, or \"\" where the reply holds the whole turn")
	}
	if o.Discard && o.Problems {
		return fail(KindValue, "a reply whose text is discarded has no problems to tell: ask for Discard or for Problems")
	}
	if err := harmony.CheckUTF8("the prefix", *o.Prefix); err != nil {
		return err
	}
	if err := o.complete(); err != nil {
		return err
	}
	p.start(t, o)
	if err := p.readPrefix(*o.Prefix); err != nil {
		return err
	}
	p.initial = append(p.initial, p.events...)
	p.events = p.events[:0]
	return nil
}

// errNoTemplate is the error of a template or a parser that nothing has made.
func errNoTemplate() *Error {
	return fail(KindTemplate, "there is no response template: Compile makes one, and its NewParser a parser")
}

// InitialEvents are the events of what the prefix holds of the turn.
func (p *Parser) InitialEvents() []harmony.Event { return p.initial }

func errFinalized() *Error { return fail(KindFinalized, "the parser is finalized") }

// Finalize ends the reply. Where it fails, or an earlier call did, the reply is
// what was read so far; a second call gives it again, whatever the stop.
func (p *Parser) Finalize(stop harmony.Stop) ([]harmony.Event, harmony.Reply, error) {
	p.settle()
	p.events = p.events[:0]
	switch {
	case p.ended && p.err != nil:
		return nil, p.reply, p.err
	case p.ended:
		return nil, p.reply, errFinalized()
	case p.t == nil:
		return nil, p.reply, errNoTemplate()
	case p.err != nil: // of an earlier call
	case incomplete(p.calm.tail) > 0:
		p.err = &harmony.UTF8Error{What: "the reply", Offset: int64(p.fed)}
	default:
		p.err = p.readEnd(p.calm.tail)
	}
	p.finish(stop)
	return p.events, p.reply, p.err
}

// Parse reads a whole reply. With an error the reply is what was read up to it.
func (t *Template) Parse(reply string, o Options) (harmony.Reply, error) {
	var p Parser
	if err := p.begin(t, o); err != nil {
		return harmony.Reply{}, err
	}
	p.silent = true
	if len(reply) <= p.o.Limits.Bytes && (p.o.Limits.Held == p.o.Limits.Bytes || len(reply) < p.o.Limits.Held) && utf8.ValidString(reply) {
		p.steps += int64(len(reply))
		p.fed = len(reply)
		p.err = p.readEnd(reply)
	} else if p.err = p.pushWhole(reply); p.err == nil {
		p.err = p.readEnd("")
	}
	p.finish(o.Stop)
	return p.reply, p.err
}

// Steps counts the bytes that were looked at so far, each search, each thread of
// a pattern and each reading of an argument by itself: what reading cost, whatever
// the machine.
func (p *Parser) Steps() int64 {
	n := p.steps + p.calm.steps() + p.content.steps
	for _, s := range p.opens {
		n += scanSteps(s)
	}
	for _, s := range p.closes {
		n += scanSteps(s)
	}
	return n
}

func scanSteps(s *rx.Scan) int64 {
	if s == nil {
		return 0
	}
	return s.Steps
}
