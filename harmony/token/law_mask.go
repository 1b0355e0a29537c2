package token

import (
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/harmony"
)

// CheckMask looks whether a mask is one to train on, given the spans that the
// model wrote, one a turn: each has an id in the mask, no id in it reaches out of
// the spans into what another role wrote ([LawMask]), and each span ends with the
// id of a stop token ([LawStop]), which the model has to learn to write.
func CheckMask(v *Vocabulary, e Encoding, mask []bool, spans []harmony.Span, stops []string) []Finding {
	var out []Finding
	if len(mask) != len(e.IDs) {
		return []Finding{{Law: LawMask, Offset: -1, Detail: fmt.Sprintf("%d ids have a mask of %d", len(e.IDs), len(mask))}}
	}
	i := 0
	for n, span := range spans {
		last, some := -1, false
		for ; i < len(e.Offsets) && e.Offsets[i].Start < span.End; i++ {
			at := e.Offsets[i]
			inside := at.Start >= span.Start && at.End <= span.End
			if mask[i] && !inside {
				out = append(out, Finding{Law: LawMask, Offset: at.Start, Token: v.name(e.IDs[i]),
					Detail: fmt.Sprintf("id %d, at index %d, is in the mask and reaches out of what the model wrote", e.IDs[i], i)})
			}
			if mask[i] && overlaps(at, span) {
				some = true
			}
			if inside && at.End == span.End {
				last = i
			}
		}
		if !some {
			out = append(out, Finding{Law: LawMask, Offset: span.Start, Detail: fmt.Sprintf("no id of assistant turn %d is in the mask", n)})
		}
		if last < 0 || !slices.Contains(stops, v.name(e.IDs[last])) {
			out = append(out, Finding{Law: LawStop, Offset: span.End, Detail: fmt.Sprintf("assistant turn %d does not end with the id of a stop token", n)})
		}
	}
	for ; i < len(mask); i++ {
		if mask[i] {
			out = append(out, Finding{Law: LawMask, Offset: e.Offsets[i].Start, Token: v.name(e.IDs[i]),
				Detail: fmt.Sprintf("id %d, at index %d, is in the mask, and no turn of the model's has it", e.IDs[i], i)})
		}
	}
	return out
}
