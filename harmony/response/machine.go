package response

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// machine is the state of reading one turn. Positions are bytes from the start
// of what the prefix holds of the turn; the reply begins at origin.
type machine struct {
	t *Template
	o Options

	text   rx.Text         // the text known and not used up, from position text.Base on
	buffer strings.Builder // what is held goes to its end, for one chunk after another
	held   bool            // text.S is the end of buffer from byte from on, else a chunk
	from   int
	origin int
	fed    int // bytes of the reply that were fed
	pos    int // everything before it is in a region, in a marker or discarded

	cur      *field // the region's field; nil outside regions without an implicit field
	opened   bool   // the region exists: the implicit one does from its first byte on
	captures []capture
	body     body
	at       struct{ open, body int } // where the region's opening marker and body began

	out    value.Object // see message
	filled bool
	joined map[*field]*strings.Builder
	calls  []harmony.Call

	opens   []*rx.Scan // by field.index
	closes  []*rx.Scan // by field.index; the implicit field's close comes last
	best    found      // the best match of this round
	certain bool       // there is one
	sure    anchorAt   // an anchor that matches where one is waited for
	waiting int        // how many anchors may begin at hold
	edge    edge       // what may begin first
	begun   begun      // the match whose end is waited for; without a field, none
	spent   spent      // the first anchor that ran out of steps
	hold    int        // from here on an anchor may begin that is not certain
	within  int        // anchors that begin behind it are of no interest in this round

	idle       int        // position at which the machine was outside a region without having moved, -1 for none
	watch      *[256]bool // see watched
	watches    int        // how many anchors that is for
	stuck      bool       // an empty close of an empty implicit region: the reference reads no further
	silent     bool       // nobody looks at events
	events     []harmony.Event
	regions    int
	whole      bool // the text was read to its end
	content    reading
	record     record
	steps      int64 // bytes copied
	lenientErr error
}

// start makes the machine as new, for a reply that is read with other options.
// What it has allocated it keeps, but for what it gave away.
func (m *machine) start(t *Template, o Options) {
	old := *m
	*m = machine{t: t, o: o, text: rx.Text{Before: -1}, idle: -1, opens: old.opens, closes: old.closes, captures: old.captures,
		events: old.events[:0], joined: old.joined, content: reading{scans: old.content.scans, depth: o.Limits.Depth, budget: o.Limits.Steps, notes: o.Problems}}
	if old.t != t {
		m.opens = make([]*rx.Scan, len(t.explicit))
		m.closes = make([]*rx.Scan, len(t.explicit)+1)
	}
	for _, scans := range [][]*rx.Scan{m.opens, m.closes} {
		for _, s := range scans {
			if s != nil {
				s.Reset()
				s.Budget = o.Limits.Steps
			}
		}
	}
	for _, s := range m.content.scans {
		s.Reset()
	}
	clear(m.joined)
	m.reset()
	m.watch, m.watches = m.watched()
}

// message is the message so far. The defaults stand in it from its first use on.
func (m *machine) message() *value.Object {
	if !m.filled {
		m.filled = true
		for name, v := range m.t.defaults.All() {
			m.out.Set(name, v.Clone())
		}
	}
	return &m.out
}

// reset goes back outside explicit regions.
func (m *machine) reset() {
	m.cur, m.opened = m.t.implicit, false
	m.captures = m.captures[:0]
	m.body = body{}
}

// push reads more of the reply.
func (m *machine) push(chunk string) error {
	if chunk == "" {
		return nil
	}
	m.load(chunk, false)
	err := m.run(false)
	m.keep()
	m.watch, m.watches = m.watched()
	return err
}

// calm takes a chunk at which no anchor can begin, while none is waited for: by
// far the most frequent case. It tells whether the chunk is one.
func (m *machine) calm(chunk string) bool {
	if m.watch == nil || chunk == "" {
		return false
	}
	watch := m.watch
	for i := 0; i < len(chunk); {
		c := chunk[i]
		switch {
		case watch[c]:
			return false
		case c < utf8.RuneSelf:
			i++
		case 0xe1 <= c && c < 0xf0 && c != 0xed && i+2 < len(chunk) && chunk[i+1]&0xc0 == 0x80 && chunk[i+2]&0xc0 == 0x80:
			i += 3 // by far the most characters of this length, without a call
		default:
			r, size := utf8.DecodeRuneInString(chunk[i:])
			if r == utf8.RuneError && size == 1 {
				return false
			}
			i += size
		}
	}
	m.steps += int64((1 + m.watches) * len(chunk))                                            // as UTF-8, and for each anchor
	if n := len(m.events); m.opened && m.body.fits(chunk) && n < cap(m.events) && !m.silent { // give, without a call
		m.pos += len(chunk)
		m.steps += int64(len(chunk))
		m.body.rest.WriteString(chunk)
		m.events = m.events[:n+1]
		setChunk(&m.events[n], m.cur, chunk)
		return true
	}
	m.give(chunk)
	return true
}

// watched gives the bytes with which any of so many anchors may begin, nil where
// one is waited for or may begin without any.
func (m *machine) watched() (bytes *[256]bool, anchors int) {
	switch {
	case m.held || m.stuck || m.t.keepAll || m.begun.field != nil:
		return nil, 0
	case m.cur != nil && m.cur != m.t.implicit:
		return m.cur.watch, 1
	}
	return m.t.outside, len(m.t.fields)
}

// load appends a chunk to the text. Where nothing is held the chunk itself is
// the text, so that what is given out of it is not copied.
func (m *machine) load(chunk string, last bool) {
	switch {
	case !m.held && (last || !m.t.keepAll):
		m.text.S = chunk
		if m.pos > m.text.Base { // calm chunks are behind; which character was the last matters only where a pattern looks back: then nothing is calm
			m.text.Base, m.text.Before = m.pos, utf8.RuneError
		}
	case !m.held:
		m.retain(chunk, "")
	default:
		m.retain(m.text.S, chunk)
	}
}

// The least and the most room of a buffer for text that is held, unless more is.
const minHeld, maxHeld = 64, 4096

// retain makes a+b the text that is held; a may be it already. Text in the buffer
// was given out and does not change: one buffer after another is filled.
func (m *machine) retain(a, b string) {
	add := len(b)
	if !m.held {
		add += len(a)
	}
	if m.buffer.Len()+add > m.buffer.Cap() {
		size := max(minHeld, 1<<bits.Len(uint(len(a)+len(b))), min(2*m.buffer.Cap(), maxHeld))
		m.buffer.Reset()
		m.buffer.Grow(size)
		m.held = false
	}
	if !m.held {
		m.held, m.from = true, m.buffer.Len()
		m.buffer.WriteString(a)
		m.steps += int64(len(a))
	}
	m.buffer.WriteString(b)
	m.steps += int64(len(b))
	m.text.S = m.buffer.String()[m.from:]
}

// keep holds what is not used up for the next chunk.
func (m *machine) keep() {
	if m.t.keepAll {
		return
	}
	used := m.pos - m.text.Base
	rest := m.text.S[used:]
	if used > 0 {
		m.text.Before, _ = utf8.DecodeLastRuneInString(m.text.S[:used])
	}
	m.text.Base, m.text.S = m.pos, rest
	switch {
	case rest == "":
		m.held = false
	case m.held:
		m.from += used
	default:
		m.retain(rest, "")
	}
}

// run reads as far as the text decides.
func (m *machine) run(end bool) error {
	m.text.End = end
	if err := m.consume(m.look); err != nil {
		return err
	}
	if !end {
		return nil
	}
	m.whole = true
	return m.closeRegion(false)
}

func (m *machine) limit(at int, format string, args ...any) *Error {
	e := fail(KindLimit, format, args...)
	e.Offset = int64(at - m.origin)
	return e
}

// take gives the text up to a position to the current region.
func (m *machine) take(to int) { m.give(m.text.S[m.pos-m.text.Base : to-m.text.Base]) }

// give gives the next text to the current region; without one no region takes it.
func (m *machine) give(text string) {
	f, at := m.cur, m.pos
	m.pos += len(text)
	if f == nil {
		if m.o.Problems && text != "" {
			m.steps += m.record.outside(at, text)
		}
		return
	}
	if !m.opened {
		m.opened = true
		m.at.open, m.at.body = at, at
		m.emit(harmony.Event{Type: harmony.RegionOpen, Field: f.name})
	}
	if !m.o.Discard {
		m.steps += m.body.add(text)
	}
	m.emitChunk(f, text)
}

func (m *machine) emit(e harmony.Event) {
	if !m.silent {
		m.events = append(m.events, e)
	}
}

// emitChunk is emit for the most frequent event, which writes only what differs
// from the one that stood in its place.
func (m *machine) emitChunk(f *field, text string) {
	n := len(m.events)
	if m.silent || n == cap(m.events) {
		m.emit(harmony.Event{Type: harmony.RegionChunk, Field: f.name, Text: text, Dirty: f.content.dirty})
		return
	}
	m.events = m.events[:n+1]
	setChunk(&m.events[n], f, text)
}

// setChunk makes an event that of a chunk. It writes only what differs from a
// chunk's.
func setChunk(e *harmony.Event, f *field, text string) {
	if !e.Value.IsNull() {
		e.Value = value.Value{}
	}
	e.Type, e.Field, e.Text, e.Dirty, e.Closed = harmony.RegionChunk, f.name, text, f.content.dirty, false
}

// body is the text of a region, not copied while it is one piece.
type body struct {
	first string
	rest  *strings.Builder
}

// fits tells whether text can be added without more room.
func (b *body) fits(text string) bool {
	return b.rest != nil && b.rest.Len()+len(text) <= b.rest.Cap()
}

// add appends text and gives the number of bytes that were copied.
func (b *body) add(text string) int64 {
	switch {
	case b.rest != nil:
		if !b.fits(text) {
			return extend(b.rest, text)
		}
		b.rest.WriteString(text)
		return int64(len(text))
	case b.first == "":
		b.first = text
		return 0
	}
	b.rest = &strings.Builder{}
	b.rest.Grow(128)
	return extend(b.rest, b.first) + extend(b.rest, text)
}

// extend adds text to a builder and gives the number of bytes that were copied.
func extend(b *strings.Builder, text string) int64 {
	copied := len(text)
	if need := b.Len() + len(text); need > b.Cap() {
		copied = need
		old := b.String()
		b.Reset()
		b.Grow(1 << bits.Len(uint(need))) // to about twice the room
		b.WriteString(old)
	}
	b.WriteString(text)
	return int64(copied)
}

func (b *body) String() string {
	if b.rest != nil {
		return b.rest.String()
	}
	return b.first
}
