package ci

import (
	"fmt"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// TokenMask marks the tokens that the model wrote, given the spans of the text
// that it wrote and each token's offsets, both in code points and half open. It
// is the rule of Transformers 5.24.0: one walk over both; a token is marked
// when any part of it lies in a span, so all tokens of one character share its
// fate.
func TokenMask(spans, offsets [][2]int64) []int64 {
	mask := make([]int64, len(offsets))
	at := 0
	for i, token := range offsets {
		for at < len(spans) && token[0] >= spans[at][1] {
			at++
		}
		if at == len(spans) {
			break
		}
		if token[1] > spans[at][0] {
			mask[i] = 1
		}
	}
	return mask
}

// Characters maps a token mask back to the text: the spans, in code points and
// half open, that its marked tokens cover by their offsets. Spans that touch are
// one; a token without width covers nothing.
func Characters(mask []int64, offsets [][2]int64) [][2]int64 {
	spans := [][2]int64{}
	for i, token := range offsets {
		if i >= len(mask) || mask[i] == 0 || token[0] == token[1] {
			continue
		}
		if last := len(spans) - 1; last >= 0 && token[0] <= spans[last][1] {
			spans[last][1] = max(spans[last][1], token[1])
		} else {
			spans = append(spans, token)
		}
	}
	return spans
}

// judgeTokens compares one engine's spans with the mask that the judge's
// tokenizer made; nil where they agree or the judge has no tokens.
//
// First as characters: what the judge's mask covers in the text, against what
// the spans cover once they are widened to whole tokens, by the same offsets.
// Then token by token, which sees more: a token without width, or one of
// several that share a character, can be marked on one side alone and add no
// character. A span that begins or ends inside a token, which no mask can show,
// is compared as a span where the judge gives spans too.
func judgeTokens(left, judge corpus.Outcome) *Where {
	if left.Kind != corpus.OK || judge.Kind != corpus.OK || judge.Value.Get("assistant_masks").IsNull() {
		return nil
	}
	spans, ok := pairs(left.Value.Get("spans"))
	offsets, ok2 := pairs(judge.Value.Get("offsets"))
	if !ok || !ok2 {
		return &Where{Path: "$.offsets", Offset: -1, Left: short(left.Value.Get("spans")), Right: short(judge.Value.Get("offsets"))}
	}
	bits, ok := integers(judge.Value.Get("assistant_masks"))
	if !ok || len(bits) != len(offsets) {
		return &Where{Path: "$.assistant_masks", Offset: -1, Left: fmt.Sprintf("%d tokens", len(offsets)), Right: short(judge.Value.Get("assistant_masks"))}
	}
	mask := TokenMask(spans, offsets)
	if w := Locate("$.assistant_masks, in characters", spansValue(Characters(mask, offsets)), spansValue(Characters(bits, offsets))); w != nil {
		return w
	}
	return Locate("$.assistant_masks", list(mask, value.Int), list(bits, value.Int))
}

// integers reads [0,1,...].
func integers(v value.Value) ([]int64, bool) {
	list, ok := v.AsArray()
	if !ok {
		return nil, false
	}
	out := make([]int64, list.Len())
	for i, item := range list.All() {
		if out[i], ok = item.AsInt(); !ok {
			return nil, false
		}
	}
	return out, true
}

func spansValue(spans [][2]int64) value.Value {
	return list(spans, func(s [2]int64) value.Value { return list(s[:], value.Int) })
}

// pairs reads [[start,end],...].
func pairs(v value.Value) ([][2]int64, bool) {
	list, ok := v.AsArray()
	if !ok {
		return nil, false
	}
	out := make([][2]int64, 0, list.Len())
	for _, item := range list.All() {
		p, ok := item.AsArray()
		if !ok || p.Len() != 2 {
			return nil, false
		}
		start, ok1 := p.At(0).AsInt()
		end, ok2 := p.At(1).AsInt()
		if !ok1 || !ok2 {
			return nil, false
		}
		out = append(out, [2]int64{start, end})
	}
	return out, true
}
