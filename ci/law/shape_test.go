package law

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// TestShapes holds what the laws rely on: ids that are there once, steps that only
// add, and texts that are told apart by their longest words.
func TestShapes(t *testing.T) {
	seen := map[string]bool{}
	if n := len(Shapes()); n < 60 {
		t.Errorf("%d shapes, want 60 or more", n)
	}
	core := 0
	for _, s := range Shapes() {
		if seen[s.ID] || s.ID == "" || s.Why == "" || len(s.Steps) == 0 {
			t.Errorf("%q: an id, a reason and steps, each its own", s.ID)
		}
		seen[s.ID] = true
		if s.Core {
			core++
			if s.Advisory || s.Quotes || s.Media {
				t.Errorf("%s is core and of a further kind", s.ID)
			}
		}
		for i := 1; i < len(s.Steps); i++ {
			before, after := s.Steps[i-1].Messages, s.Steps[i].Messages
			if len(after) <= len(before) || !value.Equal(value.List(before...), value.List(after[:len(before)]...)) {
				t.Errorf("%s: step %d does not go on from the one before", s.ID, i+1)
			}
		}
		var all []words
		for _, w := range wordsOf(s.Last().Messages) {
			if w.kind == kindContent || w.kind == kindReasoning || w.kind == kindRefusal {
				all = append(all, w)
			}
		}
		for i, w := range all {
			long := longestWord(w.text)
			for j, other := range all {
				if i != j && long != "" && strings.Contains(other.text, long) {
					t.Errorf("%s: %q of %s is in %s too", s.ID, long, w.path, other.path)
				}
			}
		}
		for _, c := range []corpus.Case{s.Last().Prompt, s.Last().Closed, s.Last().Mask} {
			data, err := corpus.EncodeOne(c)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := corpus.Decode(data, c.ID); err != nil {
				t.Errorf("%s is no case: %v", c.ID, err)
			}
		}
	}
	if core < 10 {
		t.Errorf("%d core shapes: markers are learnt from them", core)
	}
}

// TestHelp holds that every law has a title and a page, which says how to mend what breaks it.
func TestHelp(t *testing.T) {
	seen := map[string]bool{}
	for _, law := range Laws() {
		if seen[law.ID] {
			t.Errorf("two laws %s", law.ID)
		}
		seen[law.ID] = true
		if law.Title == "" || len(law.Help) < 100 || rank[law.Level] > 1 || law.Level == "" {
			t.Errorf("%s: title %q, level %q, %d bytes of help", law.ID, law.Title, law.Level, len(law.Help))
		}
		if !strings.Contains(law.Help, "To mend it: ") {
			t.Errorf("%s: the page does not say how to mend it", law.ID)
		}
		if !strings.HasPrefix(law.ID, "reply/") && !strings.Contains(law.Help, "What goes wrong otherwise: ") {
			t.Errorf("%s: the page does not say what goes wrong", law.ID)
		}
	}
}
