package reference_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// configScript gives the added tokens of a directory's tokenizer, and what ids
// become.
const configScript = `
import json
from transformers import AutoTokenizer
work = json.loads(WORK)
t = AutoTokenizer.from_pretrained(work["directory"])
named = {name: t.special_tokens_map.get(name) for name in work["names"] if t.special_tokens_map.get(name)}
added = [[i, a.content, a.special, a.single_word, a.lstrip, a.rstrip, a.normalized] for i, a in sorted(t.added_tokens_decoder.items())]
print(json.dumps([added, named, [[t.decode(ids), t.decode(ids, skip_special_tokens=True)] for ids in work["ids"]]]))
`

// The files beside a tokenizer change its added tokens, and what decoding leaves
// out, as they do for Transformers; a checkpoint has the special tokens that its
// tokenizer has there.
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
		// Files of old, where the configuration has no added_tokens_decoder.
		`{"eos_token": "<|end|>", "special_tokens_map.json": {"eos_token": "<|return|>", "pad_token": "<pad>"}}`,
		`{"eos_token": "<|end|>", "special_tokens_map.json": {"eos_token": ` + one("<e>", `, "lstrip": true`) + `}}`,
		`{"eos_token": "<|end|>", "special_tokens_map.json": {"eos_token": {"content": "<e>", "lstrip": true}}}`,
		`{"eos_token": "<|end|>", "added_tokens_decoder": {"6": ` + one("<|end|>", "") + `}, "special_tokens_map.json": {"eos_token": "<|return|>"}, "added_tokens.json": {"<z>": 8}}`,
		`{"eos_token": "<|end|>", "added_tokens.json": {"<y>": 9, "<z>": 8, "<|end|>": 6, "b": 3}}`,
		`{"eos_token": "<z>", "added_tokens.json": {"<y>": 9, "<z>": 8, "": 10}}`,
		`{"extra_special_tokens": ["<x>"], "added_tokens.json": {"<x>": 12, "<y>": 13, "a": 12}}`,
		`{"added_tokens.json": {"<x>": -3, "<y>": 8, "<z>": 8, "<w>": 20, "<|new|>": 6}}`,
		`{"extra_special_tokens": ["<q>"], "special_tokens_map.json": {"extra_special_tokens": ["<x>", "<q>", {"content": "<w>", "lstrip": true, "normalized": true}]}}`,
		`{"additional_special_tokens": ["<q>"], "special_tokens_map.json": {"extra_special_tokens": ["<x>"]}}`,
		`{"additional_special_tokens": ["<q>"], "special_tokens_map.json": {"additional_special_tokens": ["<x>"]}}`,
		`{"special_tokens_map.json": {"additional_special_tokens": ["<x>"]}}`,
		`{"additional_special_tokens": ["<q>"], "special_tokens_map.json": {"extra_special_tokens": {"audio_token": "<x>"}}}`,
		`{"extra_special_tokens": {"audio_token": "<x>"}, "special_tokens_map.json": {"extra_special_tokens": ["<q>"]}}`,
		`{"image_token": "<i>", "special_tokens_map.json": {"image_token": "<image>"}, "added_tokens.json": {"<i>": 8}}`,
		`{"special_tokens_map.json": {"image_token": {"content": "<image>", "lstrip": true}, "cls_token": "<c>"}}`,
		`{"pad_token": "<pad>", "special_tokens_map.json": {"pad_token": null}}`,
	}
	models := map[string]string{
		"WordLevel": `{"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0, "b": 1, ".": 2, "n't": 3, "'s": 4, "'": 5}}`,
		"BPE":       `{"type": "BPE", "vocab": {"a": 0, "b": 1, ".": 2, "n't": 3, "'s": 4, "'": 5}, "merges": []}`,
		"Unigram":   `{"type": "Unigram", "unk_id": 0, "byte_fallback": false, "vocab": [["a", 0.0], ["b", -1.0], [".", -2.0], ["n't", -3.0], ["'s", -4.0], ["'", -5.0]]}`,
		"WordPiece": `{"type": "WordPiece", "unk_token": "a", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": {"a": 0, "b": 1, ".": 2, "n't": 3, "'s": 4, "'": 5}}`,
		// Ids are left out, and added tokens come to stand where the model's are.
		"holes": `{"type": "BPE", "vocab": {"a": 0, "b": 1, ".": 2, "n't": 7, "'s": 8, "'": 11}, "merges": []}`,
	}
	names := value.List()
	list, _ := names.AsArray()
	for _, name := range checkpoint.SpecialNames {
		list.Append(value.String(name))
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
				write := func(name, data string) {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				write("tokenizer.json", text)
				base, err := token.Load([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				c, err := value.Loads(config)
				if err != nil {
					t.Fatal(err)
				}
				o, _ := c.AsObject()
				for _, name := range []string{"special_tokens_map.json", "added_tokens.json"} {
					if file, has := o.Get(name); has {
						write(name, value.Dumps(file))
						o.Delete(name)
					}
				}
				write("tokenizer_config.json", value.Dumps(c))
				loaded, err := checkpoint.Load(dir)
				if err != nil {
					t.Fatal(err)
				}
				v, err := base.Configure(loaded.Configuration)
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
					value.Member{Name: "directory", Value: value.String(dir)}, value.Member{Name: "ids", Value: value.List(ids...)},
					value.Member{Name: "names", Value: names})).AsArray()
				var added []value.Value
				for _, a := range v.Added() {
					added = append(added, value.List(value.Int(int64(a.ID)), value.String(a.Text), value.Bool(a.Special), value.Bool(a.SingleWord), value.Bool(a.LStrip), value.Bool(a.RStrip), value.Bool(a.Normalized)))
				}
				if got, want := value.Dumps(value.List(added...)), value.Dumps(answer.At(0)); got != want {
					t.Fatalf("%s\n native    %s\n reference %s", config, got, want)
				}
				special := &value.Object{}
				for _, name := range checkpoint.SpecialNames {
					if text := loaded.SpecialTokens[name]; text != "" {
						special.Set(name, value.String(text))
					}
				}
				if got, want := value.Dumps(special.Value()), value.Dumps(answer.At(1)); got != want {
					t.Fatalf("%s\n checkpoint %s\n reference  %s", config, got, want)
				}
				texts, _ := answer.At(2).AsArray()
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
