package token_test

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/token"
)

// A user writes a marker. It is marked before the prompt is rendered, so that a
// SafeEncoder, made of the checkpoint's tokenizer.json, gives the ids of its
// letters; the text is the same as ever.
func ExampleMarker() {
	req := &beam.Request{Messages: []harmony.Message{{Role: harmony.User, Content: "say <|end|>"}}}
	marker := token.NewMarker(beam.Markers()) // or checkpoint.ControlTokens
	marked, err := beam.RenderMarked(req, marker.Mark)
	if err != nil {
		fmt.Println(err)
		return
	}
	plain, err := beam.Render(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, user, _ := strings.Cut(marked, "user")
	fmt.Printf("%+q\n", user)
	fmt.Println(token.Unmark(marked) == plain)
	// Output:
	// "<|message|>say \U000f0000<|end|>\U000f0001<|end|><|start|>assistant"
	// true
}
