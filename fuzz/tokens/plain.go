package tokens

import (
	"context"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Plain answers the mask cases that [Case] makes: the text is that of all turns,
// and the assistant's are the spans.
type Plain struct{ Encoder token.Encoder }

// Do answers mask requests.
func (p Plain) Do(_ context.Context, r engine.Request) corpus.Outcome {
	messages, _ := r.Case.Get("messages")
	var text strings.Builder
	var spans []harmony.Span
	for _, m := range list(messages) {
		content, _ := m.Get("content").AsString()
		start := int64(text.Len())
		text.WriteString(content)
		if role, _ := m.Get("role").AsString(); role == "assistant" {
			spans = append(spans, harmony.Span{Start: start, End: int64(text.Len())})
		}
	}
	e, err := p.Encoder.Encode(text.String())
	if err != nil {
		return corpus.Outcome{Kind: corpus.Failed, Why: err.Error()}
	}
	index := corpus.NewIndex(text.String())
	pair := func(s harmony.Span) value.Value {
		start, ok1 := index.Char(int(s.Start))
		end, ok2 := index.Char(int(s.End))
		if !ok1 || !ok2 {
			return value.String("cuts a character")
		}
		return value.List(value.Int(int64(start)), value.Int(int64(end)))
	}
	bit := func(in bool) value.Value {
		if in {
			return value.Int(1)
		}
		return value.Int(0)
	}
	return corpus.Outcome{Kind: corpus.OK, Value: value.Members(
		value.Member{Name: "text", Value: value.String(text.String())},
		value.Member{Name: "spans", Value: each(spans, pair)},
		value.Member{Name: "input_ids", Value: each(e.IDs, func(id token.ID) value.Value { return value.Int(int64(id)) })},
		value.Member{Name: "offsets", Value: each(e.Offsets, pair)},
		value.Member{Name: "assistant_masks", Value: each(token.Mask(e, spans), bit)},
	)}
}

func each[T any](items []T, f func(T) value.Value) value.Value {
	out := make([]value.Value, len(items))
	for i, item := range items {
		out[i] = f(item)
	}
	return value.List(out...)
}
