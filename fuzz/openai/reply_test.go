package openai

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/openai"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// replies is how many generated replies the laws are tried on.
const replies = 5000

// told is all that a reader says of a reply in chunks.
type told struct {
	messages []openai.Message
	message  string
	problems []harmony.Problem
	err      error
}

func read(chunks []string, strict bool) told {
	p := openai.NewParser(openai.ReadOptions{Strict: strict})
	for _, c := range chunks {
		if _, err := p.Feed(c); err != nil {
			break
		}
	}
	_, r, err := p.Finalize(harmony.Stop{})
	return told{p.Messages(), value.Dumps(r.Message), r.Problems, err}
}

func (a told) equal(b told) bool {
	return slices.Equal(a.messages, b.messages) && a.message == b.message && slices.Equal(a.problems, b.problems) &&
		(a.err == nil) == (b.err == nil) && (a.err == nil || a.err.Error() == b.err.Error())
}

// TestReplies: of generated replies each cut reads the same, a lenient reader reads
// all and leaks no marker, and a strict one reads the same as a lenient one or a part
// of it.
func TestReplies(t *testing.T) {
	strictly := 0
	for seed := range uint64(replies) {
		s := fuzz.FromSeed(seed)
		reply := Reply(s)
		lenient, strict := read([]string{reply}, false), read([]string{reply}, true)
		var chunks []string
		for rest := reply; rest != ""; {
			n := 1 + s.N(min(len(rest), 9))
			chunks, rest = append(chunks, rest[:n]), rest[n:]
		}
		if !read(chunks, false).equal(lenient) || !read(chunks, true).equal(strict) {
			t.Errorf("seed %d: %q reads otherwise in %q", seed, reply, chunks)
		}
		if lenient.err != nil {
			t.Errorf("seed %d: %q: %v", seed, reply, lenient.err)
		}
		for _, m := range lenient.messages {
			for _, mark := range openai.Markers() {
				if strings.Contains(m.Recipient+" "+m.Channel+" "+m.Author.Name, mark) {
					t.Errorf("seed %d: %q: %s is in the name of %+v", seed, reply, mark, m)
				}
			}
		}
		var fault *openai.ReadError
		switch {
		case strict.err == nil && slices.Equal(strict.messages, lenient.messages):
			strictly++
		case strict.err == nil || !errors.As(strict.err, &fault) || fault.Kind != openai.BadGrammar:
			t.Errorf("seed %d: %q: strict %+v", seed, reply, strict)
		}
	}
	if strictly < replies/3 {
		t.Errorf("of %d replies only %d fit the grammar: the generator makes too few", replies, strictly)
	}
}

// TestCompare: each class of disagreement is told, from the smallest case of it as the
// library 0.0.8 answers; and what it would not answer is unexplained.
func TestCompare(t *testing.T) {
	one := func(m Message) []Message { m.Role = "assistant"; return []Message{m} }
	for _, c := range [...]struct {
		reply   string
		library []Message
		want    Difference
	}{
		{"<|channel|>final<|message|>a<|end|>", one(Message{Channel: "final", Content: "a"}), Same},
		{"<|channel|>final<|message|>a<|end|>", one(Message{Channel: "final", Content: "b"}), Unexplained},
		{"<|channel|>final<|message|>a<|end|>", one(Message{Channel: "analysis", Content: "a"}), Unexplained},
		{"<|channel|>final<|message|>a<|end|>", nil, Unexplained},
		{"I cannot.<|return|>", nil, BothRefuse},
		{"<|channel|>final <|constrain|>json<|message|>{}<|return|>", one(Message{Channel: "final", Recipient: "<|constrain|>json", Content: "{}"}), MarkerInText},
		{"<|channel|>final<|message|>a<|start|>b<|end|>", one(Message{Channel: "final", Content: "a<|start|>b"}), MarkerInText},
		{"<|channel|>commentary json<|message|>{}<|end|>", one(Message{Channel: "commentary", Recipient: "json", Content: "{}"}), WordIsRecipient},
		{"<|channel|>commentary x y<|message|><|end|>", one(Message{Channel: "commentary", Recipient: "x", ContentType: "y"}), WordIsRecipient},
		{"<|channel|>a<b<|message|>x<|end|>", one(Message{Channel: "a", Recipient: "<b", Content: "x"}), WordIsRecipient},
		{" to=<|channel|>final<|message|>x<|end|>", one(Message{Channel: "final", Content: "x"}), NamelessRefused},
		{"<|channel|>final<|message|><|end|><|start|>assistant:bob<|channel|>final<|message|><|end|>", nil, NamedAuthor},
	} {
		refused := c.library == nil && c.want != Unexplained
		if got := Compare(c.reply, c.library, refused); got != c.want {
			t.Errorf("%s: got %s, want %s", c.reply, got, c.want)
		}
	}
}
