package ci

import (
	"reflect"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func parseCase(id, reply string) corpus.Case {
	in := &value.Object{}
	in.Set("reply", value.String(reply))
	in.Set("prefix", value.String(""))
	return corpus.Case{ID: id, Kind: corpus.Parse, Input: in}
}

func TestCuts(t *testing.T) {
	c := parseCase("a/b", strings.Repeat("é", 100))
	cuts := Cuts(c, 1)
	if len(cuts) != 5 || !value.Equal(cuts[0].Chunks, value.Int(1)) || !cuts[4].BytesOnly {
		t.Fatalf("cuts: %+v", cuts)
	}
	for _, cut := range cuts[1:4] {
		list, ok := cut.Chunks.AsArray()
		if !ok || list.Len() == 0 {
			t.Fatalf("%s: %s", cut.Name, value.Dumps(cut.Chunks))
		}
		last := int64(0)
		for _, v := range list.All() {
			at, _ := v.AsInt()
			if at <= last || at >= 100 {
				t.Fatalf("%s: position %d after %d of 100 characters", cut.Name, at, last)
			}
			last = at
		}
	}
	if !reflect.DeepEqual(cuts, Cuts(c, 1)) {
		t.Error("the same seed and case give other cuts")
	}
	if reflect.DeepEqual(cuts, Cuts(c, 2)) {
		t.Error("another seed gives the same cuts")
	}
	c.ID = "a/c"
	if reflect.DeepEqual(cuts, Cuts(c, 1)) {
		t.Error("another case gives the same cuts")
	}
}

func TestCutsOfEdges(t *testing.T) {
	for _, reply := range []string{"", "x"} {
		if cuts := Cuts(parseCase("x", reply), 1); len(cuts) != 0 {
			t.Errorf("%q is cut: %+v", reply, cuts)
		}
	}
	for _, cut := range Cuts(parseCase("x", "ab"), 1)[1:] {
		if got := value.Dumps(cut.Chunks); got != "[1]" {
			t.Errorf("two characters are cut at %s", got)
		}
	}
	own := parseCase("x", "abc")
	own.Input.Set("chunks", jsonOf(t, `{"bytes": [1]}`))
	if cuts := Cuts(own, 1); len(cuts) != 5 || !cuts[0].BytesOnly {
		t.Errorf("the case's own cut: %+v", cuts)
	}
}

// Above 4,000 characters at most 2,000 pieces.
func TestCutsOfLongReplies(t *testing.T) {
	for _, n := range []int{4000, 4001, 9999, 50_000} {
		for _, cut := range Cuts(parseCase("x", strings.Repeat("a", n)), 1) {
			pieces := 0
			if size, ok := cut.Chunks.AsInt(); ok {
				pieces = (n + int(size) - 1) / int(size)
			} else {
				list, _ := cut.Chunks.AsArray()
				pieces = list.Len() + 1
			}
			limit := maxFeeds
			if n <= longReply {
				limit = longReply
			}
			if pieces > limit {
				t.Errorf("%d characters, %s: %d pieces", n, cut.Name, pieces)
			}
			if _, each := cut.Chunks.AsInt(); each && cut.Limited != (n > longReply) {
				t.Errorf("%d characters: limited %v", n, cut.Limited)
			}
		}
	}
}

func TestTokenMask(t *testing.T) {
	tests := []struct {
		name           string
		spans, offsets [][2]int64
		want           []int64
	}{
		{"none", nil, [][2]int64{{0, 1}}, []int64{0}},
		{"inside", [][2]int64{{2, 4}}, [][2]int64{{0, 2}, {2, 3}, {3, 4}, {4, 5}}, []int64{0, 1, 1, 0}},
		{"overlap counts", [][2]int64{{2, 4}}, [][2]int64{{1, 3}, {3, 6}}, []int64{1, 1}},
		{"touching does not", [][2]int64{{2, 4}}, [][2]int64{{0, 2}, {4, 5}}, []int64{0, 0}},
		{"two spans", [][2]int64{{0, 1}, {3, 4}}, [][2]int64{{0, 1}, {1, 3}, {3, 4}}, []int64{1, 0, 1}},
		{"bytes of one character", [][2]int64{{1, 2}}, [][2]int64{{0, 1}, {1, 2}, {1, 2}, {2, 3}}, []int64{0, 1, 1, 0}},
		{"empty span inside a token", [][2]int64{{1, 1}}, [][2]int64{{0, 2}, {2, 3}}, []int64{1, 0}},
		{"empty span between tokens", [][2]int64{{2, 2}}, [][2]int64{{0, 2}, {2, 3}}, []int64{0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := TokenMask(tt.spans, tt.offsets); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
