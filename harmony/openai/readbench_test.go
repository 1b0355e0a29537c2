package openai

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// benchReply is a turn with reasoning, a preamble and a call, about 8 kB.
var benchReply = long("{C}analysis{M}" + strings.Repeat("The user asks for the weather, so a < b must hold. ", 100) +
	"{E}{S}assistant{C}commentary{M}" + strings.Repeat("I will look it up. ", 100) +
	`{E}{S}assistant to=functions.get_weather{C}commentary json{M}{"city": "` + strings.Repeat("Paris ", 150) + `"}{L}`)

// benchTemplate is a response template for the same replies.
const benchTemplate = `{"defaults": {"role": "assistant"}, "start_anchor": "<|start|>assistant", "fields": {
	"thinking": {"open": "<|channel|>analysis<|message|>", "close": "<|end|>", "content": "text"},
	"content": {"open_pattern": "<\\|channel\\|>(?:final|commentary)<\\|message\\|>", "close_pattern": "<\\|(?:return|end)\\|>", "content": "text"},
	"tool_calls": {"open_pattern": " to=functions\\.(?P<name>[^<\\s]+)<\\|channel\\|>commentary json<\\|message\\|>", "close": "<|call|>", "repeats": true,
		"content": "json", "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}}}}`

func fours(s string) (out []string) {
	for ; len(s) > 4; s = s[4:] {
		out = append(out, s[:4])
	}
	return append(out, s)
}

// BenchmarkRead reads a reply whole and four characters at a time, natively and
// through a response template.
func BenchmarkRead(b *testing.B) {
	v, err := value.Loads(benchTemplate)
	if err != nil {
		b.Fatal(err)
	}
	tmpl, err := response.Compile(v)
	if err != nil {
		b.Fatal(err)
	}
	prefix := ""
	readers := []struct {
		name string
		make func() harmony.Reader
	}{
		{"native", func() harmony.Reader { return NewParser(ReadOptions{}) }},
		{"template", func() harmony.Reader {
			p, err := tmpl.NewParser(response.Options{Prefix: &prefix, Problems: true})
			if err != nil {
				b.Fatal(err)
			}
			return p
		}},
	}
	for _, r := range readers {
		for _, c := range [...]struct {
			name   string
			chunks []string
		}{{"whole", []string{benchReply}}, {"4-characters", fours(benchReply)}} {
			b.Run(r.name+"/"+c.name, func(b *testing.B) {
				b.SetBytes(int64(len(benchReply)))
				b.ReportAllocs()
				for b.Loop() {
					p := r.make()
					for _, chunk := range c.chunks {
						if _, err := p.Feed(chunk); err != nil {
							b.Fatal(err)
						}
					}
					_, reply, err := p.Finalize(harmony.StopToken(MarkCall))
					if err != nil || len(reply.Calls) != 1 {
						b.Fatal(err, len(reply.Calls))
					}
				}
			})
		}
	}
}
