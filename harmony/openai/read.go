package openai

import (
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Reply is a reply, read: as any chat format's, and in the format's own messages.
type Reply struct {
	harmony.Reply
	Messages []Message
}

// Parse reads a whole reply. The error is a *[ReadError]; what was read before it is
// in the Reply.
func Parse(reply string, o ReadOptions) (Reply, error) {
	p := NewParser(o)
	p.Feed(reply) // its error is Finalize's too
	_, r, err := p.Finalize(o.Stop)
	return Reply{Reply: r, Messages: p.Messages()}, err
}

// joinLines stands between the texts of two messages of one field.
var joinLines = "\n"

// MessageFields are the fields of the messages that a [Parser] reads, for views of
// its events: reasoning from the channel analysis, the answer and what is said
// before calls, and the calls.
func MessageFields() []harmony.Field {
	return []harmony.Field{
		{Name: fieldThinking, Text: true, Repeats: true, Join: &joinLines},
		{Name: fieldContent, Text: true, Repeats: true, Join: &joinLines},
		{Name: fieldCalls, Repeats: true},
	}
}

// Messages are the messages that were read so far, without the one that is open
// ([Parser.Open]) until the end closes it. They belong to the parser until it is
// finalized.
func (p *Parser) Messages() []Message { return p.messages }

// Open is the header of the message whose content is being read, and whether there
// is one: a call's recipient is known before its arguments are. It has no Content,
// and its spans have no end.
func (p *Parser) Open() (Message, bool) {
	if p.state != inBody || p.done {
		return Message{}, false
	}
	return p.cur, true
}

// Finalize ends the reply. After an error it gives what was read before, and the
// error again.
func (p *Parser) Finalize(stop harmony.Stop) ([]harmony.Event, harmony.Reply, error) {
	p.events = p.events[:0]
	if p.done {
		return nil, p.reply, &ReadError{Kind: Finalized, Offset: p.off, Msg: "the reader was finalized: make another for the next reply"}
	}
	p.done = true
	if p.err == nil {
		p.flush()
	}
	p.end(stop)
	p.judge()
	p.reply = harmony.Reply{Message: p.message(), Calls: p.calls, Regions: p.regions(), Problems: p.problems}
	return p.events, p.reply, p.err
}

// flush reads what was held: no marker, for those are one token each and come
// whole.
func (p *Parser) flush() {
	if len(p.held) == 0 {
		return
	}
	if p.held[0] >= 0x80 {
		p.fail(BadUTF8, p.off, "the reply ends inside a character")
		return
	}
	p.plain(p.join(""))
}

// end ends what is open.
func (p *Parser) end(stop harmony.Stop) {
	token, stopped := stop.Token()
	kind, detail := harmony.Unclosed, "the last close is missing"
	if stop.Length() {
		kind, detail = harmony.CutOff, "the limit of tokens ended the reply"
	}
	switch p.state {
	case inBetween:
		p.closeGap(p.off)
		if stop.Length() && p.err == nil {
			p.problem(kind, p.off, p.off, detail)
		}
	case inHeader:
		switch {
		case p.err != nil:
		case stopped, !stop.Length() && p.wordsAlone():
			p.bareMessage("", p.off)
		case stop.Length() || p.strictly(p.off, "the header of the message does not end"):
			p.problem(kind, p.openAt, p.off, detail+" inside a header")
		}
	case inBody:
		failed := p.err != nil
		if p.use == reasoning && !failed && !(stopped && isClose(token)) {
			p.problem(harmony.UnclosedThink, p.cur.Body.Start, p.off, "the reply ended inside the reasoning")
		}
		if !stopped && !failed {
			p.problem(kind, p.off, p.off, detail)
		}
		was := p.use
		p.closeBody("", p.off)
		if was == calling && len(p.calls) > 0 {
			p.calls[len(p.calls)-1].Runnable = !stop.Length() && !failed
		}
	}
	p.gap = between{}
}

// isClose tells whether a token ends a message.
func isClose(token string) bool {
	return token == MarkEnd || token == MarkReturn || token == MarkCall
}

// wordsAlone tells whether the header is text without any marker: a reply that the
// model began without a header, and no header that was cut.
func (p *Parser) wordsAlone() bool {
	s := string(p.head)
	_, _, n := nextMark(s)
	return n == 0 && !blank(p.head) && !strings.HasPrefix(strings.TrimLeft(s, " "), "to=") && p.implied && !p.o.Strict
}

// judge gives the problems that only the whole reply shows.
func (p *Parser) judge() {
	for i := range p.problems {
		if q := &p.problems[i]; q.Kind == harmony.TextOutside && len(p.calls) > 0 {
			switch {
			case q.Span.End <= p.calls[0].Span.Start:
				q.Kind = harmony.ProseBeforeAction
			case q.Span.Start >= p.calls[len(p.calls)-1].Span.End:
				q.Kind = harmony.TextAfterAction
			}
		}
	}
	if !p.o.OneCall {
		return
	}
	switch {
	case len(p.calls) == 0:
		p.problem(harmony.NoAction, p.off, p.off, "the reply calls no tool")
	case len(p.calls) > 1:
		s := p.calls[1].Span
		p.problem(harmony.MultipleActions, s.Start, s.End, "the reply calls more than one tool")
		p.problems[len(p.problems)-1].Call = 1
	}
}

// message is the reply as a chat client has it.
func (p *Parser) message() value.Value {
	m := value.NewObject(4)
	m.Set("role", value.String(harmony.Assistant))
	for _, u := range [...]use{reasoning, answer} {
		if p.parts[u] != nil {
			m.Set(useFields[u], value.String(strings.Join(p.parts[u], joinLines)))
		}
	}
	if len(p.calls) > 0 {
		list := make([]value.Value, len(p.calls))
		for i, c := range p.calls {
			list[i] = c.Value
		}
		m.Set(fieldCalls, value.List(list...))
	}
	return m.Value()
}

// regions are the messages that a client sees, as regions.
func (p *Parser) regions() (out []harmony.Region) {
	for i := range p.messages {
		m := &p.messages[i]
		if u := m.use(); u != nothing {
			out = append(out, harmony.Region{Field: useFields[u], Span: m.Span, Body: m.Body, Closed: m.End != ""})
		}
	}
	return out
}
