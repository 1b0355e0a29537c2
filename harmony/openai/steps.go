package openai

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
)

// smallSize is the size of the pieces that joined texts are cut from.
const smallSize = 4 << 10

// join is what was held with more behind it, as a text of its own.
func (p *Parser) join(more string) string {
	n := len(p.held) + len(more)
	if p.small.Cap()-p.small.Len() < n {
		p.small = strings.Builder{}
		p.small.Grow(max(smallSize, n))
	}
	from := p.small.Len()
	p.small.Write(p.held)
	p.small.WriteString(more)
	p.held = p.held[:0]
	return p.small.String()[from:]
}

// read reads on. What may become a marker or a character at the end of s is held.
func (p *Parser) read(s string) {
	p.looked += int64(len(s))
	for s != "" && p.err == nil {
		m, at, n := nextMark(s)
		p.text(s[:at], m == noMark)
		switch {
		case m == noMark || p.err != nil:
			return
		case m == partMark:
			p.held = append(p.held, s[at:]...)
			return
		}
		p.mark(m, s[at:at+n])
		s = s[at+n:]
	}
}

// text reads text without markers. last says that nothing behind it is known: a
// character may go on there.
func (p *Parser) text(t string, last bool) {
	bad := -1
	if !utf8.ValidString(t) {
		bad = firstInvalid(t)
		if last && !utf8.FullRuneInString(t[bad:]) {
			p.held = append(p.held, t[bad:]...)
			t, bad = t[:bad], -1
		} else {
			t = t[:bad]
		}
	}
	if t != "" {
		p.plain(t)
	}
	if bad >= 0 && p.err == nil {
		p.fail(BadUTF8, p.off, "the reply is not valid UTF-8")
	}
}

func firstInvalid(t string) int {
	for i, c := range t {
		if c == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(t[i:]); n == 1 {
				return i
			}
		}
	}
	return len(t)
}

// plain is text that stands where it stands.
func (p *Parser) plain(t string) {
	at := p.off
	p.off += int64(len(t))
	switch p.state {
	case inHeader:
		p.head = append(p.head, t...)
	case inBody:
		p.content(t)
	case inBetween:
		if p.o.Strict {
			p.off = at
			p.fail(BadGrammar, at, "only %s may follow a message", MarkStart)
			return
		}
		p.fill(at, strings.TrimLeft(t, " \t\r\n") != "", false)
	}
}

// content is text of the open body.
func (p *Parser) content(t string) {
	switch {
	case len(p.body) > 0:
		p.body = append(p.body, t...)
	case p.piece == "":
		p.piece = t
	default:
		p.body = append(append(p.body, p.piece...), t...)
		p.piece = ""
	}
	if p.use != nothing {
		p.chunk(t)
	}
}

// taken is the content of the body, which ends.
func (p *Parser) taken() string {
	text := p.piece
	if len(p.body) > 0 {
		text = string(p.body)
	}
	p.piece, p.body = "", p.body[:0]
	return text
}

// mark reads a marker.
func (p *Parser) mark(m mark, text string) {
	at := p.off
	p.off += int64(len(text))
	switch p.state {
	case inHeader:
		p.markInHeader(m, text, at)
	case inBody:
		p.markInBody(m, text, at)
	case inBetween:
		p.markBetween(m, text, at)
	}
}

func (p *Parser) markInHeader(m mark, text string, at int64) {
	switch {
	case m == messageMark:
		p.openBody(at)
	case m.ends():
		p.bareMessage(text, at)
		p.state = inBetween
	case m != startMark:
		p.head = append(p.head, text...)
	case blank(p.head) && p.implied && len(p.messages) == 0:
		p.openHeader(at, false) // the reply says what the prompt says
	case blank(p.head):
		if p.fault(harmony.BadSyntax, at, p.openAt, at, "a %s has no message behind it", MarkStart) {
			p.openHeader(at, false)
		}
	default:
		p.bareMessage("", at)
		p.openHeader(at, false)
	}
}

func (p *Parser) markInBody(m mark, text string, at int64) {
	switch {
	case m.ends():
		p.closeBody(text, p.off)
	case m == startMark:
		if p.fault(harmony.Unclosed, at, at, p.off, "the message has no end before %s", text) {
			p.closeBody("", at)
			p.openHeader(at, false)
		}
	case m == channelMark:
		if p.fault(harmony.BadSyntax, at, at, p.off, "the message has no end before %s", text) {
			p.closeBody("", at)
			p.openHeader(at, true)
			p.head = append(p.head, text...)
		}
	case m.isFormat():
		p.fault(harmony.BadSyntax, at, at, p.off, "%s has no place in a message's content", text)
	default:
		p.problem(harmony.BadSyntax, at, p.off, fmt.Sprintf("%s means nothing in a message", text))
	}
}

func (p *Parser) markBetween(m mark, text string, at int64) {
	switch {
	case m == startMark:
		p.closeGap(at)
		p.openHeader(at, false)
	case m != channelMark && m != messageMark:
		if p.strictly(at, "only %s may follow a message", MarkStart) {
			p.fill(at, true, true)
		}
	case p.fault(harmony.BadSyntax, at, at, p.off, "no %s stands before %s", MarkStart, text):
		p.closeGap(at)
		p.openHeader(at, true)
		if p.head = append(p.head[:0], text...); m == messageMark {
			p.head = p.head[:0]
			p.openBody(at)
		}
	}
}

func blank(b []byte) bool {
	for _, c := range b {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// fill is a stretch between two messages.
func (p *Parser) fill(at int64, filled, marked bool) {
	if !p.gap.open {
		p.gap = between{at: at, open: true}
	}
	p.gap.filled = p.gap.filled || filled
	p.gap.marked = p.gap.marked || marked
}

// closeGap tells of what stood between two messages, if it was more than white
// space. What kind of problem it is shows at the end.
func (p *Parser) closeGap(end int64) {
	if p.gap.filled {
		kind := harmony.TextOutside
		if p.gap.marked {
			kind = harmony.BadSyntax
		}
		p.problem(kind, p.gap.at, end, "text between messages")
	}
	p.gap = between{}
}

func (p *Parser) openHeader(at int64, implied bool) {
	p.state, p.openAt, p.implied = inHeader, at, implied
	p.head, p.headAt = p.head[:0], p.off
	if implied {
		p.headAt = at
	}
}

func (p *Parser) emit(e harmony.Event) { p.events = append(p.events, e) }

// chunk tells of text of the open region. Events are large, and nearly all are as the
// one that stood there before but for the text: that alone is then written.
func (p *Parser) chunk(t string) {
	n, field := len(p.events), useFields[p.use]
	if n < cap(p.events) {
		if e := &p.events[:n+1][n]; e.Type == harmony.RegionChunk && e.Field == field {
			p.events = p.events[:n+1]
			e.Text = t
			return
		}
	}
	p.emit(harmony.Event{Type: harmony.RegionChunk, Field: field, Text: t, Dirty: p.use == calling})
}

// problem keeps a problem of the bytes from start to end.
func (p *Parser) problem(kind harmony.ProblemKind, start, end int64, detail string) {
	if len(p.problems) < p.o.Limits.Problems {
		field, call := "", -1
		if p.state == inBody {
			if field = useFields[p.use]; p.use == calling {
				call = len(p.calls)
			}
		}
		p.problems = append(p.problems, harmony.Problem{Kind: kind, Span: harmony.Span{Start: start, End: end}, Field: field, Call: call, Detail: detail})
	}
}

// fault is what does not fit the grammar: an error at byte at for a strict reader,
// else a problem. It tells whether to read on.
func (p *Parser) fault(kind harmony.ProblemKind, at, start, end int64, format string, args ...any) bool {
	if !p.strictly(at, format, args...) {
		return false
	}
	p.problem(kind, start, end, fmt.Sprintf(format, args...))
	return true
}

// strictly ends a strict reader. It tells whether to read on.
func (p *Parser) strictly(at int64, format string, args ...any) bool {
	if p.o.Strict {
		p.fail(BadGrammar, at, format, args...)
	}
	return !p.o.Strict
}

func (p *Parser) fail(kind ReadErrorKind, at int64, format string, args ...any) {
	p.err = &ReadError{Kind: kind, Offset: at, Msg: fmt.Sprintf(format, args...)}
}
