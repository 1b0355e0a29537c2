package engine

import (
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Positions come as characters and are bytes here; a value of another shape is
// none.
func TestDecodeTraced(t *testing.T) {
	read := func(text string) (Traced, bool) {
		v, err := value.Loads(text)
		if err != nil {
			t.Fatal(err)
		}
		return decodeTraced(v)
	}
	got, ok := read(`{"text": "aä\ud800b", "lines": [[1, 3, 7], [3, 4, 8]], "raised": {"class": "E", "message": "m", "line": 9}}`)
	if !ok || len(got.Written) != 2 || got.Written[0] != (Written{1, 6, 7}) || got.Written[1] != (Written{6, 7, 8}) || *got.Raised != (RaisedAt{"E", "m", 9}) {
		t.Errorf("got %+v, %t", got, ok)
	}
	for offset, want := range []int{0, 7, 7, 7, 7, 7, 8, 0} {
		if line := got.LineAt(offset); line != want {
			t.Errorf("byte %d is of line %d, want %d", offset, line, want)
		}
	}
	for _, text := range []string{
		`""`, `{"text": "a"}`, `{"lines": []}`, `{"text": "a", "lines": [1]}`, `{"text": "a", "lines": [[0, 1]]}`,
		`{"text": "a", "lines": [[0, 1, "1"]]}`, `{"text": "a", "lines": [[0, 2, 1]]}`, `{"text": "a", "lines": [[1, 0, 1]]}`,
		`{"text": "ab", "lines": [[1, 2, 1], [0, 1, 2]]}`, `{"text": "a", "lines": [[0, 1, 0]]}`,
		`{"text": "a", "lines": [], "raised": "b"}`, `{"text": "a", "lines": [], "raised": {"class": "A", "message": ""}}`,
	} {
		if got, ok := read(text); ok {
			t.Errorf("%s is read as %+v", text, got)
		}
	}
}
