package corpus

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// FuzzDecode: whatever the text, Decode gives cases that Encode writes and
// Decode reads back, or a CaseError inside the text.
func FuzzDecode(f *testing.F) {
	for _, text := range slices.Concat(goodCases, goodTokens) {
		f.Add([]byte(text))
	}
	for _, tt := range slices.Concat(badCases, badTokens) {
		f.Add([]byte(tt.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := Decode(data, "f")
		if err != nil {
			var e *CaseError
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(data)) {
				t.Fatalf("%q: %#v", data, err)
			}
			return
		}
		once, err := Encode(cases)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		back, err := Decode(once, "again")
		if err != nil {
			t.Fatalf("%q: Decode refuses what Encode wrote, %q: %v", data, once, err)
		}
		if twice, err := Encode(back); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q: first %q, then %q, %v", data, once, twice, err)
		}
	})
}
