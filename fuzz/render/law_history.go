package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// AnswerOracle judges how a subject takes a reply into the history.
type AnswerOracle func(sub Subject, a *Answer, tally Tally) *Violation

// AnswerOracles are those that every reply goes through.
var AnswerOracles = []AnswerOracle{CheckRaw, CheckStays}

// CheckAnswer asks all of them.
func CheckAnswer(sub Subject, a *Answer, tally Tally, oracles ...AnswerOracle) *Violation {
	if len(oracles) == 0 {
		oracles = AnswerOracles
	}
	var all []Oracle
	for _, o := range oracles {
		all = append(all, func(sub Subject, _ *conversation.Conversation, tally Tally) *Violation { return o(sub, a, tally) })
	}
	return Check(sub, a.conversation(), tally, all...)
}

// history is a reply that was read, and what it is put behind.
type history struct {
	req    *beam.Request
	prompt string
	reply  harmony.Reply
}

// read renders the prompt and reads the reply behind it. Not ok: it cannot be read.
func (a *Answer) read(sub Subject) (h history, ok bool) {
	c := a.conversation()
	if h.req = sub.decode(c); h.req == nil {
		return h, false
	}
	var err error
	if h.prompt, err = sub.Render(h.req); err != nil {
		return h, false
	}
	h.reply, err = sub.Read(a.Reply, h.prompt, h.req.Tools)
	return h, err == nil
}

// after renders the prompt that follows when a message takes its place in the
// history: more is what comes behind it.
func (h *history) after(sub Subject, m harmony.Message, more ...harmony.Message) (string, error) {
	next := *h.req
	next.Messages = append(append(next.Messages[:len(next.Messages):len(next.Messages)], m), more...)
	next.GenerationPrompt = beam.On
	return sub.Render(&next)
}

var goOn = harmony.Message{Role: harmony.User, Content: "Go on"}

const goOnText = "<|start|>user<|message|>Go on<|end|>" + assistantHead

// CheckRaw puts a reply into the history, once with its own text and once without.
// With it the next prompt begins with the prompt and the reply, to the byte, then
// come a stop token where the reply had none and the rest. Without it what the
// reply has lost is named: see spelled.
func CheckRaw(sub Subject, a *Answer, tally Tally) *Violation {
	h, ok := a.read(sub)
	if !ok {
		tally("reply=not read")
		return nil
	}
	bad := func(format string, args ...any) *Violation {
		return &Violation{Grows, a.conversation(), fmt.Sprintf("reply %q: ", a.Reply) + fmt.Sprintf(format, args...)}
	}
	if a.Reply != "" {
		m, err := h.reply.History(a.Reply)
		if err != nil {
			return bad("%v", err)
		}
		next, err := h.after(sub, m, goOn)
		if err != nil || !strings.HasPrefix(next, h.prompt+a.Reply) {
			return bad("the next prompt is %q, %v\n  and does not begin with %q", next, err, h.prompt+a.Reply)
		}
		rest := next[len(h.prompt+a.Reply):]
		if stop := strings.TrimSuffix(rest, goOnText); stop == rest || stop != "" && stop != beam.MarkReturn && stop != beam.MarkCall {
			return bad("behind it stands %q", rest)
		}
		if rest == goOnText {
			tally("reply=closed")
		} else {
			tally("reply=open")
		}
		if v := h.results(sub, a, m); v != nil {
			return v
		}
	}
	m, err := h.reply.History("")
	if err != nil {
		return bad("%v", err)
	}
	next, err := h.after(sub, m, goOn)
	loss := h.loss(a, &m)
	switch {
	case err == nil && strings.HasPrefix(next, h.prompt+a.Reply):
		tally("append=exact")
	case loss == "":
		return bad("written again it is %q, %v, and nothing says why", strings.TrimPrefix(next, h.prompt), err)
	case err != nil:
		tally("append=refused: " + loss)
	default:
		tally("append=changed: " + loss)
	}
	return nil
}

// results answers the calls of a message that keeps its own text: the calls give
// the results their names.
func (h *history) results(sub Subject, a *Answer, m harmony.Message) *Violation {
	n := 0
	m.GiveCallIDs(func() string { n++; return fmt.Sprint("call_", n) })
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		if strings.Join(strings.Fields(c.Name), "") != c.Name || strings.ContainsAny(c.Name, "<\x1c\x1d\x1e\x1f") {
			continue // no speaker
		}
		next, err := h.after(sub, m, harmony.Message{Role: harmony.Tool, ToolCallID: c.ID, Content: "x"})
		if want := beam.MarkStart + c.Name + " to=assistant" + beam.MarkChannel + "analysis" + beam.MarkMessage + "x" + beam.MarkEnd + assistantHead; err != nil || !strings.HasSuffix(next, want) {
			return &Violation{Grows, a.conversation(), fmt.Sprintf("reply %q: the result of call %d is rendered %q, %v", a.Reply, i, next, err)}
		}
	}
	return nil
}

// loss names what keeps a reply from being written again as it was, "" for
// nothing.
func (h *history) loss(a *Answer, m *harmony.Message) string {
	t := turnOf(m)
	switch {
	case t.content != "" && len(t.calls) > 0:
		return "an answer beside calls"
	case strings.Contains(t.reasoning+t.content, beam.MarkChannel):
		return "a channel header in a text"
	}
	regions := h.reply.Regions
	if len(regions) == 0 {
		return "no message"
	}
	at, calls := int64(0), 0
	for i, g := range regions {
		between := ""
		if i > 0 {
			between = assistantHead
		}
		last := i == len(regions)-1
		end := beam.MarkEnd
		switch {
		case a.Reply[max(at, 0):max(g.Span.Start, 0)] != between:
			return "text between messages"
		case (i == 0) != (g.Field == "thinking"):
			return "reasoning that does not come first, or twice"
		case g.Field == "content" && !last:
			return "an answer that is not the last message"
		case g.Field == "content":
			end = beam.MarkReturn
		case g.Field == "tool_calls" && last:
			end = beam.MarkCall
		}
		if closer := a.Reply[g.Body.End:g.Span.End]; closer != end && !(last && closer == "") {
			return "another end of a message"
		}
		if g.Field == "tool_calls" {
			if calls >= len(t.calls) || arguments(&t.calls[calls]) != a.Reply[g.Body.Start:g.Body.End] {
				return "arguments spelled otherwise"
			}
			calls++
		}
		at = g.Span.End
	}
	switch {
	case at != int64(len(a.Reply)):
		return "text behind the last message"
	case len(regions) == 1 && regions[0].Closed:
		return "reasoning alone"
	}
	return ""
}

// arguments are the arguments of a call as the page says that they are written.
func arguments(c *harmony.ToolCall) string {
	var b strings.Builder
	args, _ := c.Arguments.AsObject()
	for i := range args.Len() {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(`<rfl:parameter name="` + args.At(i).Name + "\">\n" + written(args.At(i).Value) + "\n</rfl:parameter>")
	}
	return b.String()
}

// CheckKeeps puts the model's own text into each of its turns, every second time
// without the stop token that servers cut off: the prompt is the same as before.
// Where a text of the turn has a marker that ends messages, nobody can tell which
// message the turn ended in, and the token stays.
func CheckKeeps(sub Subject, c *conversation.Conversation, tally Tally) *Violation {
	req := sub.decode(c)
	if req == nil || req.Continue != "" {
		return nil
	}
	req.GenerationPrompt = beam.Off
	r, err := sub.Spans(req)
	if err != nil {
		return nil
	}
	kept := *req
	kept.Messages = slices.Clone(req.Messages)
	turns := 0
	for i := range kept.Messages {
		m := &kept.Messages[i]
		if m.Role != harmony.Assistant || turns >= len(r.Spans) {
			continue
		}
		raw := r.Text[r.Spans[turns].Start:r.Spans[turns].End]
		if open := strings.TrimSuffix(strings.TrimSuffix(raw, beam.MarkReturn), beam.MarkCall); turns%2 == 1 && !turnOf(m).closes() {
			raw = open
			tally("kept=open")
		}
		m.Raw = raw
		tally("kept")
		turns++
	}
	text, err := sub.Render(&kept)
	if err != nil || text != r.Text {
		return &Violation{Grows, c, fmt.Sprintf("with the model's own text it is rendered\n  %q, %v\n  and was\n  %q", text, err, r.Text)}
	}
	return nil
}

// CheckStays reads a reply, renders the message and reads it again: the turn is the
// same but for what [unwritable] names. Rendered and read once more, it stays
// what it is.
func CheckStays(sub Subject, a *Answer, tally Tally) *Violation {
	h, ok := a.read(sub)
	if !ok {
		return nil
	}
	schemas := newSchemas(h.req.Tools)
	message := h.reply.Message
	for round := range 2 {
		m, err := harmony.DecodeMessage(message, "reply")
		if err != nil {
			return &Violation{Stays, a.conversation(), err.Error()}
		}
		next, err := h.after(sub, m)
		if err != nil {
			tally("again=refused")
			return nil
		}
		text := strings.TrimSuffix(strings.TrimPrefix(next, h.prompt), assistantHead)
		again, err := sub.Read(text, h.prompt, h.req.Tools)
		if err != nil {
			return &Violation{Stays, a.conversation(), fmt.Sprintf("reply %q is written %q, and reading that raises %v", a.Reply, text, err)}
		}
		name, why := turnOf(&m).same(again.Message, schemas)
		if why != "" || round == 1 && !value.Equal(again.Message, message) {
			return &Violation{Stays, a.conversation(), fmt.Sprintf("reply %q in round %d: %s%s", a.Reply, round, name, where(why+" ", text, again.Message))}
		}
		if round == 0 && name == "" {
			name = "same"
		}
		if round == 0 {
			tally("again=" + name)
		}
		message = again.Message
	}
	return nil
}
