package beam

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// turn writes message i. Instructions stand in the developer message, or are
// not rendered at all.
func (w *writer) turn(i int) *Error {
	m := w.message(i)
	if m.Raw != "" && m.Role != harmony.Assistant {
		return refuseAt(messageAt(i)+".Raw", " belongs to an assistant turn.")
	}
	switch m.Role {
	case harmony.System, harmony.Developer:
		return nil
	case harmony.User:
		w.text(MarkStart + "user" + MarkMessage)
	case harmony.Assistant:
		if m.Raw != "" {
			w.raw(m, i)
			return nil
		}
		return w.assistant(m, i)
	case harmony.Tool:
		w.text(MarkStart)
		if err := w.speaker(m, i); err != nil {
			return err
		}
		w.text(resultHead)
	default:
		decision := w.opts.Decisions.UnknownRole
		if decision == decide.UnknownRoleSkip {
			return nil
		}
		if decision == decide.UnknownRoleRefuse || m.Role == "" {
			return refuseAt(messageAt(i)+".role", " must be one of: system, developer, user, assistant, tool.")
		}
		w.text(MarkStart)
		w.text(m.Role)
		w.text(MarkMessage)
	}
	if err := w.content(m, i); err != nil {
		return err
	}
	w.text(MarkEnd)
	return nil
}

// assistant writes an assistant turn: its reasoning, then its calls or its
// answer.
func (w *writer) assistant(m *harmony.Message, i int) *Error {
	d := &w.opts.Decisions
	reasoning, err := w.reasoning(m, i)
	if err != nil {
		return err
	}
	if w.prompt && w.args.require && isMissing(reasoning, d.BlankReasoning) {
		return refuse(messageAt(i), "The assistant turn at %s is missing its reasoning. Dropping reasoning from earlier turns degrades this model's output. Send it back in 'reasoning_content', or set allow_missing_thinking=true to skip this check.", messageAt(i))
	}
	w.text(assistantHead)
	from := len(w.buf)
	w.text(analysisHead)
	w.text(reasoning)
	w.text(MarkEnd)
	afterReasoning := len(w.buf)
	w.text(assistantHead + finalHead)
	at := len(w.buf)
	if err := w.content(m, i); err != nil {
		return err
	}
	content := w.buf[at:]
	if hasHeader(reasoning, d.ChannelHeader) || hasHeaderBytes(content, d.ChannelHeader) {
		return refuse(messageAt(i), "The assistant turn at %s has a channel header (<|channel|>) in its text. Send plain text: the reasoning in 'reasoning_content', the answer in 'content'.", messageAt(i))
	}
	for _, field := range [...]string{"refusal", "function_call"} {
		if v, _ := m.Extra.Get(field); v.Truthy() {
			return refuseAt(messageAt(i)+"."+field, " cannot be rendered. Send text in 'content' and calls in 'tool_calls'.")
		}
	}
	calls, err := callsOf(m, i)
	if err != nil {
		return err
	}
	switch {
	case calls.len() == 0 && len(content) == 0 && d.EmptyTurn == decide.EmptyTurnNone:
		w.buf = w.buf[:afterReasoning]
	case calls.len() == 0:
		w.text(MarkReturn)
	default:
		if len(content) > 0 && d.CallContent == decide.CallContentRefuse {
			return refuseAt(messageAt(i), " has both 'content' and 'tool_calls'. Beam writes no text beside its calls: send the text in 'reasoning_content', or in a message of its own.")
		}
		if len(content) > 0 && d.CallContent == decide.CallContentFinal {
			w.text(MarkEnd)
		} else {
			w.buf = w.buf[:afterReasoning]
		}
		for j := range calls.len() {
			w.text(assistantHead)
			if err := w.call(calls, i, j); err != nil {
				return err
			}
			if j < calls.len()-1 {
				w.text(MarkEnd)
			}
		}
		w.text(MarkCall)
	}
	w.calls.add(m, i)
	w.span(from)
	return nil
}

// reasoning gives the reasoning of an assistant turn, from the three fields as
// Transformers passes them on: the first of them that is there also stands in
// for a missing reasoning_content and a missing thinking.
func (w *writer) reasoning(m *harmony.Message, i int) (string, *Error) {
	if m.Extra == nil {
		return m.Thinking, nil
	}
	fields, _ := template.Reasoning(m)
	text := ""
	for k, key := range harmony.ThinkingKeys() {
		s, ok := fields[k].AsString()
		switch {
		case !ok && !fields[k].IsNull():
			return "", refuse(messageAt(i)+"."+sentKey(m, k), "%s.%s must be a string.", messageAt(i), key)
		case s != "" && text != "" && s != text:
			if w.opts.Decisions.ReasoningFields == decide.ReasoningFieldsFirst {
				continue
			}
			return "", refuse(messageAt(i), "The assistant turn at %s has different texts in 'reasoning_content', 'thinking' and 'reasoning'. Send its reasoning once.", messageAt(i))
		case s != "":
			text = s
		}
	}
	return text, nil
}

// sentKey is the key under which a message sent what the template sees as its
// reasoning field k: the field itself, or the first that is there.
func sentKey(m *harmony.Message, k int) string {
	keys := harmony.ThinkingKeys()
	for _, key := range append(keys[k:k+1:k+1], keys[:]...) {
		if v, _ := m.Extra.Get(key); !v.IsNull() {
			return key
		}
	}
	return keys[k]
}

func isMissing(reasoning string, decision decide.BlankReasoning) bool {
	if decision == decide.BlankReasoningMissing {
		reasoning = value.Strip(reasoning)
	}
	return reasoning == ""
}

// hasHeader tells whether a text has what is refused as a channel header.
func hasHeader(text string, decision decide.ChannelHeader) bool {
	switch decision {
	case decide.ChannelHeaderWrite:
		return false
	case decide.ChannelHeaderHeaders:
		return strings.Contains(text, analysisHead) || strings.Contains(text, finalHead)
	}
	return strings.Contains(text, MarkChannel)
}

// hasHeaderBytes is hasHeader for what was written.
func hasHeaderBytes(text []byte, decision decide.ChannelHeader) bool {
	return bytes.Contains(text, []byte(MarkChannel)) && hasHeader(string(text), decision)
}

// raw writes the model's own text of a turn. A text whose last message is open
// (servers cut the stop token, or the limit of tokens did) is closed with the
// stop token of that message, so that what follows is a message of its own;
// prompt and text still begin the next prompt.
func (w *writer) raw(m *harmony.Message, i int) {
	w.text(assistantHead)
	from := len(w.buf)
	w.text(m.Raw)
	if !w.isContinued(i) {
		w.text(missingStop(m.Raw))
	}
	w.calls.add(m, i)
	w.span(from)
}

// missingStop gives the stop token that the text of a turn lacks, "" where its
// last message is closed.
func missingStop(raw string) string {
	for _, mark := range [...]string{MarkReturn, MarkCall, MarkEnd} {
		if strings.HasSuffix(raw, mark) {
			return ""
		}
	}
	header := raw
	if at := strings.LastIndex(raw, assistantHead); at >= 0 {
		header = raw[at+len(assistantHead):]
	}
	if strings.HasPrefix(header, " to=") {
		return MarkCall
	}
	return MarkReturn
}

// isContinued tells whether message i is the one that the model goes on with.
func (w *writer) isContinued(i int) bool {
	return w.req.Continue != "" && i == len(w.req.Messages)-1
}

// span records what was written from a byte on as the model's.
func (w *writer) span(from int) {
	if w.mask {
		w.spans = append(w.spans, harmony.Span{Start: int64(from - w.start), End: int64(len(w.buf) - w.start)})
	}
}

func index(i int) string { return fmt.Sprintf("[%d]", i) }
