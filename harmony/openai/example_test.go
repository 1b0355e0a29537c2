package openai_test

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/openai"
)

// A prompt for gpt-oss. The system message is the template's own; instructions
// stand in the developer message.
func ExampleRender() {
	prompt, err := openai.Render(&openai.Request{
		Messages: []harmony.Message{
			{Role: harmony.System, Content: "Answer in one line."},
			{Role: harmony.User, Content: "2 + 2?"},
		},
		Date:   "2026-04-04",
		Effort: "low",
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(prompt)
	// Output:
	// <|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.
	// Knowledge cutoff: 2024-06
	// Current date: 2026-04-04
	//
	// Reasoning: low
	//
	// # Valid channels: analysis, commentary, final. Channel must be included for every message.<|end|><|start|>developer<|message|># Instructions
	//
	// Answer in one line.
	//
	// <|end|><|start|>user<|message|>2 + 2?<|end|><|start|>assistant
}

// A finished conversation and what the model wrote in it.
func ExampleRenderSpans() {
	req, err := openai.ParseRequest(`{"messages": [
		{"role": "user", "content": "2 + 2?"},
		{"role": "assistant", "thinking": "Simple.", "content": "4"}]}`)
	if err != nil {
		panic(err)
	}
	req.Date = "2026-04-04"
	result, err := openai.RenderSpans(req)
	if err != nil {
		panic(err)
	}
	for _, s := range result.Spans {
		fmt.Println(result.Text[s.Start:s.End])
	}
	// Output:
	// <|start|>assistant<|channel|>analysis<|message|>Simple.<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>
}
