package reference_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/python"
)

// gptOSS is the folder of the checkpoint with gpt-oss's own vocabulary.
func gptOSS(t *testing.T) string {
	t.Helper()
	dir, err := reference.Assemble(t.Context(), reference.Recipes().Find("gpt-oss-tokens"), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the checkpoint gpt-oss-tokens is not there: %v", err)
	}
	return dir
}

// encodeScript encodes texts with a directory's tokenizer.
const encodeScript = `
import json
from transformers import AutoTokenizer
work = json.loads(WORK)
t = AutoTokenizer.from_pretrained(work["directory"])
print(json.dumps([t.encode(text, add_special_tokens=False) for text in work["texts"]]))
`

// The vocabulary of gpt-oss has OpenAI's ids, and the texts have the ids that
// OpenAI's own library gives them (package oss-harmony 0.0.11, all special tokens
// allowed).
func TestGPTOSSTokens(t *testing.T) {
	dir := gptOSS(t)
	data, err := os.ReadFile(filepath.Join(dir, "tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := token.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]token.ID{"<|endoftext|>": 199999, "<|return|>": 200002, "<|constrain|>": 200003, "<|channel|>": 200005, "<|start|>": 200006,
		"<|end|>": 200007, "<|message|>": 200008, "<|call|>": 200012, "<|reserved_200017|>": 200017, "<|endofprompt|>": 200018} {
		if id, ok := v.ID(text); !ok || id != want {
			t.Errorf("%s is %d, want %d", text, id, want)
		}
	}
	golden := []struct {
		text string
		ids  []token.ID
	}{
		{`<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Zürich"}<|call|>`,
			[]token.ID{200006, 173781, 200005, 12606, 815, 316, 28, 44580, 775, 170154, 220, 200003, 4108, 200008, 10848, 17500, 1243, 392, 57, 1948, 703, 18583, 200012}},
		{"<|channel|>final<|message|>It'S 12345 o'clock,  isn’t IT?\r\n\n\tназад 世界 한국어 👋🏽\u0301 ǅ<|return|>",
			[]token.ID{200005, 17196, 200008, 3206, 31233, 220, 7633, 2548, 293, 141801, 11, 220, 11092, 1573, 8734, 30, 46865, 197, 128200, 4260, 185558, 52971, 5959, 61138, 233, 52622, 121, 13430, 220, 131, 227, 200002}},
		{"  ///\n\n  <|start|user|> \u00a0\u200d<|end|>", []token.ID{220, 2124, 279, 220, 464, 91, 5236, 91, 1428, 91, 29, 220, 5310, 2524, 200007}},
	}
	var texts []value.Value
	for _, g := range golden {
		texts = append(texts, value.String(g.text))
		if text, err := v.Decode(g.ids, token.DecodeOptions{}); text != g.text || err != nil {
			t.Errorf("%d decode to %q, %v", g.ids, text, err)
		}
	}
	answers, _ := askPython(t, encodeScript, value.Members(value.Member{Name: "directory", Value: value.String(dir)}, value.Member{Name: "texts", Value: value.List(texts...)})).AsArray()
	for i, g := range golden {
		list, _ := answers.At(i).AsArray()
		var ids []token.ID
		for _, item := range list.All() {
			n, _ := item.AsInt()
			ids = append(ids, token.ID(n))
		}
		if !slices.Equal(ids, g.ids) {
			t.Errorf("%q:\n got %d\nwant %d", g.text, ids, g.ids)
		}
	}
	for lists := range slices.Chunk(randomIDs(v, decodeLists(t)), 5000) {
		if others := compareDecode(t, v, lists, decodeAll(t, "", dir, lists)); others > 0 {
			t.Errorf("the library's own stream loses text of %d lists", others)
		}
	}
}
