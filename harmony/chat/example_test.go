package chat_test

import (
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/chat"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

var (
	prompt = "<|start|>assistant"
	reply  = []string{"<|channel|>analysis<|mess", "age|>I'll look", " it up.<|end|><|start|>assistant to=look_up<|channel|>analysis ",
		"<|constrain|>xml<|message|><rfl:parameter name=\"q\">\nbe", "ams\n</rfl:parameter><|call|>"}
)

// view is made once for a checkpoint. A gateway leaves NewID as it is.
func view() (*response.Template, *chat.View) {
	template, err := response.Compile(checkpoint.Default().ResponseTemplate)
	if err != nil {
		panic(err)
	}
	return template, chat.NewView(template.MessageFields(), chat.Options{NewID: func() string { return "call_1" }})
}

// A gateway's loop: each feed gives deltas, the end the rest.
func Example() {
	template, view := view()
	parser, err := template.NewParser(response.Options{Prefix: &prompt})
	if err != nil {
		fmt.Println(err)
		return
	}
	stream := view.Stream()
	var line []byte
	send := func(deltas []chat.Delta) {
		for _, d := range deltas {
			line = view.AppendChunk(line[:0], d)
			fmt.Printf("%s\n", line)
		}
	}
	for _, text := range reply {
		events, err := parser.Feed(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		send(stream.Add(events))
	}
	stop := harmony.StopToken("<|call|>")
	events, read, err := parser.Finalize(stop)
	if err != nil {
		fmt.Println(err)
		return
	}
	send(stream.Finish(events, read, stop))
	// Output:
	// {"index":0,"delta":{"role":"assistant","reasoning_content":"I'll look"},"finish_reason":null}
	// {"index":0,"delta":{"reasoning_content":" it up."},"finish_reason":null}
	// {"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"look_up","arguments":"{\"q\": \"beams\"}"}}]},"finish_reason":null}
	// {"index":0,"delta":{},"finish_reason":"tool_calls"}
}

func ExampleView_Deltas() {
	template, view := view()
	parser, err := template.NewParser(response.Options{Prefix: &prompt})
	if err != nil {
		fmt.Println(err)
		return
	}
	end := harmony.Ending{Stop: harmony.StopLength()}
	for d, err := range view.Deltas(parser, slices.Values(reply[:4]), &end) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s\n", view.AppendDelta(nil, d))
		if d.FinishReason != "" {
			fmt.Println(d.FinishReason)
		}
	}
	// The call is cut: it is not sent.
	// Output:
	// {"role":"assistant","reasoning_content":"I'll look"}
	// {"reasoning_content":" it up."}
	// {}
	// length
}

func ExampleView_Completion() {
	template, view := view()
	text := "<|channel|>analysis<|message|>A greeting.<|end|><|start|>assistant<|channel|>final<|message|>Hi!<|return|>"
	stop := harmony.StopToken("<|return|>")
	read, err := template.Parse(text, response.Options{Prefix: &prompt, Stop: stop})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", view.AppendChoice(nil, view.Completion(read, stop)))
	// Output:
	// {"index":0,"message":{"role":"assistant","reasoning_content":"A greeting.","content":"Hi!"},"finish_reason":"stop"}
}
