package replies

import (
	"strings"
	"testing"
)

// TestKinds checks what the kinds state of themselves.
func TestKinds(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Kinds {
		if names[k.Name] || k.Why == "" || strings.ContainsAny(k.Name, " /=") {
			t.Errorf("%q is not a name of its own with a why", k.Name)
		}
		names[k.Name] = true
		for size := max(k.Least, 1<<10); size <= 1<<20; size *= 2 {
			if n := len(k.Make(size)); n < size*3/4 || n > size*5/4 {
				t.Errorf("%s: %d bytes for %d", k.Name, n, size)
			}
		}
		const size = 64 << 10
		text := k.Make(size)
		if len(text) < size*9/10 || len(text) > size*11/10 {
			t.Errorf("%s: %d bytes for %d", k.Name, len(text), size)
		}
		if k.Hostile() {
			continue
		}
		if got := len(text) / strings.Count(text, "<"); got != k.BytesToLess {
			t.Errorf("%s: a < each %d bytes, %d are stated", k.Name, got, k.BytesToLess)
		}
		calls := strings.Count(text, " to=")
		if calls > 0 {
			calls = len(text) / calls
		}
		if calls != k.BytesToCall {
			t.Errorf("%s: a call each %d bytes, %d are stated", k.Name, calls, k.BytesToCall)
		}
	}
}

func TestCut(t *testing.T) {
	for size, want := range map[int]string{0: "añb—c", 1: "a|ñ|b|—|c", 2: "añ|b—|c", 9: "añb—c"} {
		if got := strings.Join(Cut("añb—c", size), "|"); got != want {
			t.Errorf("%d: %q, not %q", size, got, want)
		}
	}
}
