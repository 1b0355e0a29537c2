package fuzz_test

import (
	"fmt"

	"github.com/beamdiff/beamdiff/fuzz"
)

// One seed always makes the same reply, which every law must hold for.
func ExampleCheck() {
	source := fuzz.FromSeed(7)
	input := fuzz.Generate(source, fuzz.FindTemplate("beam"))
	fuzz.Mutate(source, input)
	fmt.Println(fuzz.Check(fuzz.Native, input, fuzz.CutOf(source, input), fuzz.ByteCut(source, input)) == nil)
	// Output: true
}

// A reply as it was found somewhere, cut after every two bytes.
func ExampleRaw() {
	input := fuzz.Raw(0, "<|channel|>final<|message|>Hi<|return|>", "<|start|>assistant", []byte{1})
	reading := fuzz.Native.Read(input, input.Options(), input.Cut)
	fmt.Println(reading.Message, len(reading.Feeds))
	// Output: {"role": "assistant", "content": "Hi"} 22
}
