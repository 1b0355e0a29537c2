package token

import "github.com/beamdiff/beamdiff/harmony"

// Mask tells for each id whether the model wrote any of it: whether its bytes
// overlap one of the spans, which stand in order. It is the rule of
// apply_chat_template(return_assistant_tokens_mask=True) in Transformers 5.24:
// an id that only begins or only ends inside a span counts.
func Mask(e Encoding, spans []harmony.Span) []bool {
	mask := make([]bool, len(e.Offsets))
	for i, at := range e.Offsets {
		for len(spans) > 0 && at.Start >= spans[0].End {
			spans = spans[1:]
		}
		if len(spans) == 0 {
			break
		}
		mask[i] = at.End > spans[0].Start
	}
	return mask
}
