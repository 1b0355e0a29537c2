package response_test

import (
	"fmt"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

const template = `{
  "defaults": {"role": "assistant"},
  "start_anchor": "<assistant>",
  "fields": {
    "thinking": {"open": "<think>", "close": "</think>"},
    "tool_calls": {
      "open_pattern": "<call (?P<name>\\w+)>", "close": "</call>", "repeats": true, "content": "json",
      "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}},
    "content": {"close": "<end>"}
  }
}`

func compile() *response.Template {
	v, err := value.Loads(template)
	if err != nil {
		panic(err)
	}
	t, err := response.Compile(v)
	if err != nil {
		panic(err)
	}
	return t
}

func ExampleTemplate_Parse() {
	prompt := "<user>Rain in Paris?<assistant><think>"
	reply, err := compile().Parse("I must look.</think><call weather>{\"city\": \"Paris\"}</call>", response.Options{Prefix: &prompt})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(value.Dumps(reply.Message))
	fmt.Println(len(reply.Calls), "call, runnable:", reply.Calls[0].Runnable)
	// Output:
	// {"role": "assistant", "thinking": "I must look.", "tool_calls": [{"type": "function", "function": {"name": "weather", "arguments": {"city": "Paris"}}}]}
	// 1 call, runnable: true
}

func ExampleTemplate_NewParser() {
	prompt := ""
	parser, err := compile().NewParser(response.Options{Prefix: &prompt})
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func(events []harmony.Event) {
		for _, e := range events {
			if e.Type == harmony.RegionChunk {
				fmt.Printf("%s %q\n", e.Field, e.Text)
			}
		}
	}
	for _, chunk := range []string{"<thi", "nk>Hm", "m.</", "think>Hello, ", "w", "orld<en", "d>"} {
		events, err := parser.Feed(chunk)
		if err != nil {
			fmt.Println(err)
			return
		}
		show(events)
	}
	events, reply, err := parser.Finalize(harmony.StopToken("<end>"))
	if err != nil {
		fmt.Println(err)
		return
	}
	show(events)
	fmt.Println(value.Dumps(reply.Message))
	// Output:
	// thinking "Hm"
	// thinking "m."
	// content "Hello, "
	// content "w"
	// content "orld"
	// {"role": "assistant", "thinking": "Hmm.", "content": "Hello, world"}
}

func ExampleOptions_problems() {
	prompt := ""
	reply, err := compile().Parse("<think>a</think>one<think>b</think>two", response.Options{Prefix: &prompt, Problems: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(value.Dumps(reply.Message))
	for _, p := range reply.Problems {
		fmt.Println(p)
	}
	// Output:
	// {"role": "assistant", "thinking": "b", "content": "two"}
	// region_overwritten at [0,16): a later thinking takes the place of this one
	// region_overwritten at [16,19): a later content takes the place of this one
	// unclosed at [35,38): the last close is missing
}

func ExamplePrepareTools() {
	schema, err := value.Loads(`{"name": "weather", "parameters": {"properties": {"days": {"type": "integer"}}}}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := response.PrepareTools([]value.Value{schema})
	prompt := ""
	reply, err := compile().Parse(`<call weather>{"days": "3"}</call>`, response.Options{Prefix: &prompt, Tools: tools})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(value.Dumps(reply.Calls[0].Value.Get("function").Get("arguments")))
	// Output: {"days": 3}
}
