package tokens

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Laws holds Beam conversations, with the ids of an encoder, to the laws of
// package token.
type Laws struct {
	Vocabulary *token.Vocabulary
	Encoder    token.Encoder
	// Spans renders a request, as beam.RenderSpans does.
	Spans func(*beam.Request) (beam.Result, error)
}

// Verdict is what the laws say of a conversation.
type Verdict struct {
	Rendered bool // it renders, so that there is something to judge
	Markers  int  // that the renderer wrote
	Turns    int  // that the model wrote
	// Forged are the control ids that texts of the request wrote. They are no
	// breach here: each has been reported with its path.
	Forged []token.Finding
	// Breaches are the laws that do not hold.
	Breaches []token.Finding
}

// Check judges a conversation. The error is a text that the encoder fails on.
func (l Laws) Check(c *conversation.Conversation) (v Verdict, err error) {
	request := c.Input.Value()
	made, ok := l.render(request)
	if !ok || value.InvalidUTF8(made.Text) >= 0 {
		return v, nil
	}
	v.Rendered, v.Turns = true, len(made.Spans)
	e, err := l.Encoder.Encode(made.Text)
	if err != nil {
		return v, err
	}
	pieces, err := token.CheckPieces(l.Vocabulary, l.Encoder, made.Text)
	if err != nil {
		return v, err
	}
	v.Breaches = slices.Concat(token.CheckMarkers(l.Vocabulary, beam.Markers()), token.CheckEncoding(l.Vocabulary, made.Text, e), pieces,
		token.CheckMask(l.Vocabulary, e, token.Mask(e, made.Spans), made.Spans, beam.StopTokens()))
	return v, l.control(&v, request, made.Text, e)
}

// control compares the control ids with the markers that the renderer wrote.
func (l Laws) control(v *Verdict, request value.Value, text string, e token.Encoding) error {
	breach := func(format string, args ...any) {
		v.Breaches = append(v.Breaches, token.Finding{Law: token.LawControl, Offset: -1, Detail: fmt.Sprintf(format, args...)})
	}
	tracer := token.NewTracer(l.Vocabulary)
	marked, err := tracer.Mark(request)
	if err != nil {
		return err
	}
	made, ok := l.render(marked)
	if !ok {
		breach("the request does not render with its texts marked")
		return nil
	}
	trace, err := tracer.Trace(made.Text)
	if err != nil {
		return err
	}
	if trace.Text != text {
		if token.Unmark(text) == text {
			breach("the marks changed the prompt: %q", trace.Text)
		}
		return nil // the caller's texts hold marks of their own
	}
	v.Markers = len(trace.Written)
	v.Forged = token.CheckControl(l.Vocabulary, trace, e)
	if len(v.Forged) != len(trace.Foreign) {
		v.Breaches = append(v.Breaches, v.Forged...)
	}
	// Without the letters of markers in its texts, the same conversation has the
	// renderer's markers alone.
	plain, same := defused(request)
	made, ok = l.render(plain)
	if !same || !ok {
		return nil
	}
	found, err := l.Vocabulary.Scan(made.Text)
	if err == nil && len(found) != len(trace.Written) {
		breach("the renderer is said to have written %d markers, and writes %d", len(trace.Written), len(found))
	}
	return err
}

// render renders a request as a finished conversation, or as it asks.
func (l Laws) render(request value.Value) (beam.Result, bool) {
	req, err := beam.DecodeRequest(request)
	if err != nil {
		return beam.Result{}, false
	}
	made, err := l.Spans(req)
	return made, err == nil
}

var letters = strings.NewReplacer("<", "(", ">", ")", "|", "!")

// defused is a value with other letters for those of markers. same is false where
// names of members come to be the same.
func defused(v value.Value) (out value.Value, same bool) {
	same = true
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		return value.String(letters.Replace(s)), true
	case value.KindArray:
		return each(list(v), func(item value.Value) value.Value {
			d, ok := defused(item)
			same = same && ok
			return d
		}), same
	case value.KindObject:
		o, _ := v.AsObject()
		out := value.NewObject(o.Len())
		for name, member := range o.All() {
			d, ok := defused(member)
			same = same && ok
			out.Set(letters.Replace(name), d)
		}
		return out.Value(), same && out.Len() == o.Len()
	}
	return v, true
}
