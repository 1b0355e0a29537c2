package response

import (
	"strings"
	"testing"
)

const (
	openThinking = "<|channel|>analysis<|message|>"
	openFinal    = "<|channel|>final<|message|>"
	openCall     = " to=get_weather<|channel|>analysis <|constrain|>xml<|message|>"
	openWrite    = " to=write_file<|channel|>analysis <|constrain|>xml<|message|>"
	parameter    = "<rfl:parameter name=\"city\">\nParis\n</rfl:parameter>\n"
	code         = "func Sum(xs []float64) (sum float64) {\n\tfor i := 0; i < len(xs); i++ {\n\t\tsum += xs[i]\n\t}\n\treturn sum\n}\n\n"
)

// fill repeats a text up to about n bytes.
func fill(text string, n int) string { return strings.Repeat(text, max(1, n/len(text))) }

// generator makes replies of about n bytes. Its shape is stated, and checked by
// TestGenerators: how many bytes there are to a <, and to a call; 0 where there
// are none or it is not a matter of density.
type generator struct {
	script      string
	bytesToLess int
	bytesToCall int
	make        func(n int) string
}

// replies are ordinary ones, and those that make careless readers quadratic.
var replies = map[string]generator{
	"ordinary": {"Latin, ASCII only", 87, 0, func(n int) string {
		return openThinking + fill("The user asks for a < b, so I compare them. ", n/2) + "<|end|><|start|>assistant" +
			openFinal + fill("Here is the answer, in words.\n", n/2) + "<|return|>"
	}},
	"ordinary-han": {"Han, three bytes a character", 122, 0, func(n int) string {
		return openThinking + fill("用户要求比较两个数字，a < b，所以我来比较。", n/2) + "<|end|><|start|>assistant" +
			openFinal + fill("这是用文字写的答案。\n", n/2) + "<|return|>"
	}},
	// An agent at work: a short call, then one that writes a file of 2.3 kB.
	"calls": {"Latin, ASCII only", 66, 1331, func(n int) string {
		return fill("<|start|>assistant"+openCall+parameter+parameter+"<|call|>"+
			"<|start|>assistant"+openWrite+"<rfl:parameter name=\"path\">\nsum.go\n</rfl:parameter>\n"+
			"<rfl:parameter name=\"text\">\n"+fill(code, 2300)+"\n</rfl:parameter>\n<|call|>", n)
	}},
	// The worst case for what a call costs: nothing but calls of two short arguments.
	"calls-short": {"Latin, ASCII only", 21, 190, func(n int) string {
		return fill("<|start|>assistant"+openCall+parameter+parameter+"<|call|>", n)
	}},
	"run of <":               {make: func(n int) string { return openFinal + strings.Repeat("<", n) }},
	"run of < outside":       {make: func(n int) string { return strings.Repeat("<", n) }},
	"near-miss markers":      {make: func(n int) string { return openFinal + fill("<|end|<|cal|><|retur<|start|>assistan", n) }},
	"near-miss opens":        {make: func(n int) string { return fill("<|channel|>analysis<|messag|> to=x<|channel|>analysis <|const", n) }},
	"prose outside":          {make: func(n int) string { return fill("no region takes this text. ", n) }},
	"prose with < outside":   {make: func(n int) string { return fill("no < region > takes <this> text. ", n) }},
	"to= that never ends":    {make: func(n int) string { return " to=" + strings.Repeat("x", n) }},
	"to= many times":         {make: func(n int) string { return strings.Repeat(" to=", n/4) }},
	"to=x many times":        {make: func(n int) string { return strings.Repeat(" to=x ", n/6) }},
	"to=x< many times":       {make: func(n int) string { return strings.Repeat(" to=x<|channel|>analysis", n/24) }},
	"to= before each final":  {make: func(n int) string { return fill("to="+openFinal+"a to=<|end|>", n) }},
	"open tag never closes":  {make: func(n int) string { return openCall + "<rfl:parameter name=\"a\">" + strings.Repeat("x", n) }},
	"open tags never close":  {make: func(n int) string { return openCall + fill("<rfl:parameter name=\"a\">", n) }},
	"open tag, many closed":  {make: func(n int) string { return openCall + fill("<rfl:parameter name=\""+parameter, n) + "<|call|>" }},
	"one unclosed region":    {make: func(n int) string { return openFinal + strings.Repeat("word ", n/5) }},
	"many small regions":     {make: func(n int) string { return fill(openFinal+"a<|end|>", n) }},
	"one call, then its end": {make: func(n int) string { return openCall + fill(parameter, n) + "<|call|>" }},
	"many markers in prose":  {make: func(n int) string { return fill("x<|message|>y<|channel|>", n) }},
}

// TestGenerators checks what the generators state.
func TestGenerators(t *testing.T) {
	const size = 64 << 10
	for name, g := range replies {
		text := g.make(size)
		if len(text) < size*9/10 || len(text) > size*11/10 {
			t.Errorf("%s: %d bytes for %d", name, len(text), size)
		}
		if g.script == "" {
			continue
		}
		if got := len(text) / strings.Count(text, "<"); got != g.bytesToLess {
			t.Errorf("%s: a < each %d bytes, %d are stated", name, got, g.bytesToLess)
		}
		calls := strings.Count(text, " to=")
		if calls > 0 {
			calls = len(text) / calls
		}
		if calls != g.bytesToCall {
			t.Errorf("%s: a call each %d bytes, %d are stated", name, calls, g.bytesToCall)
		}
	}
}

// cut gives a text in chunks of size characters; 0 for all of it.
func cut(text string, size int) (chunks []string) {
	if size == 0 {
		return []string{text}
	}
	from, n := 0, 0
	for at := range text {
		if n == size {
			chunks = append(chunks, text[from:at])
			from, n = at, 0
		}
		n++
	}
	return append(chunks, text[from:])
}
