package replies

import (
	"encoding/json"
	"strings"
)

// Message is what a reply says, in the form in which readers of several formats
// are compared.
type Message struct {
	Thinking string `json:"thinking"`
	Content  string `json:"content"`
	Calls    []Call `json:"tool_calls"`
}

// Call is one call of a tool. Arguments is JSON as json.dumps writes it.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// OpenAIKind is a kind of reply of OpenAI Harmony, as the chat template of gpt-oss
// writes replies. What it says is known before any reader reads it.
type OpenAIKind struct {
	Name, Why string
	// Least is the size in bytes below which it cannot be made.
	Least int
	// Plain says that it has no calls.
	Plain bool
	// Make makes what a reply of about n bytes says.
	Make func(n int) Message
}

// OpenAI are all kinds. No text in them begins or ends with whitespace, which
// readers treat each in its own way.
var OpenAI = []OpenAIKind{
	{Name: "ordinary", Why: "reasoning and an answer in words: what most replies are", Plain: true, Make: func(n int) Message {
		return Message{Thinking: trimmed("The user asks for a < b, so I compare them. ", n/2), Content: trimmed("Here is the answer, in words.\n", n/2)}
	}},
	{Name: "ordinary-han", Why: "the same in Han, three bytes a character: what UTF-8 costs", Plain: true, Make: func(n int) Message {
		return Message{Thinking: trimmed("用户要求比较两个数字，a < b，所以我来比较。", n/2), Content: trimmed("这是用文字写的答案。\n", n/2)}
	}},
	{Name: "call", Why: "reasoning and one call that writes a file, as the model ends its turn", Make: func(n int) Message {
		return Message{Thinking: "They want it in a file.", Calls: []Call{written(n)}}
	}},
	{Name: "calls", Why: "an agent at work: short calls and ones that write a file of 2.3 kB, all in one reply", Least: 4 << 10, Make: func(n int) Message {
		m := Message{Thinking: "I need the weather and a file."}
		short := Call{"get_weather", json.RawMessage(`{"city": "Paris", "days": 3}`)}
		for range max(1, n/2850) {
			m.Calls = append(m.Calls, short, written(2500))
		}
		return m
	}},
}

func trimmed(text string, n int) string { return strings.TrimRight(fill(text, n), " \n") }

// written is a call with about n bytes of a program in JSON.
func written(n int) Call {
	text, _ := json.Marshal(fill("func Sum(xs []float64) (sum float64) {\n\tfor _, x := range xs {\n\t\tsum += x\n\t}\n\treturn sum\n}\n\n", n*8/9))
	return Call{"write_file", json.RawMessage(`{"path": "sum.go", "text": ` + string(text) + `}`)}
}

// Reply is the reply that says it.
func (m Message) Reply() string {
	const final = next + OpenFinal
	var b strings.Builder
	b.WriteString(OpenThinking + m.Thinking + "<|end|>")
	for _, c := range m.Calls {
		b.WriteString(next + " to=functions." + c.Name + "<|channel|>commentary json<|message|>" + string(c.Arguments) + "<|call|>")
	}
	if m.Content != "" {
		b.WriteString(final + m.Content + "<|return|>")
	}
	return b.String()
}
