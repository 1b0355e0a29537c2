package response

import (
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Parser reads one reply in chunks. It implements [harmony.Reader]. It belongs
// to one goroutine.
type Parser struct {
	machine
	initial []harmony.Event
	tail    string // bytes of a character that is not complete
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
	return p, nil
}

// Reset prepares to read another reply with the same template, as
// [Template.NewParser] does, and allocates nothing for it. The replies that the
// parser gave stay as they are, its events do not. Where it fails, so does
// whatever is called next, but for another Reset.
func (p *Parser) Reset(o Options) error {
	*p = Parser{machine: p.machine, initial: p.initial[:0]}
	p.err = p.begin(p.t, o)
	p.ended = p.err != nil // nothing was read
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

// shortFeed is how many bytes are looked at one by one, before they are searched.
const shortFeed = 64

// Feed reads the next chunk, cut anywhere, also inside a character. The events
// are valid until the next call; with an error they are those before it.
func (p *Parser) Feed(chunk string) ([]harmony.Event, error) {
	p.events = p.events[:0]
	switch {
	case p.err != nil:
		return nil, p.err
	case p.ended:
		return nil, errFinalized()
	case p.t == nil:
		return nil, errNoTemplate()
	}
	if p.tail != "" {
		chunk = p.join(p.tail, chunk)
	}
	if len(chunk) <= min(shortFeed, p.o.Limits.Bytes-p.fed) && p.calm(chunk) {
		p.fed += len(chunk)
		return p.events, nil
	}
	if n := len(chunk) - incomplete(chunk); n < len(chunk) {
		chunk, p.tail = chunk[:n], chunk[n:]
	}
	p.err = p.feed(chunk)
	return p.events, p.err
}

// join gives a tail with the chunk behind it, whose text becomes part of what is
// given out. Many of them share a buffer.
func (p *Parser) join(tail, chunk string) string {
	n := len(tail) + len(chunk)
	if p.joins.Len()+n > p.joins.Cap() {
		p.joins.Reset()
		p.joins.Grow(max(n, maxHeld/4))
	}
	from := p.joins.Len()
	p.joins.WriteString(tail)
	p.joins.WriteString(chunk)
	p.steps += int64(n)
	p.tail = ""
	return p.joins.String()[from:]
}

// feed takes whole characters, up to the limit and to what is not UTF-8.
func (p *Parser) feed(chunk string) error {
	var after error
	p.steps += int64(len(chunk))
	if bad := value.InvalidUTF8(chunk); bad >= 0 {
		after = &harmony.UTF8Error{What: "the reply", Offset: int64(p.fed + bad)}
		chunk = chunk[:bad]
	}
	if room := p.o.Limits.Bytes - p.fed; len(chunk) > room {
		after = p.limit(int64(p.o.Limits.Bytes), "the reply is longer than %d bytes", p.o.Limits.Bytes)
		chunk = chunk[:room-incomplete(chunk[:room])]
	}
	if err := p.pushHeld(chunk); err != nil {
		return err
	}
	return after
}

// pushHeld reads whole characters. What is held is looked at whenever another
// Limits.Held bytes of the reply were read, wherever chunks end.
func (p *Parser) pushHeld(chunk string) error {
	limit := p.o.Limits.Held
	for next := (p.fed/limit + 1) * limit; p.fed+len(chunk) >= next; next += limit {
		n := next - p.fed
		n -= incomplete(chunk[:n])
		p.fed += n
		if err := p.push(chunk[:n]); err != nil {
			return err
		}
		chunk = chunk[n:]
		if held := p.text.Base + len(p.text.S) - p.pos; held > limit {
			return p.machine.limit(p.pos, "more than %d bytes of text may still become a marker", limit)
		}
	}
	p.fed += len(chunk)
	return p.push(chunk)
}

func (p *Parser) limit(offset int64, format string, args ...any) *Error {
	e := fail(KindLimit, format, args...)
	e.Offset = offset
	return e
}

func errFinalized() *Error { return fail(KindFinalized, "the parser is finalized") }

// Finalize ends the reply. Where it fails, or an earlier call did, the reply is
// what was read so far; a second call gives it again, whatever the stop.
func (p *Parser) Finalize(stop harmony.Stop) ([]harmony.Event, harmony.Reply, error) {
	p.events = p.events[:0]
	switch {
	case p.ended && p.err != nil:
		return nil, p.reply, p.err
	case p.ended:
		return nil, p.reply, errFinalized()
	case p.t == nil:
		return nil, p.reply, errNoTemplate()
	case p.err != nil: // of an earlier call
	case p.tail != "":
		p.err = &harmony.UTF8Error{What: "the reply", Offset: int64(p.fed)}
	default:
		p.err = p.readEnd("")
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
	} else if p.err = p.feed(reply); p.err == nil {
		p.err = p.readEnd("")
	}
	p.finish(o.Stop)
	return p.reply, p.err
}

// incomplete gives the length of an unfinished character at the end of s.
func incomplete(s string) int {
	for n := 1; n <= min(3, len(s)); n++ {
		c := s[len(s)-n]
		if c < 0x80 {
			return 0
		}
		if c >= 0xc0 {
			if utf8.FullRuneInString(s[len(s)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// readEnd takes the rest of the reply.
func (p *Parser) readEnd(rest string) error {
	p.load(rest, true)
	if err := p.run(true); err != nil {
		return err
	}
	var missing []string
	for _, f := range p.t.fields {
		if _, ok := p.message().Get(f.name); !ok && !f.optional {
			missing = append(missing, "'"+f.name+"'")
		}
	}
	if missing != nil {
		return fail(KindValue, "the reply has no region of a required field: [%s]", strings.Join(missing, ", "))
	}
	if p.lenientErr != nil {
		return p.lenientErr
	}
	return nil
}

// finish makes the reply of what was read. It is called once.
func (p *Parser) finish(stop harmony.Stop) {
	p.ended = true
	if p.err != nil && p.opened { // what was read of the region in which it failed
		p.storeRaw(p.cur, p.body.String())
	}
	out := &value.Object{}
	for name, v := range p.message().All() {
		if _, isDefault := p.t.defaults.Get(name); !isDefault && empty(v) {
			continue
		}
		out.Set(name, v)
	}
	if !p.o.Discard {
		p.reply.Message = out.Value()
	}
	for i := range p.calls {
		if c := &p.calls[i]; stop.Length() {
			c.Runnable = c.Closed
		}
	}
	p.reply.Calls = p.calls
	if p.o.Problems {
		p.reply.Regions, p.reply.Problems = p.report(stop)
	}
}

func empty(v value.Value) bool {
	switch v.Kind() {
	case value.KindNull, value.KindString, value.KindArray, value.KindObject:
		return !v.Truthy()
	}
	return false
}

// Steps counts the bytes that were looked at so far, each search and each thread
// of a pattern by itself: what reading cost, whatever the machine.
func (p *Parser) Steps() int64 {
	n := p.steps + p.content.steps
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
