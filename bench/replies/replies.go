// Package replies makes the replies of a model that readers are measured and
// tested with: ordinary ones, and those that make careless readers quadratic.
// All are of Beam Harmony. It holds the yardsticks, too, which do the least that
// any reader must.
package replies

import "strings"

// What replies are made of.
const (
	OpenThinking = "<|channel|>analysis<|message|>"
	OpenFinal    = "<|channel|>final<|message|>"
	OpenCall     = " to=get_weather<|channel|>analysis <|constrain|>xml<|message|>"
	Parameter    = "<rfl:parameter name=\"city\">\nParis\n</rfl:parameter>\n"

	openWrite = " to=write_file<|channel|>analysis <|constrain|>xml<|message|>"
	next      = "<|start|>assistant"
	code      = "func Sum(xs []float64) (sum float64) {\n\tfor i := 0; i < len(xs); i++ {\n\t\tsum += xs[i]\n\t}\n\treturn sum\n}\n\n"
)

// Kind is a kind of reply.
type Kind struct {
	Name string
	// Why says in one line what it is measured for.
	Why string
	// Script, BytesToLess and BytesToCall state the shape of an ordinary reply: how
	// many bytes there are to a <, and to a call, 0 for none. Script is "" for the
	// hostile ones.
	Script                   string
	BytesToLess, BytesToCall int
	// Least is the size in bytes below which it cannot be made.
	Least int
	// Make makes a reply of about n bytes.
	Make func(n int) string
}

// Hostile tells whether the kind is made to be slow to read.
func (k Kind) Hostile() bool { return k.Script == "" }

// fill repeats a text up to about n bytes.
func fill(text string, n int) string { return strings.Repeat(text, max(1, n/len(text))) }

// filled is what repeats a text behind another.
func filled(head, text, tail string) func(int) string {
	return func(n int) string { return head + fill(text, n) + tail }
}

// Kinds are all kinds, the ordinary ones first.
var Kinds = []Kind{
	{Name: "ordinary", Why: "reasoning and an answer in words: what most replies are", Script: "Latin, ASCII only", BytesToLess: 87, Make: func(n int) string {
		return OpenThinking + fill("The user asks for a < b, so I compare them. ", n/2) + "<|end|>" + next +
			OpenFinal + fill("Here is the answer, in words.\n", n/2) + "<|return|>"
	}},
	{Name: "ordinary-han", Why: "the same in Han, three bytes a character: what UTF-8 costs", Script: "Han, three bytes a character", BytesToLess: 122, Make: func(n int) string {
		return OpenThinking + fill("用户要求比较两个数字，a < b，所以我来比较。", n/2) + "<|end|>" + next +
			OpenFinal + fill("这是用文字写的答案。\n", n/2) + "<|return|>"
	}},
	{Name: "calls", Why: "an agent at work: a short call, then one that writes a file of 2.3 kB", Script: "Latin, ASCII only", BytesToLess: 66, BytesToCall: 1331, Least: 8 << 10,
		Make: filled("", next+OpenCall+Parameter+Parameter+"<|call|>"+
			next+openWrite+"<rfl:parameter name=\"path\">\nsum.go\n</rfl:parameter>\n"+
			"<rfl:parameter name=\"text\">\n"+fill(code, 2300)+"\n</rfl:parameter>\n<|call|>", "")},
	{Name: "calls-short", Why: "nothing but calls of two short arguments: what a call costs at most", Script: "Latin, ASCII only", BytesToLess: 21, BytesToCall: 190,
		Make: filled("", next+OpenCall+Parameter+Parameter+"<|call|>", "")},

	{Name: "less-run", Why: "every byte could begin a marker, in a region", Make: func(n int) string { return OpenFinal + strings.Repeat("<", n) }},
	{Name: "less-run-outside", Why: "every byte could begin a marker, outside all regions", Make: func(n int) string { return strings.Repeat("<", n) }},
	{Name: "near-closes", Why: "markers that miss a byte, in a region: each is held and given up", Make: filled(OpenFinal, "<|end|<|cal|><|retur<|start|>assistan", "")},
	{Name: "near-opens", Why: "markers that miss a byte, where a region may open", Make: filled("", "<|channel|>analysis<|messag|> to=x<|channel|>analysis <|const", "")},
	{Name: "outside", Why: "prose that no region takes", Make: filled("", "no region takes this text. ", "")},
	{Name: "outside-less", Why: "prose with < that no region takes", Make: filled("", "no < region > takes <this> text. ", "")},
	{Name: "name-endless", Why: "a tool's name that never ends: a pattern that stays open", Make: func(n int) string { return " to=" + strings.Repeat("x", n) }},
	{Name: "name-starts", Why: "a pattern that begins at every fourth byte", Make: func(n int) string { return strings.Repeat(" to=", n/4) }},
	{Name: "name-breaks", Why: "a pattern that begins and fails, again and again", Make: func(n int) string { return strings.Repeat(" to=x ", n/6) }},
	{Name: "name-late", Why: "a pattern that fails late, again and again", Make: func(n int) string { return strings.Repeat(" to=x<|channel|>analysis", n/24) }},
	{Name: "name-before-final", Why: "the start of a pattern before each region that a text opens", Make: filled("", "to="+OpenFinal+"a to=<|end|>", "")},
	{Name: "argument-endless", Why: "an argument that never closes", Make: func(n int) string { return OpenCall + "<rfl:parameter name=\"a\">" + strings.Repeat("x", n) }},
	{Name: "arguments-open", Why: "arguments that open and never close: each could run to the end", Make: filled(OpenCall, "<rfl:parameter name=\"a\">", "")},
	{Name: "arguments-nested", Why: "the start of an argument before each whole one", Make: filled(OpenCall, "<rfl:parameter name=\""+Parameter, "<|call|>")},
	{Name: "region-endless", Why: "one region that never closes", Make: func(n int) string { return OpenFinal + strings.Repeat("word ", n/5) }},
	{Name: "regions-small", Why: "many regions of one byte, joined in one field", Make: filled("", OpenFinal+"a<|end|>", "")},
	{Name: "arguments-many", Why: "one call with as many arguments as the reply holds", Make: filled(OpenCall, Parameter, "<|call|>")},
	{Name: "markers-in-prose", Why: "markers where they mean nothing", Make: filled("", "x<|message|>y<|channel|>", "")},
}

// Named is the kind of a name; it panics where there is none, which is an error
// of the program that asks.
func Named(name string) Kind {
	for _, k := range Kinds {
		if k.Name == name {
			return k
		}
	}
	panic("replies: there is no kind " + name)
}

// Cut gives a text in chunks of size characters; 0 for all of it.
func Cut(text string, size int) (chunks []string) {
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
