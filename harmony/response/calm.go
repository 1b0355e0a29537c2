package response

import (
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// shortFeed is how many bytes are looked at one by one, before they are searched.
const shortFeed = 64

// calm takes chunks in which no anchor can begin, while none is waited for: by far
// the most frequent case. Whatever such a chunk needs stands ready; what the parser
// must know of them all it is told where another chunk comes (settle).
type calm struct {
	starts *rx.Starts       // where anchors may begin
	room   int              // bytes that may be taken; none while more than a look is needed or there is a tail
	had    int              // room in the beginning
	to     *body            // takes the text and has room; nil for none
	told   int              // events of a chunk: one, or none where no region takes the text
	event  [1]harmony.Event // a chunk's
	// tail is the end of the last chunk, which waits for the next: a byte with which
	// an anchor may begin, or the bytes of a character that is not complete.
	tail  string
	later int // room when there is no tail any more
}

// fits tells whether a chunk is short, and there is room for it.
func (c *calm) fits(chunk string) bool {
	return uint(len(chunk)-1) < uint(min(c.room, shortFeed))
}

// give gives the text of a chunk to what takes it.
func (c *calm) give(text string) []harmony.Event {
	c.room -= len(text)
	if c.to != nil {
		c.to.all = append(c.to.all, text...)
	}
	c.event[0].Text = text
	return c.event[:c.told]
}

// take takes a chunk that is calm but for the last byte, which waits for the next one.
// It tells whether the chunk is.
func (c *calm) take(chunk string) (events []harmony.Event, ok bool) {
	if !c.fits(chunk) {
		return nil, false
	}
	switch clear := c.starts.Clear(chunk); {
	case clear == len(chunk):
		return c.give(chunk), true
	case clear < len(chunk)-1 || c.told == 0 || !c.starts.Waits(chunk): // what nobody hears is not joined
		return nil, false
	case clear > 0:
		events = c.give(chunk[:clear])
	}
	c.wait(chunk[len(chunk)-1:])
	return events, true
}

// wait makes a text the tail.
func (c *calm) wait(tail string) { c.tail, c.room, c.later = tail, 0, c.room }

// takeTail gives the tail, and there is none.
func (c *calm) takeTail() (tail string) {
	if tail = c.tail; tail != "" {
		c.tail, c.room = "", c.later
	}
	return tail
}

// taken gives the number of bytes that were taken.
func (c *calm) taken() int {
	if c.tail != "" {
		return c.had - c.later
	}
	return c.had - c.room
}

// steps are those of the chunks taken: each byte was looked at, and copied.
func (c *calm) steps() int64 {
	if c.to == nil {
		return int64(c.taken())
	}
	return int64(2 * c.taken())
}

// settle adds up what the calm chunks did. Until ready there are no more.
func (p *Parser) settle() {
	n := p.calm.taken()
	if n > 0 && p.cur == nil && p.o.Problems {
		p.record.outsides[len(p.record.outsides)-1].end += n
	}
	p.pos += n
	p.fed += n
	p.steps += p.calm.steps()
	p.calm.room, p.calm.later, p.calm.had = 0, 0, 0
}

// ready prepares for calm chunks, unless the next one is none whatever it is.
func (p *Parser) ready() {
	c := &p.calm
	if p.err != nil || c.tail != "" || p.cur != nil && !p.opened {
		return
	}
	if c.starts = p.next(); c.starts == nil {
		return
	}
	c.room, c.to = p.o.Limits.Bytes-p.fed, p.taker()
	if c.to != nil {
		c.room = min(c.room, c.to.room())
	}
	c.had, c.told = c.room, 0
	if f := p.cur; f != nil {
		c.told = 1
		c.event[0] = chunkEvent(f, "")
	}
}

// next tells where the anchors may begin that come next; nil where one is waited for,
// or may begin without a byte.
func (m *machine) next() *rx.Starts {
	switch {
	case m.held || m.stuck || m.t.keepAll || m.begun.field != nil:
		return nil
	case m.cur != nil && m.cur != m.t.implicit:
		return m.cur.ends
	}
	return m.t.outside
}

// taker is what takes the text that comes next, nil where nothing does.
func (m *machine) taker() *body {
	switch n := len(m.record.outsides); {
	case m.cur != nil && !m.o.Discard:
		return &m.body
	case m.cur != nil || !m.o.Problems:
		return nil
	case n > 0 && m.record.outsides[n-1].end == m.pos:
		return &m.record.outsides[n-1].text
	}
	return &body{}
}
