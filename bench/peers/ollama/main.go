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
	NS       int64  `json:"ns"`
	Thinking int    `json:"thinking"`
	Content  int    `json:"content"`
	Calls    int    `json:"tool_calls"`
	Cannot   string `json:"cannot,omitempty"`
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
func read(r request) (a answer) {
	chunks := cut(strings.TrimSuffix(r.Reply, "<|return|>"), r.Cut)
	var thinking, content strings.Builder
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
		if name, _ := tools.Drain(); name != nil {
			return answer{Cannot: fmt.Sprintf("it reads a call of %s, whose arguments are JSON in its format", *name)}
		}
	}
	return answer{NS: time.Since(start).Nanoseconds(), Thinking: thinking.Len(), Content: content.Len()}
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
