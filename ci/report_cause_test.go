package ci

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Cases that fail in one way are one block once they are more than a few; another
// way is another block.
func TestCauses(t *testing.T) {
	// The text of the only message says how the judge damages the answer.
	judge := tokened("judge", false, func(r engine.Request) corpus.Outcome {
		v, _ := r.Case.Get("messages")
		list, _ := v.AsArray()
		how, _ := list.At(0).Get("content").AsString()
		kind, n, _ := strings.Cut(how, " ")
		switch kind {
		case "error":
			return raising("TemplateSyntaxError", "messages["+n+"] is broken")
		case "other":
			return raising("TemplateSyntaxError", "another "+n)
		case "value":
			return okText("same place, 2")
		}
		return okText("good " + how)
	})
	left := tokened("left", false, func(r engine.Request) corpus.Outcome {
		v, _ := r.Case.Get("messages")
		list, _ := v.AsArray()
		how, _ := list.At(0).Get("content").AsString()
		if strings.HasPrefix(how, "value") {
			return okText("same place, 1")
		}
		return okText("good " + how)
	})
	for _, tt := range []struct {
		how    string // repeated, with a number behind
		n      int
		blocks int
		more   string
	}{
		{"error", 3, 3, ""},
		{"error", 4, 1, "and in the same way 3 more cases (-v shows each): x1, x2, x3"},
		{"error", 9, 1, "and in the same way 8 more cases (-v shows each): x1, x2, x3 and 5 more"},
		{"value", 6, 1, "and in the same way 5 more cases"},
		{"other", 6, 6, ""}, // each has an error of its own
		{"fine", 6, 0, ""},
	} {
		var cases []string
		for i := range tt.n {
			cases = append(cases, fmt.Sprintf(`{"id": "x%d", "messages": [{"role": "user", "content": "%s %d"}]}`, i, tt.how, i))
		}
		res, err := (&Runner{Engines: []engine.Engine{left, judge}, Cases: casesOf(t, "["+strings.Join(cases, ",")+"]")}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, verbose := range []bool{false, true} {
			var out bytes.Buffer
			if err := (&Report{Result: res, Verbose: verbose}).WriteText(&out); err != nil {
				t.Fatal(err)
			}
			blocks, more := tt.blocks, tt.more
			if verbose && blocks > 0 {
				blocks, more = tt.n, ""
			}
			if n := strings.Count(out.String(), "\n  left/judge: "); n != blocks || !strings.Contains(out.String(), more) || strings.Contains(out.String(), "in the same way") != (more != "") {
				t.Errorf("%d times %s, verbose %t: %d blocks, want %d and %q:\n%s", tt.n, tt.how, verbose, n, blocks, more, out.String())
			}
		}
	}
}
