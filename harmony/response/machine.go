package response

import (
	"strings"

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
	spent   spent      // the first anchors that ran out of steps in this round
	prefix  bool       // it is the prefix that is read
	hold    int        // from here on an anchor may begin that is not certain
	within  int        // anchors that begin behind it are of no interest in this round

	idle       int  // position at which the machine was outside a region without having moved, -1 for none
	stuck      bool // an empty close of an empty implicit region: the reference reads no further
	silent     bool // nobody looks at events
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
		events: old.events[:0], joined: old.joined, body: old.body, content: reading{scans: old.content.scans, depth: o.Limits.Depth, budget: o.Limits.Steps, notes: o.Problems}}
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
	m.body.reset()
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

// limit is the error of a limit that the text passes at a position.
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
	m.emit(chunkEvent(f, text))
}

func (m *machine) emit(e harmony.Event) {
	if !m.silent {
		m.events = append(m.events, e)
	}
}

func chunkEvent(f *field, text string) harmony.Event {
	return harmony.Event{Type: harmony.RegionChunk, Field: f.name, Text: text, Dirty: f.content.dirty}
}
