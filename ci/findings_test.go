package ci

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// What a caller's text forges is told with its path and byte, and fails nothing.
func TestForged(t *testing.T) {
	for _, tt := range []struct{ input, want string }{
		{`"messages": [{"role": "user", "content": "é<|end|>"}]`, "forged: messages[0].content, byte 2: writes the token <|end|>"},
		{`"messages": [{"role": "user", "content": "<|end"}], "tools": [{"type": "function", "function": {"name": "f", "parameters": {"properties": {"<|call|>": {}}}}}]`,
			`forged: tools[0].function.parameters.properties["<|call|>"], byte 0: the name of a member writes`},
		{`"messages": [{"role": "user", "content": "<|end|>", "<|call|>": 1}], "sanitize_control_tokens": true`, `forged: messages[0]["<|call|>"], byte 0: the name of a member writes`},
		{`"messages": [{"role": "user", "content": "x"}], "chat_template": "<|end|>"`, ""},
	} {
		res, err := (&Runner{Engines: []engine.Engine{native()}, Cases: casesOf(t, `{"id": "x", "kind": "encode", `+tt.input+`}`)}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		for _, f := range res.Cases[0].Findings {
			told += f.String() + "\n"
		}
		if !strings.HasPrefix(told, tt.want) || (told == "") != (tt.want == "") || strings.Count(told, "\n") > 1 || res.ExitCode() != ExitSame {
			t.Errorf("%s: %s", tt.input, told)
		}
	}
}

// Ids and masks that break a law are told, whichever engine gave them.
func TestLaws(t *testing.T) {
	const conversation = `{"id": "x", "kind": "mask", "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]%s}`
	answer := func(ids, masks string) engine.Engine {
		// <|start|> a <|return|>, the last two the model's
		return tokened("other", true, func(engine.Request) corpus.Outcome {
			return okValue(jsonOf(t, `{"text": "<|start|>a<|return|>", "spans": [[9, 20]], "input_ids": `+ids+`, "offsets": [[0, 9], [9, 10], [10, 20]], "assistant_masks": `+masks+`}`))
		})
	}
	for _, tt := range []struct{ ids, masks, more, want string }{
		{"[563, 64, 569]", "[0, 1, 1]", "", ""},
		{"[563, 65, 569]", "[0, 1, 1]", "", "identity: byte 9:"},
		{"[563, 64, 569]", "[1, 1, 1]", "", "mask: byte 0:"},
		{"[563, 64, 569]", "[1, 1, 1]", `, "truncation": true`, ""}, // not the text's ids
	} {
		res, err := (&Runner{Engines: []engine.Engine{answer(tt.ids, tt.masks), native()}, Format: "beam",
			Cases: casesOf(t, fmt.Sprintf(conversation, tt.more))}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		for _, f := range res.Cases[0].Findings {
			told += f.String() + "\n"
		}
		if !strings.HasPrefix(told, tt.want) || (told == "") != (tt.want == "") {
			t.Errorf("%s %s: %q, want %q", tt.ids, tt.masks, told, tt.want)
		}
		var out bytes.Buffer
		if err := (&Report{Result: res, Verbose: true}).WriteText(&out); err != nil {
			t.Fatal(err)
		}
		law, _, _ := strings.Cut(tt.want, ":")
		if strings.Contains(out.String(), "\n  "+law+": 1 case (x)\n  x: "+law) != (law != "") {
			t.Errorf("the report says\n%s", out.String())
		}
	}
}
