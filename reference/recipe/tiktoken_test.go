package recipe

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// ranksOf makes a list of as many tokens as o200k_base has: all bytes, then pairs
// and triples of them.
func ranksOf() []string {
	lines := make([]string, 0, o200kSize)
	add := func(bytes ...byte) {
		lines = append(lines, fmt.Sprintf("%s %d", base64.StdEncoding.EncodeToString(bytes), len(lines)))
	}
	for b := range 256 {
		add(byte(b))
	}
	for i := range 1 << 16 {
		add(byte(i>>8), byte(i))
	}
	for i := 0; len(lines) < o200kSize; i++ {
		add(byte(i>>16), byte(i>>8), byte(i))
	}
	return lines
}

// A list of ranks becomes a tokenizer whose ids are the ranks, with the special
// tokens of OpenAI Harmony behind them and every merge that makes a token.
func TestTiktokenJSON(t *testing.T) {
	text, err := tiktokenJSON(strings.Join(ranksOf(), "\n") + "\n")
	if err != nil {
		t.Fatal(err)
	}
	v, err := token.Load(text)
	if err != nil {
		t.Fatal(err)
	}
	if v.Size() != harmonyLast+1 || len(v.Added()) != harmonyLast+1-o200kSize {
		t.Errorf("%d tokens, %d added", v.Size(), len(v.Added()))
	}
	for id, want := range map[token.ID]string{'"': `"`, '\\': `\`, 256 + 'h'<<8 + 'i': "hi", 256 + 0xC3<<8 + 0xA9: "é", 200002: "<|return|>", 200009: "<|reserved_200009|>", 200018: "<|endofprompt|>"} {
		if got, err := v.Decode([]token.ID{id}, token.DecodeOptions{}); got != want || err != nil {
			t.Errorf("%d is %q, %v; want %q", id, got, err, want)
		}
	}
	root, err := value.Loads(string(text))
	if err != nil {
		t.Fatal(err)
	}
	merges, _ := root.Get("model").Get("merges").AsArray()
	// A pair has one merge, a triple two: those of its first byte and of its first
	// pair, in the order of their ranks.
	if triples := o200kSize - 256 - 1<<16; merges.Len() != 1<<16+2*triples {
		t.Errorf("%d merges", merges.Len())
	}
	for i, want := range map[int]string{0: "Ā Ā", 'h'<<8 + 'i': "h i", 1 << 16: "Ā ĀĀ", 1<<16 + 1: "ĀĀ Ā", 1<<16 + 2: "Ā Āā"} {
		if got, _ := merges.At(i).AsString(); got != want {
			t.Errorf("merge %d is %q, want %q", i, got, want)
		}
	}
}

// A list that is not the one is refused, with the line.
func TestTiktokenErrors(t *testing.T) {
	good := ranksOf()
	with := func(i int, line string) string {
		lines := append([]string(nil), good...)
		lines[i] = line
		return strings.Join(lines, "\n")
	}
	for _, c := range []struct{ list, want string }{
		{"", "has 0 tokens, not the 199998"},
		{strings.Join(good[:1000], "\n"), "has 1000 tokens"},
		{with(6, "?? 6"), "line 7 is not a token in base 64 and the rank 6"},
		{with(6, "Bg=="), "line 7 is not"},
		{with(6, "Bg== x"), "line 7 is not"},
		{with(6, "Bg== 7"), "line 7 is not"},
		{with(6, " 6"), "line 7 is not"},
		{with(6, "BQ== 6"), "line 7 has a token that has a rank already"},
		{with(6, "BgYGBgY= 6"), "does not have a token for each byte"},
	} {
		if _, err := tiktokenJSON(c.list); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A recipe's tokenizer has a source of a known form, in a package that the recipe
// then needs; only it has a form.
func TestDecodeTokenizer(t *testing.T) {
	const note = `note = "a note"`
	const chat = `file = "fetched/a.jinja" }`
	decode := func(from, to string) (*List, error) {
		return Decode([]byte(strings.Replace(goodList, from, to, 1)), "list.toml")
	}
	plain, err := Decode([]byte(goodList), "list.toml")
	if err != nil {
		t.Fatal(err)
	}
	l, err := decode(note, `tokenizer = { package = "fetched", file = "fetched/t", form = "o200k-harmony" }`)
	if err != nil {
		t.Fatal(err)
	}
	r := l.Find("one.2-x")
	if r.Tokenizer.File != "fetched/t" || len(r.Packages()) != 2 || r.hash() == plain.Find("one.2-x").hash() || l.Find("one.2-x-training").Tokenizer != r.Tokenizer {
		t.Errorf("got %+v", r)
	}
	for _, c := range []struct{ from, to, want string }{
		{note, `tokenizer = { package = "fetched", file = "fetched/t" }`, `one.2-x: tokenizer: form must be o200k-harmony, but is ""`},
		{note, `tokenizer = { package = "fetched", file = "fetched/t", form = "bpe" }`, `form must be o200k-harmony, but is "bpe"`},
		{note, `tokenizer = { package = "none", file = "fetched/t", form = "o200k-harmony" }`, `one.2-x: tokenizer: "none" is no package`},
		{chat, `file = "fetched/a.jinja", form = "o200k-harmony" }`, "one.2-x: chat_template: is read as it is: form is for a tokenizer"},
	} {
		if _, err := decode(c.from, c.to); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.to, err, c.want)
		}
	}
}
