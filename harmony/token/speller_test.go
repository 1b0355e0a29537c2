package token

import (
	"os"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// speller is an encoder that knows bytes and added tokens only. Its ids decode to
// the text, as any tokenizer's do that has them.
type speller struct {
	v     *Vocabulary
	bytes [256]ID
}

func newSpeller(t testing.TB, v *Vocabulary) *speller {
	t.Helper()
	s := &speller{v: v}
	for b := range 256 {
		id, ok := v.ID(string([]rune(oracleAlphabet)[b]))
		if !ok {
			t.Fatalf("no token for the byte %d", b)
		}
		s.bytes[b] = id
	}
	return s
}

func (s *speller) Close() error { return nil }

func (s *speller) Encode(text string) (Encoding, error) {
	matches, err := s.v.Scan(text)
	if err != nil {
		return Encoding{}, err
	}
	var e Encoding
	put := func(id ID, from, to int) {
		e.IDs = append(e.IDs, id)
		e.Offsets = append(e.Offsets, harmony.Span{Start: int64(from), End: int64(to)})
	}
	for i := 0; i < len(text); {
		if len(matches) > 0 && int(matches[0].Span.Start) == i {
			put(matches[0].ID, i, int(matches[0].Span.End))
			i = int(matches[0].Span.End)
			matches = matches[1:]
			continue
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		for k := range n {
			put(s.bytes[text[i+k]], i, i+n)
		}
		i += n
	}
	return e, nil
}

// readFile reads a file of the default checkpoint, or of one beside it.
func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../../reference/checkpoint/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func shippedVocabulary(t testing.TB, name string) *Vocabulary {
	t.Helper()
	v, err := Load(readFile(t, name+"/tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// beamTemplate is the default checkpoint's response template.
func beamTemplate(t testing.TB) *response.Template {
	t.Helper()
	config, err := value.Loads(string(readFile(t, "beam/tokenizer_config.json")))
	if err != nil {
		t.Fatal(err)
	}
	template, err := response.Compile(config.Get("response_template"))
	if err != nil {
		t.Fatal(err)
	}
	return template
}

const testPrefix = "<|start|>assistant"

const testReply = "<|channel|>analysis<|message|>We shöuld call 界 👋🏽.<|end|><|start|>assistant to=f<|channel|>analysis <|constrain|>xml<|message|>" +
	"<rfl:parameter name=\"a\">\nx\n</rfl:parameter><|call|>"

func newParser(t testing.TB, template *response.Template) *response.Parser {
	t.Helper()
	prefix := testPrefix
	p, err := template.NewParser(response.Options{Prefix: &prefix, Problems: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
