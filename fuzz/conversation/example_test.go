package conversation_test

import (
	"fmt"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony/beam"
)

// One seed always makes the same conversation, with all that a render case has.
func ExampleGenerate() {
	c := conversation.Generate(fuzz.FromSeed(7))
	_, err := beam.Render(c.Request())
	fmt.Println(c.Has("role=user"), err)
	// Output: true <nil>
}
