package openai

import (
	"bytes"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// What stands before the texts of an assistant turn.
const (
	analysisHead = MarkStart + "assistant" + MarkChannel + "analysis" + MarkMessage
	finalHead    = MarkStart + "assistant" + MarkChannel + "final" + MarkMessage
)

// developer writes the instructions and the tools, and gives the number of the
// first message behind the instructions. Only the first message can be
// instructions; the template passes over later ones.
func (w *writer) developer() (first int, err error) {
	content := lacks("content")
	if m := see(w.message(0)); m.Role == harmony.Developer || m.Role == harmony.System {
		first, content = 1, m.get("content")
	}
	if !content.truthy() && len(w.req.Tools) == 0 {
		return first, nil
	}
	w.text(MarkStart + "developer" + MarkMessage)
	if content.truthy() {
		w.text("# Instructions\n\n")
		w.print(content)
		w.text("\n\n")
	}
	if len(w.req.Tools) > 0 {
		w.text("# Tools\n\n")
		if err := w.tools(); err != nil {
			return 0, err
		}
	}
	w.text(MarkEnd)
	return first, nil
}

// turn writes message i, of which first is the first one behind the instructions.
// A role that is not known is passed over.
func (w *writer) turn(i, first int) error {
	m := see(w.message(i))
	if m.Raw != "" && m.Role != harmony.Assistant {
		return template.Refuse(template.At(i)+".Raw", "%s.Raw belongs to an assistant turn.", template.At(i))
	}
	switch m.Role {
	case harmony.Assistant:
		from := len(w.buf)
		write := w.assistant
		if m.Raw != "" {
			write = w.raw
		}
		if err := write(m, i); err != nil {
			return err
		}
		w.span(from)
	case harmony.Tool:
		return w.result(m, i)
	case harmony.User:
		w.at(i, "content")
		w.text(MarkStart + "user" + MarkMessage)
		if err := w.add(m.get("content")); err != nil {
			return err
		}
		w.text(MarkEnd)
	}
	return nil
}

// span adds the bytes from from on to the spans.
func (w *writer) span(from int) {
	if w.mask {
		w.spans = append(w.spans, harmony.Span{Start: int64(from - w.start), End: int64(len(w.buf) - w.start)})
	}
}

// assistant writes an assistant turn: a call, or an answer.
func (w *writer) assistant(m message, i int) error {
	for _, field := range [...]string{"content", "thinking"} {
		w.at(i, field)
		if err := w.plain(m.get(field), field); err != nil {
			return err
		}
	}
	if calls := m.get("tool_calls"); calls.isDefined() {
		return w.callTurn(m, i)
	}
	content, end := m.get("content"), MarkEnd
	if i == len(w.req.Messages)-1 && !w.prompt {
		// Reasoning is written for training alone: at the end of a conversation.
		end = MarkReturn
		if thinking := m.get("thinking"); thinking.isDefined() {
			w.at(i, "thinking")
			w.text(analysisHead)
			if err := w.add(thinking); err != nil {
				return err
			}
			w.text(MarkEnd)
		}
	}
	w.at(i, "content")
	w.text(finalHead)
	if err := w.add(content); err != nil {
		return err
	}
	w.text(end)
	if end == MarkEnd {
		w.called = dynamic{}
	}
	return nil
}

// plain refuses a text that holds the headers of messages.
func (w *writer) plain(d dynamic, field string) error {
	if !d.isDefined() {
		return nil
	}
	for _, head := range [...]string{MarkChannel + "analysis" + MarkMessage, MarkChannel + "final" + MarkMessage} {
		has, err := w.contains(d, head)
		if err != nil {
			return err
		}
		if has {
			return template.Refuse(w.where(), "You have passed a message containing <|channel|> tags in the %s field. Instead of doing this, you should pass analysis messages (the string between '<|message|>' and '<|end|>') in the 'thinking' field, and final messages (the string between '<|message|>' and '<|end|>') in the 'content' field.", field)
		}
	}
	return nil
}

// callTurn writes a turn that calls a tool. Only the first call is written; what
// the model says before it stands on the channel analysis, unless an answer comes
// later.
func (w *writer) callTurn(m message, i int) error {
	w.at(i, "tool_calls[0]")
	c, err := w.firstCall(m)
	if err != nil {
		return err
	}
	content, thinking := m.get("content"), m.get("thinking")
	said := content
	switch {
	case content.truthy() && thinking.truthy():
		return template.Refuse(template.At(i), "Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one or the other, but not both.")
	case !content.truthy():
		said = thinking
	}
	if said.truthy() && !w.answered(i) {
		w.at(i, "content")
		w.text(analysisHead)
		if err := w.add(said); err != nil {
			return err
		}
		w.text(MarkEnd)
	}
	name, err := w.get(c, "name")
	if err != nil {
		return err
	}
	w.at(i, "tool_calls[0]")
	w.text(MarkStart + "assistant to=functions.")
	if err := w.add(name); err != nil {
		return err
	}
	w.text(MarkChannel + "commentary ")
	kind, err := w.get(c, "content_type")
	switch {
	case err != nil:
		return err
	case !kind.isDefined():
		w.text("json")
	default:
		if err := w.addTo(kind); err != nil {
			return err
		}
	}
	w.text(MarkMessage)
	arguments, err := w.get(c, "arguments")
	if err != nil {
		return err
	}
	if err := w.json(arguments); err != nil {
		return err
	}
	w.text(MarkCall)
	w.called = name
	return nil
}

// answered tells whether an assistant turn without calls comes after message i.
func (w *writer) answered(i int) bool {
	for j := i + 1; j < len(w.req.Messages); j++ {
		m := message{Message: w.message(j)}
		if m.Role == harmony.Assistant && !m.get("tool_calls").isDefined() {
			return true
		}
	}
	return false
}

// result writes what a tool said, for the tool that was called last.
func (w *writer) result(m message, i int) error {
	if w.called.IsNull() {
		return template.Refuse(template.At(i), "Message has tool role, but there was no previous assistant message with a tool call!")
	}
	w.at(i, "content")
	w.text(MarkStart + "functions.")
	w.print(w.called)
	w.text(" to=assistant" + MarkChannel + "commentary" + MarkMessage)
	if err := w.json(m.get("content")); err != nil {
		return err
	}
	w.text(MarkEnd)
	return nil
}

// raw writes the model's own text of a turn, as history has it: an answer ends
// with the end marker and not with the stop token (the notes, on the history).
func (w *writer) raw(m message, i int) error {
	w.text(MarkStart + "assistant")
	w.text(m.Raw)
	last := i == len(w.req.Messages)-1 && !w.prompt
	switch open := bytes.LastIndex(w.buf, []byte(MarkMessage)); {
	case last && w.req.Continue != "":
	case strings.HasSuffix(m.Raw, MarkReturn) && !last:
		w.buf = append(w.buf[:len(w.buf)-len(MarkReturn)], MarkEnd...)
	case strings.HasSuffix(m.Raw, MarkReturn), strings.HasSuffix(m.Raw, MarkCall), strings.HasSuffix(m.Raw, MarkEnd):
	case open >= 0 && bytes.Contains(w.buf[bytes.LastIndex(w.buf[:open], []byte(MarkStart)):open], []byte(" to=")):
		w.text(MarkCall)
	default:
		w.text(MarkEnd)
	}
	w.called = dynamic{}
	if len(m.ToolCalls) > 0 {
		w.called = defined(value.String(m.ToolCalls[len(m.ToolCalls)-1].Name))
	}
	return nil
}
