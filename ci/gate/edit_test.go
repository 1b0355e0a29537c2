package gate

import (
	"fmt"
	"strings"
	"testing"
)

// The edits of two texts name their lines, and made one after the other they lead
// from one text to the other.
func TestEdits(t *testing.T) {
	for _, tt := range []struct{ name, base, cand, want string }{
		{"the same", "a\nb\n", "a\nb\n", ""},
		{"a line", "a\nb\nc\n", "a\nB\nc\n", "2-3>2-3"},
		{"a line more, and one less", "a\nb\nc\nd\n", "a\nx\nb\nc\n", "2-2>2-3 4-5>5-5"},
		{"the last line, without its end", "a\nb", "a\nc", "2-3>2-3"},
		{"all", "", "a\nb\n", "1-1>1-3"},
		{"nothing left", "a\nb\n", "", "1-3>1-1"},
		{"lines side by side are one edit", "a\nb\nc\nd\n", "a\nx\ny\nd\n", "2-4>2-4"},
	} {
		edits := editsOf(tt.base, tt.cand)
		var got []string
		for _, e := range edits {
			got = append(got, fmt.Sprintf("%d-%d>%d-%d", e.base.from, e.base.to, e.cand.from, e.cand.to))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: edits %s, want %s", tt.name, s, tt.want)
		}
		if s := with(tt.base, edits, func(int) bool { return true }); s != tt.cand {
			t.Errorf("%s: all edits make %q, want %q", tt.name, s, tt.cand)
		}
		if s := with(tt.base, edits, func(int) bool { return false }); s != tt.base {
			t.Errorf("%s: no edit makes %q, want %q", tt.name, s, tt.base)
		}
	}
	edits := editsOf("a\nb\nc\n", "A\nb\nC\n")
	if s := with("a\nb\nc\n", edits, func(i int) bool { return i == 1 }); len(edits) != 2 || s != "a\nb\nC\n" {
		t.Errorf("the second edit alone makes %q", s)
	}
}
