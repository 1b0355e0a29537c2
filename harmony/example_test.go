package harmony_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// generate stands for a server that runs the model until it writes one of stop.
func generate(prompt string, stop []string) string {
	return "<|channel|>analysis<|message|>The user is greeting me.<|end|>" +
		"<|start|>assistant<|channel|>final<|message|>Hi! How can I help?<|return|>"
}

// One turn of a conversation: render, generate, read, and put the reply back.
// The README shows the lines of this example.
func Example() {
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}

	template, err := response.Compile(checkpoint.Default().ResponseTemplate) // or checkpoint.Load(dir)
	must(err)
	history := []harmony.Message{{Role: harmony.User, Content: "Hello!"}}
	prompt, err := beam.Render(&beam.Request{Messages: history, RequireThinking: true})
	must(err)
	reply := generate(prompt, beam.StopTokens())
	read, err := template.Parse(reply, response.Options{Prefix: &prompt, Problems: true})
	must(err)
	message, err := read.History(reply) // keeps the model's own bytes for the next prompt
	must(err)
	message.GiveCallIDs(nil)
	history = append(history, message)

	fmt.Println(message.Thinking)
	fmt.Println(message.Content)
	fmt.Println(len(read.Problems), "problems,", len(history), "messages")
	history = append(history, harmony.Message{Role: harmony.User, Content: "Bye!"})
	next, err := beam.Render(&beam.Request{Messages: history, RequireThinking: true})
	must(err)
	fmt.Println(strings.HasPrefix(next, prompt+reply))
	// Output:
	// The user is greeting me.
	// Hi! How can I help?
	// 0 problems, 2 messages
	// true
}
