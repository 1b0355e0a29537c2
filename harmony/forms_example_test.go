package harmony_test

import (
	"fmt"
	"io"
	"log"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// parser starts to read a reply to the prompt.
func parser(prompt string) harmony.Reader {
	template, err := response.Compile(checkpoint.Default().ResponseTemplate)
	if err != nil {
		log.Fatal(err)
	}
	p, err := template.NewParser(response.Options{Prefix: &prompt})
	if err != nil {
		log.Fatal(err)
	}
	return p
}

func ExampleEvents() {
	chunks := slices.Values([]string{"<|channel|>final<|mess", "age|>Hi! How ", "can I help?<|ret", "urn|>"})
	end := harmony.Ending{Stop: harmony.StopToken("<|return|>")}
	for e, err := range harmony.Events(parser("<|start|>assistant"), chunks, &end) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %s %q\n", e.Type, e.Field, e.Text)
	}
	fmt.Println(value.Dumps(end.Reply.Message))
	// Output:
	// region_open content ""
	// region_chunk content "Hi! How "
	// region_chunk content "can I help?"
	// region_close content ""
	// {"role": "assistant", "content": "Hi! How can I help?"}
}

func ExampleNewWriter() {
	w := harmony.NewWriter(parser("<|start|>assistant"), func(e harmony.Event) error {
		if e.Type == harmony.RegionChunk {
			fmt.Printf("%s %q\n", e.Field, e.Text)
		}
		return nil
	})
	if _, err := io.Copy(w, strings.NewReader("<|channel|>final<|message|>Hi! How can I help?")); err != nil {
		fmt.Println(err)
		return
	}
	w.Stop = harmony.StopToken("<|return|>")
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(value.Dumps(w.Reply.Message))
	// Output:
	// content "Hi! How can I help?"
	// {"role": "assistant", "content": "Hi! How can I help?"}
}

// The reply goes back into the conversation in the model's own bytes, its calls
// with IDs that results can name.
func ExampleReply_History() {
	text := " to=look_up<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name=\"q\">\nbeams\n</rfl:parameter><|call|>"
	p := parser("<|start|>assistant")
	if _, err := p.Feed(text); err != nil {
		fmt.Println(err)
		return
	}
	_, reply, err := p.Finalize(harmony.StopToken("<|call|>"))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := reply.History(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	m.GiveCallIDs(func() string { return "call_1" })
	fmt.Println(m.ToolCalls[0].ID, m.ToolCalls[0].Name, value.Dumps(m.ToolCalls[0].Arguments))
	fmt.Println(m.Raw == text)
	// Output:
	// call_1 look_up {"q": "beams"}
	// true
}
