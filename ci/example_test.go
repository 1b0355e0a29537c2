package ci_test

import (
	"context"
	"fmt"
	"os"

	"github.com/beamdiff/beamdiff/ci"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// mine is someone's own renderer, made an engine.
type mine struct{}

func (mine) Name() string { return "mine" }

func (mine) Info(context.Context) (engine.Info, error) {
	return engine.Info{Formats: []string{"beam"}, Abilities: []string{"render"}}, nil
}

func (mine) Do(_ context.Context, r engine.Request) corpus.Outcome {
	if r.Op != engine.OpRender {
		return corpus.Outcome{Kind: corpus.Cannot, Why: "renders only"}
	}
	messages, _ := r.Case.Get("messages")
	list, _ := messages.AsArray()
	text, _ := list.At(0).Get("content").AsString()
	return corpus.Outcome{Kind: corpus.OK, Value: value.String("<|start|>user<|message|>" + text + "<|end|>")}
}

func (mine) Close() error { return nil }

// In a go test of your own: your engine first, then the one it is judged by; the
// checkpoint's own Python is reference.Open.
func ExampleRunner() {
	cases, err := corpus.Decode([]byte(`[{"id": "hello", "messages": [{"role": "user", "content": "Hello!"}]}]`), "hello.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	native := engine.NewNative(checkpoint.Default(), engine.NativeOptions{})
	runner := &ci.Runner{Engines: []engine.Engine{mine{}, native}, Cases: cases}
	result, err := runner.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range result.Cases {
		for _, v := range c.Verdicts {
			fmt.Printf("%s %s: %s at %s, byte %d\n", c.Case.ID, v.Pair(), v.Kind, v.Where.Path, v.Where.Offset)
			fmt.Println(v.Where.Left)
			fmt.Println(v.Where.Right)
		}
	}
	fmt.Println("exit code", result.ExitCode())
	// Output:
	// hello mine/native: value differs at $, byte 9
	// <|start|>user<|message|>Hello!<|end|>
	// <|start|>system<|message|>You·are·Beam,·an·AI·ass…
	// exit code 1
}

// A report of the suites that come with this module, natively: without Python.
func ExampleReport_WriteText() {
	native := engine.NewNative(checkpoint.Default(), engine.NativeOptions{})
	cases, err := corpus.Select(corpus.Embedded(), []string{"documentation/effort/low"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := (&ci.Runner{Engines: []engine.Engine{native}, Cases: cases}).Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	result.Engines = nil // versions of this machine
	report := ci.Report{Result: result, Version: "v1"}
	if err := report.WriteText(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// beamdiff v1, seed 0
	//
	//   cases  same  differ  failed  cannot  unstable  known  suite
	//       1     1       0       0       0         0      0  documentation
	//
	// same: 1 case
}
