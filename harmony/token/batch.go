package token

import (
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/harmony"
)

// Side is an end of a sequence.
type Side uint8

const (
	Right Side = iota
	Left
)

// Truncate cuts an encoding to at most n ids: of a longer one the ids of the
// given side are dropped. Offsets stay those of the whole text.
func Truncate(e Encoding, n int, side Side) Encoding {
	drop := len(e.IDs) - max(n, 0)
	if drop <= 0 {
		return e
	}
	if side == Left {
		return Encoding{IDs: e.IDs[drop:], Offsets: e.Offsets[drop:]}
	}
	n = len(e.IDs) - drop
	return Encoding{IDs: e.IDs[:n:n], Offsets: e.Offsets[:n:n]}
}

// Padding says how long the rows of a batch become.
type Padding uint8

const (
	NoPadding   Padding = iota
	PadLongest          // as long as the longest row (padding=True)
	PadToLength         // MaxLength (padding="max_length")
)

// BatchOptions are the arguments of Transformers' tokenizers that shape batches.
type BatchOptions struct {
	// MaxLength is the number of ids to cut or pad to; no row is padded to more
	// than [MostPadded].
	MaxLength int
	// Truncate cuts rows to MaxLength (truncation=True); TruncateSide is the side
	// that is dropped (truncation_side).
	Truncate     bool
	TruncateSide Side
	// Padding is how far rows are padded, PadSide where (padding_side), PadID with
	// what. A row that is longer stays as it is.
	Padding Padding
	PadSide Side
	PadID   ID
	// Multiple is pad_to_multiple_of; 0 is none.
	Multiple int
}

// MostPadded is the most ids that a row is padded to: as many take some hundred
// megabytes of memory.
const MostPadded = 1 << 26

// BatchError is a choice of options that Transformers refuses (ValueError), or
// for which it runs out of memory.
type BatchError struct{ What string }

func (e *BatchError) Error() string { return e.What }

// Batch is rows of ids for training. All its slices have the same lengths.
type Batch struct {
	IDs [][]ID
	// Attention tells which ids are not padding.
	Attention [][]bool
	// Mask tells which ids the model wrote ([Mask]); padding is not.
	Mask [][]bool
}

// NewBatch cuts and pads encodings, and masks them by their spans: one list of
// spans for each. The error is a *BatchError.
func NewBatch(encodings []Encoding, spans [][]harmony.Span, o BatchOptions) (Batch, error) {
	switch {
	case len(spans) != len(encodings):
		return Batch{}, &BatchError{fmt.Sprintf("%d encodings have %d lists of spans", len(encodings), len(spans))}
	case (o.Truncate || o.Padding == PadToLength) && o.MaxLength <= 0:
		return Batch{}, &BatchError{"cutting, or padding to a length, needs a MaxLength"}
	case o.Multiple < 0:
		return Batch{}, &BatchError{"Multiple must not be negative"}
	case o.Truncate && o.Padding != NoPadding && o.Multiple > 0 && o.MaxLength%o.Multiple != 0:
		return Batch{}, &BatchError{fmt.Sprintf("the rows are cut and padded, but MaxLength %d is no multiple of %d", o.MaxLength, o.Multiple)}
	}
	b := Batch{IDs: make([][]ID, len(encodings)), Attention: make([][]bool, len(encodings)), Mask: make([][]bool, len(encodings))}
	cut := make([]Encoding, len(encodings))
	length := 0
	for i, e := range encodings {
		if cut[i] = e; o.Truncate {
			cut[i] = Truncate(e, o.MaxLength, o.TruncateSide)
		}
		length = max(length, len(cut[i].IDs))
	}
	switch o.Padding {
	case NoPadding:
		length = 0
	case PadToLength:
		length = o.MaxLength
	}
	if o.Multiple > 0 && length%o.Multiple != 0 {
		whole := length - length%o.Multiple
		if length = MostPadded + 1; o.Multiple <= MostPadded-whole { // else the sum may overflow
			length = whole + o.Multiple
		}
	}
	if length > MostPadded {
		return Batch{}, &BatchError{fmt.Sprintf("rows of more than %d ids are not made; choose a smaller MaxLength or Multiple", MostPadded)}
	}
	for i, e := range cut {
		missing := max(0, length-len(e.IDs))
		b.IDs[i] = pad(e.IDs, missing, o.PadSide, o.PadID)
		b.Attention[i] = pad(slices.Repeat([]bool{true}, len(e.IDs)), missing, o.PadSide, false)
		b.Mask[i] = pad(Mask(e, spans[i]), missing, o.PadSide, false)
	}
	return b, nil
}

// pad makes a row longer by n values on a side. It is a row of its own.
func pad[T any](row []T, n int, side Side, value T) []T {
	padding := slices.Repeat([]T{value}, n)
	if side == Left {
		return append(padding, row...)
	}
	return slices.Concat(row, padding)
}
