package gate_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/ci/gate"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// A response template whose field has another name: both sides are read by native
// Go. With reference.Open in its place the checkpoint's own Python answers, also for
// chat templates.
func ExampleGate() {
	base, changed := checkpoint.Default(), *checkpoint.Default()
	spec := strings.Replace(value.Dumps(base.ResponseTemplate), `"thinking"`, `"thoughts"`, 1)
	var err error
	if changed.ResponseTemplate, err = value.Loads(spec); err != nil {
		fmt.Println(err)
		return
	}
	cases, err := corpus.Decode([]byte(`[{"id": "mine", "prefix": "", "reply": "<|channel|>analysis<|message|>So.<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>"}]`), "mine.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	side := func(name string, c *checkpoint.Checkpoint) gate.Side {
		return gate.Side{Name: name, Checkpoint: c, Engine: engine.NewNative(c, engine.NativeOptions{})}
	}
	g := &gate.Gate{Base: side("old", base), Candidate: side("new", &changed), Cases: cases}
	r, err := g.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range r.Findings {
		fmt.Printf("%s %s: %s\n", f.Level, f.Rule, f.Message)
		fmt.Println(f.Smallest.Input)
	}
	fmt.Println("exit code", r.ExitCode())
	// Output:
	// error gate/value-lost: 1 reply is read without $.thinking, which the base reads as "a"
	// {"prefix": "", "reply": "<|channel|>analysis<|message|>a"}
	// exit code 1
}
