package response

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

const (
	openThinking = "<|channel|>analysis<|message|>"
	openFinal    = "<|channel|>final<|message|>"
	openCall     = " to=get_weather<|channel|>analysis <|constrain|>xml<|message|>"
	parameter    = "<rfl:parameter name=\"city\">\nParis\n</rfl:parameter>\n"
)

// fill repeats a text up to about n bytes.
func fill(text string, n int) string { return strings.Repeat(text, max(1, n/len(text))) }

// replies are replies of about n bytes: two ordinary ones, and those that make
// careless readers quadratic.
var replies = map[string]func(n int) string{
	"ordinary": func(n int) string {
		return openThinking + fill("The user asks for a < b, so I compare them. ", n/2) + "<|end|><|start|>assistant" +
			openFinal + fill("Here is the answer, in words.\n", n/2) + "<|return|>"
	},
	"calls": func(n int) string {
		return fill("<|start|>assistant"+openCall+parameter+parameter+"<|call|>", n)
	},
	"run of <":               func(n int) string { return openFinal + strings.Repeat("<", n) },
	"run of < outside":       func(n int) string { return strings.Repeat("<", n) },
	"near-miss markers":      func(n int) string { return openFinal + fill("<|end|<|cal|><|retur<|start|>assistan", n) },
	"near-miss opens":        func(n int) string { return fill("<|channel|>analysis<|messag|> to=x<|channel|>analysis <|const", n) },
	"prose outside":          func(n int) string { return fill("no region takes this text. ", n) },
	"prose with < outside":   func(n int) string { return fill("no < region > takes <this> text. ", n) },
	"to= that never ends":    func(n int) string { return " to=" + strings.Repeat("x", n) },
	"to= many times":         func(n int) string { return strings.Repeat(" to=", n/4) },
	"to=x many times":        func(n int) string { return strings.Repeat(" to=x ", n/6) },
	"to= before each final":  func(n int) string { return fill("to="+openFinal+"a to=<|end|>", n) },
	"open tag never closes":  func(n int) string { return openCall + "<rfl:parameter name=\"a\">" + strings.Repeat("x", n) },
	"open tags never close":  func(n int) string { return openCall + fill("<rfl:parameter name=\"a\">", n) },
	"open tag, many closed":  func(n int) string { return openCall + fill("<rfl:parameter name=\""+parameter, n) + "<|call|>" },
	"one unclosed region":    func(n int) string { return openFinal + strings.Repeat("word ", n/5) },
	"many small regions":     func(n int) string { return fill(openFinal+"a<|end|>", n) },
	"one call, then its end": func(n int) string { return openCall + fill(parameter, n) + "<|call|>" },
	"many markers in prose":  func(n int) string { return fill("x<|message|>y<|channel|>", n) },
}

// stepsOf reads a reply and gives the steps: whole, or in feeds of size bytes.
func stepsOf(t testing.TB, tpl *Template, reply string, size int) int64 {
	p, err := tpl.NewParser(Options{Prefix: &noPrefix})
	if err != nil {
		t.Fatal(err)
	}
	if size == 0 {
		p.silent = true
		p.fed = len(reply)
		p.fail(p.finalize(reply, harmony.Stop{}))
		return p.Steps()
	}
	for at := 0; at < len(reply); at += size {
		if _, err := p.Feed(reply[at:min(at+size, len(reply))]); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := p.Finalize(harmony.Stop{}); err != nil {
		t.Fatal(err)
	}
	return p.Steps()
}

// Steps for each byte must not grow with the reply, whatever it holds and
// however it is cut.
func TestLinear(t *testing.T) {
	const small, large = 64 << 10, 1 << 20
	for name, tpl := range map[string]*Template{"beam": beamTemplate(t), "gateway": gateway(t, "false")} {
		for reply, make := range replies {
			for _, size := range []int{0, 4} {
				t.Run(fmt.Sprintf("template=%s/reply=%s/feed=%d", name, reply, size), func(t *testing.T) {
					a, b := make(small), make(large)
					perSmall := float64(stepsOf(t, tpl, a, size)) / float64(len(a))
					perLarge := float64(stepsOf(t, tpl, b, size)) / float64(len(b))
					if perLarge > perSmall*1.05 || perLarge > 40 {
						t.Errorf("steps per byte: %.2f at 64 KiB, %.2f at 1 MiB", perSmall, perLarge)
					}
				})
			}
		}
	}
}
