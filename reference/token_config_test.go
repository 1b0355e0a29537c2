package reference_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// configScript gives the added tokens of a directory's tokenizer, and what ids
// become.
const configScript = `
import json
from transformers import AutoTokenizer
work = json.loads(WORK)
t = AutoTokenizer.from_pretrained(work["directory"])
added = [[i, a.content, a.special, a.single_word, a.lstrip, a.rstrip, a.normalized] for i, a in sorted(t.added_tokens_decoder.items())]
print(json.dumps([added, [[t.decode(ids), t.decode(ids, skip_special_tokens=True)] for ids in work["ids"]]]))
`

// A configuration changes the added tokens, and what decoding leaves out, as
// Transformers does.
func TestConfigureTokens(t *testing.T) {
	one := func(text, more string) string {
		return fmt.Sprintf(`{"content": %q, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false%s}`, text, more)
	}
	configs := []string{
		`{}`,
		`{"eos_token": "<|return|>", "pad_token": "<|end|>"}`,
		`{"pad_token": "<pad>", "bos_token": "a", "unk_token": null}`,
		`{"eos_token": {"__type": "AddedToken", "content": "<e>", "lstrip": true, "normalized": true, "special": false}}`,
		`{"added_tokens_decoder": {"30": ` + one("<new>", `, "special": true`) + `, "4": ` + one("<|end|>", `, "special": true`) + `, "7": ` + one("<other>", "") + `}, "pad_token": "<other>"}`,
		`{"extra_special_tokens": ["<x>", "b"], "image_token": "<image>"}`,
		`{"additional_special_tokens": ["<y>", {"__type": "AddedToken", "content": "<z>", "special": false, "normalized": true}]}`,
		`{"extra_special_tokens": {"audio_token": "<audio>"}}`,
		`{"clean_up_tokenization_spaces": true}`,
		`{"clean_up_tokenization_spaces": true, "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output": true}`,
		`{"clean_up_tokenization_spaces": false, "cls_token": "<|end|>"}`,
	}
	models := map[string]string{
		"WordLevel": `{"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0, "b": 1, ".": 2, "n't": 3, "'s": 4, "'": 5}}`,
		"BPE":       `{"type": "BPE", "vocab": {"a": 0, "b": 1, ".": 2, "n't": 3, "'s": 4, "'": 5}, "merges": []}`,
		"Unigram":   `{"type": "Unigram", "unk_id": 0, "byte_fallback": false, "vocab": [["a", 0.0], ["b", -1.0], [".", -2.0], ["n't", -3.0], ["'s", -4.0], ["'", -5.0]]}`,
		"WordPiece": `{"type": "WordPiece", "unk_token": "a", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": {"a": 0, "b": 1, ".": 2, "n't": 3, "'s": 4, "'": 5}}`,
		// Ids are left out, and added tokens come to stand where the model's are.
		"holes": `{"type": "BPE", "vocab": {"a": 0, "b": 1, ".": 2, "n't": 7, "'s": 8, "'": 11}, "merges": []}`,
	}
	for kind, model := range models {
		for i, config := range configs {
			t.Run(fmt.Sprintf("%s/%d", kind, i), func(t *testing.T) {
				text := `{"version": "1.0", "added_tokens": [
					{"id": 6, "content": "<|end|>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": false},
					{"id": 7, "content": "<|return|>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}
				], "decoder": null, "model": ` + model + `}`
				config = strings.Replace(config, "{", `{"tokenizer_class": "PreTrainedTokenizerFast", `, 1)
				config = strings.Replace(config, ", }", "}", 1)
				dir := t.TempDir()
				for name, data := range map[string]string{"tokenizer.json": text, "tokenizer_config.json": config} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				base, err := token.Load([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				c, err := value.Loads(config)
				if err != nil {
					t.Fatal(err)
				}
				v, err := base.Configure(c)
				if err != nil {
					t.Fatal(err)
				}
				lists := randomIDs(v, 200)
				var ids []value.Value
				for _, list := range lists {
					var items []value.Value
					for _, id := range list {
						items = append(items, value.Int(int64(id)))
					}
					ids = append(ids, value.List(items...))
				}
				answer, _ := askPython(t, configScript, value.Members(
					value.Member{Name: "directory", Value: value.String(dir)}, value.Member{Name: "ids", Value: value.List(ids...)})).AsArray()
				var added []value.Value
				for _, a := range v.Added() {
					added = append(added, value.List(value.Int(int64(a.ID)), value.String(a.Text), value.Bool(a.Special), value.Bool(a.SingleWord), value.Bool(a.LStrip), value.Bool(a.RStrip), value.Bool(a.Normalized)))
				}
				if got, want := value.Dumps(value.List(added...)), value.Dumps(answer.At(0)); got != want {
					t.Fatalf("%s\n native    %s\n reference %s", config, got, want)
				}
				texts, _ := answer.At(1).AsArray()
				for k, pair := range texts.All() {
					two, _ := pair.AsArray()
					for n, skip := range []bool{false, true} {
						want, _ := two.At(n).AsString()
						got, _ := v.Decode(lists[k], token.DecodeOptions{SkipSpecial: skip, SkipUnknown: true})
						if got != want {
							t.Fatalf("%s: %d, skip %v\n native    %q\n reference %q", config, lists[k], skip, got, want)
						}
					}
				}
			})
		}
	}
}
