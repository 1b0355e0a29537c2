package engine

import (
	"errors"
	"fmt"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/template"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// mask renders a finished conversation with its spans.
func (n *Native) mask(in *value.Object) corpus.Outcome {
	c, _, refused := n.conversation(in)
	if refused != nil {
		return *refused
	}
	text, wrote, err := c.RenderSpans()
	if err != nil {
		return raised(err)
	}
	spans, err := characters(text, wrote)
	if err != nil {
		return failed(err.Error())
	}
	a := answering{text: text, spans: wrote, masked: true}
	a.Set("text", value.String(text))
	a.Set("spans", spans)
	return n.tokens(&a, in, func() (token.Encoding, error) { return n.tokenizer.encode(text) })
}

// encode renders a prompt and gives its ids.
func (n *Native) encode(in *value.Object) corpus.Outcome {
	c, source, refused := n.conversation(in)
	if refused != nil {
		return *refused
	}
	if !c.Sanitizes() {
		text, err := c.Render()
		if err != nil {
			return raised(err)
		}
		a := answering{text: text}
		a.Set("text", value.String(text))
		return n.tokens(&a, in, func() (token.Encoding, error) { return n.tokenizer.encode(text) })
	}
	v, err := n.tokenizer.vocabulary()
	if err != nil {
		return cannot(fmt.Sprintf("control tokens cannot be sanitised: %v", err))
	}
	marker := token.NewMarker(n.checkpoint.ControlTokens(source, v.Added()))
	marked, err := c.RenderMarked(marker.Mark)
	if err != nil {
		return raised(err)
	}
	a := answering{text: token.Unmark(marked), safe: true}
	a.Set("text", value.String(a.text))
	return n.tokens(&a, in, func() (token.Encoding, error) { return n.tokenizer.encodeSafe(marked) })
}

// answering is an answer to encode or mask on its way.
type answering struct {
	value.Object
	text   string
	spans  []harmony.Span
	masked bool // assistant_masks is asked for
	safe   bool // of a sanitised conversation
}

// tokens adds the tokens of the text, where there is an encoder and the text has
// ids: one with a lone surrogate has none.
func (n *Native) tokens(a *answering, in *value.Object, encode func() (token.Encoding, error)) corpus.Outcome {
	if n.checkpoint.Tokenizer == nil || value.InvalidUTF8(a.text) >= 0 {
		return given(a.Value())
	}
	l, err := n.lengths(in)
	var wrong *template.Error
	switch {
	case errors.As(err, &wrong):
		return raised(err)
	case err != nil:
		return cannot(err.Error())
	}
	e, err := encode()
	var without *token.NoEncoderError
	var refused *token.LoadError
	var unsafe *token.UnsafeError
	switch {
	case errors.As(err, &without), errors.As(err, &refused):
		return given(a.Value()) // the engine does not say that it has ids
	case errors.As(err, &unsafe):
		return corpus.Outcome{Kind: corpus.Raised, Class: "ValueError", Message: err.Error(), Offset: -1}
	case err != nil:
		return failed(err.Error())
	}
	e = l.truncate(e, a.safe)
	row, err := l.pad(e, a.spans, a.safe)
	if err != nil {
		return failed(err.Error())
	}
	a.Set("input_ids", list(row.IDs[0], func(id token.ID) value.Value { return value.Int(int64(id)) }))
	if !a.safe {
		offsets, err := characters(a.text, l.padOffsets(e.Offsets, len(row.IDs[0])))
		if err != nil {
			return failed(err.Error())
		}
		a.Set("offsets", offsets)
	}
	if _, asked := in.Get(keyPadding); asked {
		a.Set("attention_mask", list(row.Attention[0], bit))
	}
	if a.masked {
		a.Set("assistant_masks", list(row.Mask[0], bit))
	}
	return given(a.Value())
}

func bit(b bool) value.Value {
	if b {
		return value.Int(1)
	}
	return value.Int(0)
}

func list[T any](items []T, f func(T) value.Value) value.Value {
	out := make([]value.Value, len(items))
	for i, item := range items {
		out[i] = f(item)
	}
	return value.List(out...)
}

// characters gives spans of bytes as ranges of characters.
func characters(text string, spans []harmony.Span) (value.Value, error) {
	index := corpus.NewIndex(text)
	out := make([]value.Value, len(spans))
	for i, s := range spans {
		start, ok1 := index.Char(int(s.Start))
		end, ok2 := index.Char(int(s.End))
		if !ok1 || !ok2 {
			return value.Null(), fmt.Errorf("span [%d,%d) cuts a character", s.Start, s.End)
		}
		out[i] = value.List(value.Int(int64(start)), value.Int(int64(end)))
	}
	return value.List(out...), nil
}
