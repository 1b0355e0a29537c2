//go:build tokenizers && cgo

package token_test

import (
	"fmt"
	"log"
	"os"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/token"
)

// A row for training: a finished conversation is rendered, encoded and masked, and
// refused where a law of its ids does not hold.
func Example_training() {
	tokenizer, err := os.ReadFile("../../reference/checkpoint/beam/tokenizer.json")
	if err != nil {
		log.Fatal(err)
	}
	vocabulary, err := token.Load(tokenizer)
	if err != nil {
		log.Fatal(err)
	}
	encoder, err := token.NewEncoder(tokenizer)
	if err != nil {
		log.Fatal(err)
	}
	defer encoder.Close()

	req, err := beam.ParseRequest(`{"messages": [{"role": "user", "content": "2+2?"}, {"role": "assistant", "thinking": "Sum.", "content": "4"}]}`)
	if err != nil {
		log.Fatal(err)
	}
	req.GenerationPrompt = beam.Off
	made, err := beam.RenderSpans(req)
	if err != nil {
		log.Fatal(err)
	}
	e, err := encoder.Encode(made.Text)
	if err != nil {
		log.Fatal(err)
	}
	mask := token.Mask(e, made.Spans)
	if found := token.CheckMask(vocabulary, e, mask, made.Spans, beam.StopTokens()); len(found) > 0 {
		log.Fatal(found)
	}
	batch, err := token.NewBatch([]token.Encoding{e}, [][]harmony.Span{made.Spans}, token.BatchOptions{Padding: token.PadLongest, Multiple: 8})
	if err != nil {
		log.Fatal(err)
	}
	last := len(e.IDs) - 1
	stop, _ := vocabulary.Text(e.IDs[last])
	fmt.Println(stop, mask[last], mask[0], len(batch.IDs[0])%8)
	// Output: <|return|> true false 0
}
