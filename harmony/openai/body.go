package openai

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// openBody ends the header at byte at, where <|message|> stands, and opens the body.
func (p *Parser) openBody(at int64) {
	h := readHeader(string(p.head), p.implied)
	if h.fault != "" && !p.fault(harmony.BadSyntax, p.headAt+int64(h.at), p.openAt, p.off, "%s", h.fault) {
		return
	}
	h.Misread = h.broken
	p.cur, p.use = h.Message, h.use()
	p.cur.Span.Start, p.cur.Body.Start = p.openAt, p.off
	switch {
	case p.use != nothing || h.Misread:
	case h.Author.Role != harmony.Assistant:
		if !p.o.Conversation {
			p.problem(harmony.BadSyntax, p.openAt, p.off, "a message of another author stands in the reply")
		}
	case h.Channel == "":
		p.problem(harmony.BadSyntax, p.openAt, p.off, "the message has no channel: nothing says whom it is for")
	default:
		p.problem(harmony.BadSyntax, p.openAt, p.off, "the channel is not known: nothing says whom the message is for")
	}
	p.state = inBody
	if p.use != nothing {
		p.emit(harmony.Event{Type: harmony.RegionOpen, Field: useFields[p.use]})
	}
}

// closeBody ends the message at byte end, behind its marker.
func (p *Parser) closeBody(marker string, end int64) {
	p.cur.Content, p.cur.End = p.taken(), marker
	p.cur.Span.End, p.cur.Body.End = end, end-int64(len(marker))
	if marker == MarkCall && p.use != calling && !p.cur.Misread {
		p.problem(harmony.BadSyntax, p.cur.Body.End, end, "the message ends as a call does, and has no recipient")
	}
	p.keep()
	p.state = inBetween
}

// keep keeps the message that was read, and closes its region.
func (p *Parser) keep() {
	if len(p.messages) >= p.o.Limits.Messages {
		p.fail(OverLimit, p.cur.Span.Start, "the reply has more than %d messages: raise ReadLimits.Messages", p.o.Limits.Messages)
		return
	}
	p.messages = append(p.messages, p.cur)
	if p.use == nothing {
		return
	}
	var v value.Value
	if p.use == calling {
		v = p.call(&p.cur)
	} else {
		p.parts[p.use] = append(p.parts[p.use], p.cur.Content)
		v = value.String(p.cur.Content)
	}
	p.emit(harmony.Event{Type: harmony.RegionClose, Field: useFields[p.use], Value: v, Closed: p.cur.End != ""})
	p.use = nothing
}

// bareMessage ends a header that has no <|message|>, at byte at, where marker
// stands; "" for none. Its words are kept as the content, and shown where the
// channel is known and they are nothing but words.
func (p *Parser) bareMessage(marker string, at int64) {
	if !p.fault(harmony.BadSyntax, at, p.openAt, at, "the header has no %s", MarkMessage) || blank(p.head) {
		return
	}
	s := string(p.head)
	h := readHeader(s, p.implied)
	p.cur = Message{Author: h.Author, Recipient: h.Recipient, Channel: h.Channel, End: marker}
	if h.Channel != "" {
		p.cur.Misread = h.broken || !h.plain || h.Recipient != ""
	} else {
		h.rest, p.cur.Misread = 0, true
	}
	from := h.rest
	for h.Channel != "" && from < len(s) && isSpace(s[from]) {
		from++
	}
	p.cur.Content = withoutMarks(s[from:])
	p.cur.Span = harmony.Span{Start: p.openAt, End: at + int64(len(marker))}
	p.cur.Body = harmony.Span{Start: p.headAt + int64(from), End: at}
	if p.use = p.cur.use(); p.use != nothing {
		p.emit(harmony.Event{Type: harmony.RegionOpen, Field: useFields[p.use]})
		if p.cur.Content != "" {
			p.emit(harmony.Event{Type: harmony.RegionChunk, Field: useFields[p.use], Text: p.cur.Content})
		}
	}
	p.keep()
}

// withoutMarks is s without the markers in it.
func withoutMarks(s string) string {
	m, at, n := nextMark(s)
	if m == noMark || m == partMark {
		return s
	}
	var b strings.Builder
	for ; n > 0; m, at, n = nextMark(s) {
		b.WriteString(s[:at])
		s = s[at+n:]
	}
	b.WriteString(s)
	return b.String()
}
