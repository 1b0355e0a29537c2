package response

import (
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
	held   strings.Builder // holds text.S where it outlives a chunk
	origin int
	fed    int // bytes of the reply that were fed
	pos    int // everything before it is in a region, in a marker or discarded

	cur      *field // the region's field; nil outside regions without an implicit field
	opened   bool   // the region exists: the implicit one does from its first byte on
	captures []capture
	body     body
	at       struct{ open, body int } // where the region's opening marker and body began

	out    *value.Object
	joined map[*field]*strings.Builder
	calls  []harmony.Call

	opens   []*rx.Scan // by field.index
	closes  []*rx.Scan // by field.index; the implicit field's close comes last
	best    found      // the best match of this round
	certain bool       // there is one
	sure    anchorAt   // an anchor that matches where one is waited for
	waiting int        // how many anchors may begin at hold
	begun   begun      // the match whose end is waited for; without a field, none
	hold    int        // from here on an anchor may begin that is not certain
	within  int        // anchors that begin behind it are of no interest in this round

	idle       int  // position at which the machine was outside a region without having moved, -1 for none
	stuck      bool // an empty close of an empty implicit region: the reference reads no further
	silent     bool // nobody looks at events
	events     []harmony.Event
	regions    int
	stop       harmony.Stop
	content    reading
	record     record
	steps      int64 // bytes copied
	lenientErr error
}

func (m *machine) init(t *Template, o Options) {
	*m = machine{t: t, o: o, text: rx.Text{Before: -1}, idle: -1}
	defaults, _ := t.defaults.Value().Clone().AsObject()
	m.out = defaults
	m.opens = make([]*rx.Scan, len(t.explicit))
	m.closes = make([]*rx.Scan, len(t.explicit)+1)
	m.content.depth = o.Limits.Depth
	m.content.notes = o.Problems
	m.reset()
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
	return err
}

// load appends a chunk to the text. Where nothing is held the chunk itself is
// the text, so that what is given out of it is not copied.
func (m *machine) load(chunk string, last bool) {
	if m.held.Len() == 0 && (last || !m.t.keepAll) {
		m.text.S = chunk
		return
	}
	m.held.WriteString(chunk)
	m.steps += int64(len(chunk))
	m.text.S = m.held.String()
}

// keep holds what is not used up for the next chunk.
func (m *machine) keep() {
	if m.t.keepAll {
		return
	}
	used := m.pos - m.text.Base
	rest := m.text.S[used:]
	if m.held.Len() > 0 && used < len(rest) {
		return // copying would cost more than it frees
	}
	if used > 0 {
		m.text.Before, _ = utf8.DecodeLastRuneInString(m.text.S[:used])
	}
	m.text.Base = m.pos
	m.held.Reset()
	m.text.S = ""
	if rest != "" {
		m.held.Grow(max(64, 2*len(rest))) // most of what is held is a marker
		m.held.WriteString(rest)
		m.steps += int64(len(rest))
		m.text.S = m.held.String()
	}
}

// run reads as far as the text decides.
func (m *machine) run(end bool) error {
	m.text.End = end
	if err := m.consume(m.look); err != nil {
		return err
	}
	if end {
		return m.closeRegion(false)
	}
	return nil
}

func (m *machine) limit(at int, format string, args ...any) *Error {
	e := fail(KindLimit, format, args...)
	e.Offset = int64(at - m.origin)
	return e
}

// take gives the text up to a position to the current region.
func (m *machine) take(to int) {
	if m.cur == nil {
		m.discard(to)
		return
	}
	text := m.text.S[m.pos-m.text.Base : to-m.text.Base]
	if !m.opened {
		m.opened = true
		m.at.open, m.at.body = m.pos, m.pos
		m.emit(harmony.Event{Type: harmony.RegionOpen, Field: m.cur.name})
	}
	m.pos = to
	if !m.o.Discard {
		m.steps += m.body.add(text)
	}
	m.emit(harmony.Event{Type: harmony.RegionChunk, Field: m.cur.name, Text: text, Dirty: m.cur.content.dirty})
}

// discard drops the text up to a position: no region takes it.
func (m *machine) discard(to int) {
	if m.o.Problems && to > m.pos {
		m.record.outside(m.pos, m.text.S[m.pos-m.text.Base:to-m.text.Base])
	}
	m.pos = to
}

func (m *machine) emit(e harmony.Event) {
	if !m.silent {
		m.events = append(m.events, e)
	}
}

// body is the text of a region, not copied while it is one piece.
type body struct {
	first string
	rest  *strings.Builder
}

// add appends text and gives the number of bytes that were copied.
func (b *body) add(text string) int64 {
	switch {
	case b.rest != nil:
		b.rest.WriteString(text)
		return int64(len(text))
	case b.first == "":
		b.first = text
		return 0
	}
	b.rest = &strings.Builder{}
	b.rest.Grow(max(128, 2*len(b.first)))
	b.rest.WriteString(b.first)
	b.rest.WriteString(text)
	return int64(len(b.first) + len(text))
}

func (b *body) String() string {
	if b.rest != nil {
		return b.rest.String()
	}
	return b.first
}
