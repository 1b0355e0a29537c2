package response

import (
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Feed reads the next chunk, cut anywhere, also inside a character. The events
// are valid until the next call; with an error they are those before it.
func (p *Parser) Feed(chunk string) ([]harmony.Event, error) {
	if c := &p.calm; c.fits(chunk) && c.starts.Clear(chunk) == len(chunk) {
		return c.give(chunk), nil
	}
	return p.feed(chunk)
}

// feed is Feed for any chunk.
func (p *Parser) feed(chunk string) ([]harmony.Event, error) {
	if p.calm.tail != "" {
		chunk = p.join(chunk)
	}
	if events, ok := p.calm.take(chunk); ok {
		return events, nil
	}
	p.settle()
	p.events = p.events[:0]
	switch {
	case p.err != nil:
		return nil, p.err
	case p.ended:
		return nil, errFinalized()
	case p.t == nil:
		return nil, errNoTemplate()
	}
	if n := len(chunk) - incomplete(chunk); n < len(chunk) {
		p.calm.wait(chunk[n:])
		chunk = chunk[:n]
	}
	p.err = p.pushWhole(chunk)
	p.ready()
	return p.events, p.err
}

// join gives the tail with the chunk behind it, whose text becomes part of what is
// given out. Many of them share a buffer.
func (p *Parser) join(chunk string) string {
	tail := p.calm.takeTail()
	n := len(tail) + len(chunk)
	if p.joins.Len()+n > p.joins.Cap() {
		size := max(n, minHeld, min(2*p.joins.Cap(), maxHeld))
		p.joins.Reset()
		p.joins.Grow(size)
	}
	from := p.joins.Len()
	p.joins.WriteString(tail)
	p.joins.WriteString(chunk)
	p.steps += int64(n)
	return p.joins.String()[from:]
}

// pushWhole reads whole characters, up to the limit and to what is not UTF-8.
func (p *Parser) pushWhole(chunk string) error {
	var after error
	p.steps += int64(len(chunk))
	if bad := value.InvalidUTF8(chunk); bad >= 0 {
		after = &harmony.UTF8Error{What: "the reply", Offset: int64(p.fed + bad)}
		chunk = chunk[:bad]
	}
	if room := p.o.Limits.Bytes - p.fed; len(chunk) > room {
		after = p.limit(p.origin+p.o.Limits.Bytes, "the reply is longer than %d bytes", p.o.Limits.Bytes)
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
			return p.limit(p.pos, "more than %d bytes of text may still become a marker", limit)
		}
	}
	p.fed += len(chunk)
	return p.push(chunk)
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
