package token

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

func spansOf(pairs ...int64) []harmony.Span {
	var out []harmony.Span
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, harmony.Span{Start: pairs[i], End: pairs[i+1]})
	}
	return out
}

// bits writes a mask as digits.
func bits(mask []bool) string {
	out := make([]byte, len(mask))
	for i, b := range mask {
		out[i] = '0'
		if b {
			out[i] = '1'
		}
	}
	return string(out)
}

// An id counts when its bytes overlap a span, in one pass over both.
func TestMask(t *testing.T) {
	for _, c := range []struct {
		offsets, spans []harmony.Span
		want           string
	}{
		{spansOf(0, 2, 2, 4, 4, 6), spansOf(2, 4), "010"},
		{spansOf(0, 3, 3, 4, 4, 6), spansOf(2, 5), "111"},
		{spansOf(0, 2, 2, 4), spansOf(2, 2), "00"},
		{spansOf(0, 2, 2, 2, 2, 4), spansOf(1, 4), "111"}, // an id of nothing, inside
		{spansOf(0, 4, 0, 4, 0, 4, 4, 5), spansOf(0, 4), "1110"},
		{spansOf(0, 1, 1, 2, 2, 3, 3, 4), spansOf(0, 1, 2, 3), "1010"},
		{spansOf(0, 0, 0, 0, 5, 6), spansOf(0, 9), "001"}, // padding before a text that was cut
		{spansOf(0, 1, 0, 1), nil, "00"},
		{nil, spansOf(0, 1), ""},
	} {
		if got := bits(Mask(Encoding{Offsets: c.offsets}, c.spans)); got != c.want {
			t.Errorf("%v in %v: %s, want %s", c.offsets, c.spans, got, c.want)
		}
	}
}

func TestBatch(t *testing.T) {
	rows := []Encoding{
		{IDs: []ID{1, 2, 3, 4, 5}, Offsets: spansOf(0, 1, 1, 2, 2, 3, 3, 4, 4, 5)},
		{IDs: []ID{6, 7}, Offsets: spansOf(0, 1, 1, 2)},
		{},
	}
	spans := [][]harmony.Span{spansOf(2, 5), spansOf(1, 2), nil}
	for _, c := range []struct {
		name string
		o    BatchOptions
		ids  [][]ID
		mask []string
	}{
		{"as they are", BatchOptions{}, [][]ID{{1, 2, 3, 4, 5}, {6, 7}, {}}, []string{"00111", "01", ""}},
		{"longest", BatchOptions{Padding: PadLongest, PadID: 9}, [][]ID{{1, 2, 3, 4, 5}, {6, 7, 9, 9, 9}, {9, 9, 9, 9, 9}}, []string{"00111", "01000", "00000"}},
		{"left, a multiple", BatchOptions{Padding: PadLongest, PadSide: Left, PadID: 9, Multiple: 3}, [][]ID{{9, 1, 2, 3, 4, 5}, {9, 9, 9, 9, 6, 7}, {9, 9, 9, 9, 9, 9}}, []string{"000111", "000001", "000000"}},
		{"cut", BatchOptions{Truncate: true, MaxLength: 3}, [][]ID{{1, 2, 3}, {6, 7}, {}}, []string{"001", "01", ""}},
		{"cut left, to a length", BatchOptions{Truncate: true, TruncateSide: Left, MaxLength: 4, Padding: PadToLength}, [][]ID{{2, 3, 4, 5}, {6, 7, 0, 0}, {0, 0, 0, 0}}, []string{"0111", "0100", "0000"}},
		{"a longer row stays", BatchOptions{MaxLength: 3, Padding: PadToLength}, [][]ID{{1, 2, 3, 4, 5}, {6, 7, 0}, {0, 0, 0}}, []string{"00111", "010", "000"}},
	} {
		b, err := NewBatch(rows, spans, c.o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			attention := pad(slices.Repeat([]bool{true}, min(len(rows[i].IDs), len(c.ids[i]))), len(c.ids[i])-min(len(rows[i].IDs), len(c.ids[i])), c.o.PadSide, false)
			if !slices.Equal(b.IDs[i], c.ids[i]) || bits(b.Mask[i]) != c.mask[i] || bits(b.Attention[i]) != bits(attention) {
				t.Errorf("%s, row %d: %d %s %s, want %d %s %s", c.name, i, b.IDs[i], bits(b.Mask[i]), bits(b.Attention[i]), c.ids[i], c.mask[i], bits(attention))
			}
		}
	}
	var refused *BatchError
	for _, o := range []BatchOptions{
		{Truncate: true}, {Padding: PadToLength}, {Multiple: -1}, {Truncate: true, Padding: PadLongest, MaxLength: 5, Multiple: 2},
		{Padding: PadToLength, MaxLength: MostPadded + 1}, {Padding: PadToLength, MaxLength: 1 << 62}, {Padding: PadToLength, MaxLength: math.MaxInt},
		{Padding: PadToLength, MaxLength: math.MaxInt, Multiple: 2}, {Padding: PadLongest, Multiple: math.MaxInt}, {Padding: PadToLength, MaxLength: MostPadded, Multiple: 3},
	} {
		if _, err := NewBatch(rows, spans, o); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if b, err := NewBatch(rows, spans, BatchOptions{Truncate: true, MaxLength: math.MaxInt}); err != nil || len(b.IDs[0]) != 5 {
		t.Errorf("cut to more than there is: %v", err)
	}
	if _, err := NewBatch(rows, spans[1:], BatchOptions{}); !errors.As(err, &refused) {
		t.Errorf("a list of spans too few: %v", err)
	}
}
