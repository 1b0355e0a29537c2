package openai_test

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/openai"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func ExampleParse() {
	r, err := openai.Parse(`<|channel|>analysis<|message|>I need the weather.<|end|>`+
		`<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Paris"}<|call|>`,
		openai.ReadOptions{})
	if err != nil {
		fmt.Println(err)
	}
	for _, m := range r.Messages {
		fmt.Printf("%s, to %q: %s\n", m.Channel, m.Recipient, m.Content)
	}
	fmt.Println(value.Dumps(r.Calls[0].Value))
	// Output:
	// analysis, to "": I need the weather.
	// commentary, to "functions.get_weather": {"city":"Paris"}
	// {"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Paris"}}}
}

// A reply without a header: a strict reader says where it is wrong, a lenient one
// keeps the text and shows it to nobody.
func ExampleParse_strict() {
	const reply = "I cannot help with that.<|return|>"
	_, err := openai.Parse(reply, openai.ReadOptions{Strict: true})
	fmt.Println(err)
	r, _ := openai.Parse(reply, openai.ReadOptions{})
	fmt.Println(r.Messages[0].Content)
	fmt.Println(r.Problems[0])
	// Output:
	// the header has no <|message|> (byte 24 of the reply)
	// I cannot help with that.
	// bad_syntax at [0,24): the header has no <|message|>
}

func ExampleParser() {
	p := openai.NewParser(openai.ReadOptions{})
	for _, chunk := range []string{"<|chan", "nel|>final<|mes", "sage|>2 + 2", " <", " 5.<|ret", "urn|>"} {
		events, err := p.Feed(chunk)
		if err != nil {
			fmt.Println(err)
		}
		for _, e := range events {
			fmt.Printf("%s %s %q\n", e.Type, e.Field, e.Text)
		}
	}
	_, reply, _ := p.Finalize(harmony.StopToken(openai.MarkReturn))
	fmt.Println(value.Dumps(reply.Message))
	// Output:
	// region_open content ""
	// region_chunk content "2 + 2"
	// region_chunk content " "
	// region_chunk content "< 5."
	// region_close content ""
	// {"role": "assistant", "content": "2 + 2 < 5."}
}

// A reply goes back into history: the stop token becomes the end of a message.
func ExampleAppendHistory() {
	r, _ := openai.Parse("<|channel|>final<|message|>2 + 2 = 4.<|return|>", openai.ReadOptions{})
	fmt.Println(string(openai.AppendHistory(nil, r.Messages)))
	// Output: <|start|>assistant<|channel|>final<|message|>2 + 2 = 4.<|end|>
}
