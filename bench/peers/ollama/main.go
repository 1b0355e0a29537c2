// The peer ollama reads replies with Ollama's parser of gpt-oss' format, which is
// Beam's as far as reasoning and answers in words go. See ../README.md.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ollama/ollama/harmony"
)

type request struct {
	Calls int    `json:"calls"`
	Reply string `json:"reply"`
	Cut   int    `json:"cut"`
}

type answer struct {
	NS      int64   `json:"ns"`
	Message message `json:"message"`
	Cannot  string  `json:"cannot,omitempty"`
}

type message struct {
	Thinking string `json:"thinking"`
	Content  string `json:"content"`
	Calls    []call `json:"tool_calls"`
}

type call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		a := answer{}
		if err := json.Unmarshal(line, &r); err != nil {
			a.Cannot = err.Error()
		} else {
			a = read(r)
		}
		if out.Encode(a) != nil {
			return
		}
	}
}

// read reads the reply so often. The server strips the stop token before its
// parser sees the text.
func read(r request) answer {
	chunks := cut(strings.TrimSuffix(strings.TrimSuffix(r.Reply, "<|return|>"), "<|call|>"), r.Cut)
	var thinking, content strings.Builder
	var name *string
	var arguments string
	start := time.Now()
	for range r.Calls {
		thinking.Reset()
		content.Reset()
		h := harmony.NewHarmonyMessageHandler()
		h.HarmonyParser.AddImplicitStart()
		tools := h.CreateToolParser()
		for _, chunk := range chunks {
			c, t, call := h.AddContent(chunk, tools)
			content.WriteString(c)
			thinking.WriteString(t)
			tools.Add(call)
		}
		name, arguments = tools.Drain()
	}
	a := answer{NS: time.Since(start).Nanoseconds(), Message: message{Thinking: thinking.String(), Content: content.String()}}
	if name != nil {
		if !json.Valid([]byte(arguments)) {
			return answer{Cannot: fmt.Sprintf("it reads one call of %s, whose arguments are no JSON", *name)}
		}
		a.Message.Calls = []call{{strings.TrimPrefix(*name, "functions."), json.RawMessage(arguments)}}
	}
	return a
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
