package openai

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// FuzzParser: every cut reads the same, nothing is lost, a strict reader reads what a
// lenient one does or ends, and the cost is linear.
func FuzzParser(f *testing.F) {
	for i, row := range readings {
		f.Add(long(row.reply), uint64(i))
	}
	f.Fuzz(func(t *testing.T, reply string, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, o := range [...]ReadOptions{{}, {Strict: true}, {Conversation: true}} {
			whole := heard(t, []string{reply}, o)
			if got := heard(t, cuts(rng, reply), o); got != whole {
				t.Errorf("%+v: cut:\n%s\nwhole:\n%s", o, got, whole)
			}
		}
		lenient, err := Parse(reply, ReadOptions{})
		var fault *ReadError
		if err != nil && (!errors.As(err, &fault) || fault.Kind == BadGrammar) {
			t.Fatalf("a lenient reader ends with %v", err)
		}
		if err == nil {
			if at := lost(reply, lenient); at >= 0 {
				t.Errorf("byte %d is in no message, marker or problem", at)
			}
		}
		for _, m := range lenient.Messages {
			for _, text := range [...]string{m.Content, m.Recipient, m.Channel, m.Author.Name, strings.TrimPrefix(m.ContentType, MarkConstrain)} {
				if withoutMarks(text) != text && !strings.Contains(withoutMarks(reply[max(m.Span.Start, 0):m.Span.End]), "<|") {
					t.Errorf("a marker leaks into %q", text)
				}
			}
		}
		if strict, err := Parse(reply, ReadOptions{Strict: true}); err == nil && list(strict.Messages) != list(lenient.Messages) {
			t.Errorf("strict %s\nlenient %s", list(strict.Messages), list(lenient.Messages))
		}
		p := NewParser(ReadOptions{})
		for _, chunk := range bytesOf(reply) {
			p.Feed(chunk)
		}
		if most := int64((maxMark + 1) * len(reply)); p.looked > most {
			t.Errorf("%d bytes were looked at, more than %d", p.looked, most)
		}
	})
}

// cuts cuts a text anywhere.
func cuts(rng *rand.Rand, s string) (out []string) {
	for s != "" {
		n := 1 + rng.IntN(min(len(s), 1+rng.IntN(24)))
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}
