package pattern_test

import (
	"fmt"

	"github.com/beamdiff/beamdiff/ci/law/pattern"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// A close that may go on, and an opening that asks for the whole rest.
func ExampleTemplate_Predict() {
	spec, err := value.Loads(`{"start_anchor": "<|assistant|>", "fields": {
		"thinking": {"open_pattern": "(?=[\\s\\S]*?</think>)", "close": "</think>"},
		"calls": {"open": "<call>", "close_pattern": "</call>(?:</calls>)?"}}}`)
	if err != nil {
		panic(err)
	}
	for _, p := range pattern.Read(spec).Predict() {
		if !p.Mild {
			fmt.Println(p.Kind, p.Part.Path, p.Cause)
		}
	}
	// Output:
	// withheld fields.thinking.open_pattern anything
	// slow fields.thinking.open_pattern tried again .*?
	// slow fields.thinking.open_pattern stream rate
	// cut fields.calls.close_pattern goes on
}
