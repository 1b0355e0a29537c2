package pattern

import (
	"testing"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/python"
)

// A reply that is misread in pieces names its part, also behind a prompt; one that
// is cut elsewhere names none.
func TestBlame(t *testing.T) {
	v, err := value.Loads(`{"start_anchor": "@", "fields": {"x": {"open": "<x>", "close_pattern": "</x>(?:</y>)?"}, "c": {}}}`)
	if err != nil {
		t.Fatal(err)
	}
	template := Read(v)
	for _, c := range []struct {
		prefix, reply string
		at            []int
		path, cause   string
	}{
		{"", "<x>a</x></y>b", []int{9}, "fields.x.close_pattern", goesOn},
		{"user@<x>", "a</x></y>b", []int{6}, "fields.x.close_pattern", goesOn},
		{"", "<x>a</x></y>b", []int{2, 5}, "", ""},
		{"", "<x>a</x></y>b", nil, "", ""},
		{"user@", "<x>a</x>b", []int{9}, "", ""},
	} {
		part, cause := template.Blame(c.prefix, c.reply, c.at)
		path := ""
		if part != nil {
			path = part.Path
		}
		if path != c.path || cause != c.cause {
			t.Errorf("%q %q cut at %v: %s %s", c.prefix, c.reply, c.at, path, cause)
		}
	}
}

// What native Go says keeps a stream back was predicted of the same part.
func TestHeldBack(t *testing.T) {
	public, err := fuzz.Public(t.Context(), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the public templates are not there: %v", err)
	}
	held := 0
	for _, template := range append(public, fuzz.Templates()...) {
		predicted := 0
		taken := Read(template.Spec)
		for _, part := range taken.Parts {
			for _, p := range taken.held(part) {
				if p.Cause == anything {
					predicted++
				}
			}
		}
		n := len(template.Compiled.HeldBack())
		if held += n; n > predicted {
			t.Errorf("%s: %q, and %d are predicted", template.Name, template.Compiled.HeldBack(), predicted)
		}
	}
	if held == 0 {
		t.Error("no template keeps anything back: nothing was shown")
	}
}
