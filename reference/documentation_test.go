package reference_test

import (
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// The page's code blocks, run as they stand and in their order, print what the
// page prints.
func TestDocumentation(t *testing.T) {
	e := open(t, reference.Options{Workers: 1})
	python := 0
	for _, b := range corpus.Blocks() {
		if b.Lang != "python" {
			continue
		}
		python++
		printed := ""
		for _, code := range []string{b.Before, b.Text} {
			request := &value.Object{}
			request.Set("code", value.String(code))
			request.Set("session", value.String("page"))
			out := e.Do(t.Context(), engine.Request{Op: worker.OpExec, Case: request})
			text, ok := out.Value.Get("output").AsString()
			if !ok {
				t.Fatalf("line %d: %s", b.Line, say(out))
			}
			printed += text
		}
		if err := b.Check(printed); err != nil {
			t.Error(err)
		}
	}
	if python != 18 {
		t.Errorf("%d python blocks were run, want 18", python)
	}
}
