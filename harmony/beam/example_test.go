package beam_test

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func ExampleRender() {
	prompt, err := beam.Render(&beam.Request{
		Messages: []harmony.Message{{Role: harmony.User, Content: "Hello!"}},
		Effort:   beam.Low,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(prompt)
	// Output:
	// <|start|>system<|message|>You are Beam, an AI assistant trained by Reflection.
	//
	// Reasoning effort: 32
	//
	// # Valid channels: analysis, final. Channel must be included for every message.<|end|><|start|>user<|message|>Hello!<|end|><|start|>assistant
}

func ExampleRender_error() {
	_, err := beam.Render(&beam.Request{
		Messages:        []harmony.Message{{Role: harmony.User, Content: "Hi"}, {Role: harmony.Assistant, Content: "Hello!"}},
		RequireThinking: true,
	})
	fmt.Println(err)
	// Output:
	// TemplateError: The assistant turn at messages[1] is missing its reasoning. Dropping reasoning from earlier turns degrades this model's output. Send it back in 'reasoning_content', or set allow_missing_thinking=true to skip this check.
}

// A server renders each prompt into the same buffer.
func ExampleAppendRender() {
	buf := make([]byte, 0, 4096)
	for _, text := range []string{"One", "Two"} {
		var err error
		buf, err = beam.AppendRender(buf[:0], &beam.Request{Messages: []harmony.Message{{Role: harmony.User, Content: text}}})
		if err != nil {
			fmt.Println(err)
			return
		}
		_, turns, _ := strings.Cut(string(buf), "every message.<|end|>")
		fmt.Println(turns)
	}
	// Output:
	// <|start|>user<|message|>One<|end|><|start|>assistant
	// <|start|>user<|message|>Two<|end|><|start|>assistant
}

func ExampleRenderSpans() {
	r, err := beam.RenderSpans(&beam.Request{Messages: []harmony.Message{
		{Role: harmony.User, Content: "What is 2 + 2?"},
		{Role: harmony.Assistant, Thinking: "Simple arithmetic.", Content: "4"},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Spans {
		fmt.Println(r.Text[s.Start:s.End])
	}
	// Output:
	// <|channel|>analysis<|message|>Simple arithmetic.<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>
}

// The body of an OpenAI-style request says more than a prompt shows.
func ExampleCheck() {
	req, err := beam.ParseRequest(`{
		"model": "beam",
		"messages": [
			{"role": "user", "content": "Hi"},
			{"role": "assistant", "content": "Hello!"},
			{"role": "system", "content": "Be brief."}
		],
		"reasoning_effort": 4
	}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range beam.Check(req) {
		fmt.Println(w)
	}
	// Output:
	// reasoning_effort: low_effort: Beam was not trained below 8, so 4 is not respected
	// messages[1]: missing_reasoning: Beam's output degrades without the reasoning of earlier turns
	// messages[2]: late_instruction: comes after a message with another role, so it is not rendered
	// model: key_not_rendered: is no part of the prompt
}

// A tool loop: the model's call and the tool's result go back into the
// conversation.
func Example_toolLoop() {
	req := &beam.Request{Messages: []harmony.Message{{Role: harmony.User, Content: "What's the weather in London?"}}}
	call := harmony.ToolCall{ID: "call_1", Name: "get_weather", Arguments: value.Members(value.Member{Name: "city", Value: value.String("London")})}
	req.Messages = append(req.Messages,
		harmony.Message{Role: harmony.Assistant, Thinking: "I should check the weather tool.", ToolCalls: []harmony.ToolCall{call}},
		harmony.Message{Role: harmony.Tool, ToolCallID: call.ID, Content: "14 C, cloudy"})
	prompt, err := beam.Render(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(prompt[strings.Index(prompt, "<|start|>assistant"):])
	// Output:
	// <|start|>assistant<|channel|>analysis<|message|>I should check the weather tool.<|end|><|start|>assistant to=get_weather<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="city">
	// London
	// </rfl:parameter><|call|><|start|>get_weather to=assistant<|channel|>analysis<|message|>14 C, cloudy<|end|><|start|>assistant
}

// Another checkpoint may settle differently what the documentation leaves open.
func ExampleRenderer() {
	var r beam.Renderer
	if err := r.Decisions.Set("content-parts=lines"); err != nil {
		fmt.Println(err)
		return
	}
	prompt, err := r.Render(&beam.Request{Messages: []harmony.Message{
		{Role: harmony.User, Parts: []harmony.Part{{Type: "text", Text: "a"}, {Type: "text", Text: "b"}}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(prompt[strings.Index(prompt, "<|start|>user"):])
	// Output:
	// <|start|>user<|message|>a
	// b<|end|><|start|>assistant
}
