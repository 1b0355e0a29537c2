package render_test

import (
	"fmt"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/fuzz/render"
)

// A conversation of one seed, held to all laws.
func ExampleCheck() {
	c := conversation.Generate(fuzz.FromSeed(7))
	fmt.Println(render.Check(render.Native, c, nil) == nil)
	// Output: true
}

// A reply whose arguments the model spelled in its own way: with its own text it
// stays in the history, and without it the loss has a name.
func ExampleCheckAnswer() {
	a := &render.Answer{Reply: `<|channel|>analysis<|message|>So.<|end|><|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="a">1</rfl:parameter><|call|>`}
	v := render.CheckAnswer(render.Native, a, func(class string) { fmt.Println(class) })
	fmt.Println(v == nil)
	// Output:
	// reply=closed
	// append=changed: arguments spelled otherwise
	// again=same
	// true
}
