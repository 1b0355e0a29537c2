package reference_test

import (
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// The page's code blocks, run as they stand and in their order, print what the
// page prints.
func TestDocumentation(t *testing.T) {
	e := open(t, reference.Options{Workers: 1})
	python := 0
	for _, b := range corpus.Blocks() {
		if b.Lang != "python" {
			continue
		}
		python++
		printed := ""
		for _, code := range []string{b.Before, b.Text} {
			request := &value.Object{}
			request.Set("code", value.String(code))
			request.Set("session", value.String("page"))
			out := e.Do(t.Context(), engine.Request{Op: worker.OpExec, Case: request})
			text, ok := out.Value.Get("output").AsString()
			if !ok {
				t.Fatalf("line %d: %s", b.Line, say(out))
			}
			printed += text
		}
		if err := b.Check(printed); err != nil {
			t.Error(err)
		}
	}
	if python != 18 {
		t.Errorf("%d python blocks were run, want 18", python)
	}
}

// Line 80 of the page: each marker is one token, only <|return|> is special, and
// decoding without special tokens keeps the others.
func TestMarkersAreTokens(t *testing.T) {
	e := open(t, reference.Options{Workers: 1})
	request := &value.Object{}
	request.Set("code", value.String(`
import os
from transformers import AutoTokenizer
tokenizer = AutoTokenizer.from_pretrained(os.environ["BEAM_MODEL_ID"])
for name in ["start", "channel", "constrain", "message", "end", "call", "return"]:
    ids = tokenizer("<|" + name + "|>")["input_ids"]
    print(name, len(ids), repr(tokenizer.decode(ids, skip_special_tokens=True)))
print(tokenizer.eos_token, tokenizer.all_special_tokens)
for text in ["analysis", " to=get_weather", "<rfl:parameter name=", "<|refusal|>"]:
    print(repr(text), len(tokenizer(text)["input_ids"]) > 1)
`))
	out := e.Do(t.Context(), engine.Request{Op: worker.OpExec, Case: request})
	got, _ := out.Value.Get("output").AsString()
	const want = `start 1 '<|start|>'
channel 1 '<|channel|>'
constrain 1 '<|constrain|>'
message 1 '<|message|>'
end 1 '<|end|>'
call 1 '<|call|>'
return 1 ''
<|return|> ['<|return|>']
'analysis' True
' to=get_weather' True
'<rfl:parameter name=' True
'<|refusal|>' True
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s%s", got, want, say(out))
	}
}
