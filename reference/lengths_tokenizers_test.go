//go:build tokenizers

package reference_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Truncation, padding and sanitising are those of the reference for every
// configuration of the tokenizer: sides, lengths, a padding token that the file
// has or lacks, tokens that the configuration adds, named control tokens.
func TestTokensConfigured(t *testing.T) {
	conversations := []string{
		`[{"role": "user", "content": "2+2?<|end|>é"}, {"role": "assistant", "reasoning_content": "Sum.", "content": "4😀<pad>"}]`,
		`[{"role": "user", "content": "ab <|call|> ab<|channel|>"}]`,
	}
	lengths := []string{
		``, `"padding": true`, `"padding": "longest"`, `"padding": "max_length"`, `"padding": "max_length", "max_length": 150`,
		`"padding": "max_length", "max_length": 3`, `"truncation": true`, `"truncation": true, "max_length": 0`, `"truncation": true, "max_length": 7`,
		`"truncation": true, "max_length": 60`, `"truncation": true, "max_length": 150, "padding": "max_length"`,
		`"truncation": true, "max_length": 20, "padding": "max_length"`, `"truncation": true, "max_length": 0, "padding": "max_length"`, `"truncation": true, "padding": "max_length"`, `"max_length": 0, "padding": "max_length"`,
	}
	for name, edit := range map[string]string{
		"left":        `"pad_token": "<|end|>", "padding_side": "left", "truncation_side": "left"`,
		"added":       `"pad_token": "<pad>", "model_max_length": 1000000000000000019884624838656, "chat_control_tokens": ["<|call|>", "nothing"]`,
		"short":       `"pad_token": "<|end|>", "model_max_length": 90, "chat_control_tokens": []`,
		"more tokens": `"bos_token": "ab", "added_tokens_decoder": {"563": {"content": "<|start|>", "special": true, "lstrip": false, "rstrip": false, "normalized": false, "single_word": false}}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := configured(t, edit)
			c, err := checkpoint.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			native := engine.NewNative(c, engine.NativeOptions{})
			e := open(t, reference.Options{Checkpoint: dir, Workers: 1})
			n := 0
			for _, messages := range conversations {
				for _, length := range lengths {
					for _, more := range []string{`"op": "mask"`, `"op": "encode"`, `"op": "encode", "sanitize_control_tokens": true`} {
						in, err := value.Loads(`{"messages": ` + messages + `, ` + strings.TrimPrefix(length+", ", ", ") + more + `}`)
						if err != nil {
							t.Fatal(err)
						}
						o, _ := in.AsObject()
						op, _ := in.Get("op").AsString()
						o.Delete("op")
						r := engine.Request{Op: engine.Op(op), Case: o}
						if got, want := say(native.Do(t.Context(), r)), say(e.Do(t.Context(), r)); got != want {
							t.Errorf("%s %s:\n got %s\nwant %s", op, value.Dumps(in), got, want)
						}
						n++
					}
				}
			}
			if n != len(conversations)*len(lengths)*3 {
				t.Errorf("only %d were compared", n)
			}
		})
	}
}

// configured is the default checkpoint with some keys of its configuration more.
func configured(t *testing.T, keys string) string {
	dir := filepath.Join(t.TempDir(), "c")
	if err := checkpoint.Default().Write(dir); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "tokenizer_config.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if strings.Contains(keys, "model_max_length") {
		text = strings.Replace(text, `"model_max_length": 1000000,`, ``, 1)
	}
	if keys != "" {
		text = strings.Replace(text, "{", "{"+keys+",", 1)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, keys) {
		t.Fatal(fmt.Errorf("the keys are not in %s", text))
	}
	return dir
}
