package beam

import (
	"strings"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam/decide"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// content writes the text of message i: a string, or a list of text parts.
func (w *writer) content(m *harmony.Message, i int) *Error {
	if m.Content != "" {
		if len(m.Parts) > 0 {
			return refuseAt(messageAt(i), " has both Content and Parts. Use one of them.")
		}
		w.text(m.Content)
		return nil
	}
	if m.Parts != nil {
		return w.parts(m.Parts, i)
	}
	v, _ := m.Extra.Get("content")
	switch v.Kind() {
	case value.KindNull:
	case value.KindString:
		s, _ := v.AsString()
		w.text(s)
	case value.KindArray:
		return w.rawParts(v, i)
	default:
		return refuseAt(messageAt(i)+".content", " must be a string or a list of text parts.")
	}
	return nil
}

// parts writes a list of parts.
func (w *writer) parts(parts []harmony.Part, i int) *Error {
	p := partWriter{w: w, i: i}
	for j := range parts {
		if err := p.part(j, parts[j].Text, parts[j].Type == "text"); err != nil {
			return err
		}
	}
	return nil
}

// rawParts writes a list of which an item is no part.
func (w *writer) rawParts(list value.Value, i int) *Error {
	p := partWriter{w: w, i: i}
	a, _ := list.AsArray()
	for j, item := range a.All() {
		kind, _ := item.Get("type").AsString()
		text, ok := item.Get("text").AsString()
		if err := p.part(j, text, ok && kind == "text"); err != nil {
			return err
		}
	}
	return nil
}

// partWriter writes the parts of message i.
type partWriter struct {
	w       *writer
	i       int
	written bool
}

// part writes part j.
func (p *partWriter) part(j int, text string, isText bool) *Error {
	d := &p.w.opts.Decisions
	if d.ContentParts == decide.ContentPartsRefuse {
		return refuseAt(messageAt(p.i)+".content", " must be a string.")
	}
	if !isText {
		if d.OtherParts == decide.OtherPartsSkip {
			return nil
		}
		return refuseAt(messageAt(p.i)+".content"+index(j), ` must be a text part: {"type": "text", "text": "..."}. Beam reads text only.`)
	}
	if p.written && d.ContentParts == decide.ContentPartsLines {
		p.w.text("\n")
	}
	p.written = true
	p.w.text(text)
	return nil
}

// isName tells whether a name can stand in a message's header: it is not empty
// and has no white space, as Python's str.split sees it, and no "<".
func isName(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c <= ' ' && value.IsSpace(rune(c)) || c == '<' {
			return false
		}
		if c >= utf8.RuneSelf {
			return !strings.ContainsFunc(name[i:], func(r rune) bool { return value.IsSpace(r) || r == '<' })
		}
	}
	return name != ""
}

// name writes a name that stands in a message's header.
func (w *writer) name(name string) bool {
	if !isName(name) && (w.opts.Decisions.ToolName == decide.ToolNameRefuse || name == "") {
		return false
	}
	w.text(name)
	return true
}

const notName = ` must be a non-empty string without spaces and without "<".`
