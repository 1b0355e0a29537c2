package checkpoint

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

func TestDefault(t *testing.T) {
	c := Default()
	if got := c.Format(); got != "beam" {
		t.Errorf("format %q", got)
	}
	if len(c.Templates) != 1 || c.Templates[0].Name != "" || !strings.Contains(c.Templates[0].Text, "generation") {
		t.Errorf("templates: %d", len(c.Templates))
	}
	if c.ResponseTemplate.Get("fields").Kind() != value.KindObject {
		t.Error("no response template")
	}
	if len(c.SpecialTokens) != 1 || c.SpecialTokens["eos_token"] != "<|return|>" {
		t.Errorf("special tokens: %v", c.SpecialTokens)
	}
	dir := filepath.Join(t.TempDir(), "copy")
	if err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	again, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash() != c.Hash() {
		t.Error("a copy has another hash")
	}
}

// Each change to what is loaded changes the hash; nothing else does.
func TestHash(t *testing.T) {
	base := Default().Hash()
	tests := []struct {
		name    string
		change  func(dir string) error
		changes bool
	}{
		{"chat template", edit("chat_template.jinja", "512", "513"), true},
		{"response template", edit("tokenizer_config.json", `"version": 1`, `"version": 1, "x": 1`), true},
		{"special token", edit("tokenizer_config.json", `"eos_token": "<|return|>"`, `"eos_token": "<|end|>"`), true},
		{"tokenizer", edit("tokenizer.json", "<|return|>", "<|retour|>"), true},
		{"another key", edit("tokenizer_config.json", `"model_max_length": 1000000`, `"model_max_length": 1000001`), false},
		{"line breaks", edit("chat_template.jinja", "\n", "\r\n"), false},
		{"another file", func(dir string) error { return os.WriteFile(filepath.Join(dir, "config.json"), []byte("{}"), 0o644) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "c")
			if err := Default().Write(dir); err != nil {
				t.Fatal(err)
			}
			if err := tt.change(dir); err != nil {
				t.Fatal(err)
			}
			c, err := Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Hash() != base; got != tt.changes {
				t.Errorf("changed: %v, want %v", got, tt.changes)
			}
		})
	}
}

func edit(file, old, new string) func(string) error {
	return func(dir string) error {
		path := filepath.Join(dir, file)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !strings.Contains(string(data), old) {
			return errors.New(file + " does not contain " + old)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(strings.ReplaceAll(string(data), old, new)), 0o644)
	}
}

func TestLoad(t *testing.T) {
	tests := []struct {
		name   string
		files  map[string]string
		format string
		names  []string
		err    string // part of the error; "" where there is none
	}{
		{"template alone", map[string]string{"chat_template.jinja": "<|start|><rfl:parameter"}, "beam", []string{""}, ""},
		{"in the configuration", map[string]string{"tokenizer_config.json": `{"chat_template": "x"}`}, "other", []string{""}, ""},
		{"named", map[string]string{"tokenizer_config.json": `{"chat_template": [{"name": "default", "template": "x"}, {"name": "tool_use", "template": "y"}]}`}, "other", []string{"default", "tool_use"}, ""},
		{"file wins", map[string]string{"chat_template.jinja": "<|start|><rfl:parameter", "tokenizer_config.json": `{"chat_template": "x"}`}, "beam", []string{""}, ""},
		{"more files", map[string]string{"chat_template.jinja": "x", "additional_chat_templates/b.jinja": "y"}, "other", []string{"default", "b"}, ""},
		{"empty", nil, "", nil, "has neither chat_template.jinja nor tokenizer_config.json"},
		{"not JSON", map[string]string{"tokenizer_config.json": `{`}, "", nil, "tokenizer_config.json: is not JSON"},
		{"not an object", map[string]string{"tokenizer_config.json": `[]`}, "", nil, "must be a JSON object, but is array"},
		{"wrong special token", map[string]string{"tokenizer_config.json": `{"eos_token": 5}`}, "", nil, "tokenizer_config.json: eos_token must be a string or an added token, but is integer"},
		{"not UTF-8", map[string]string{"chat_template.jinja": "a\xff"}, "", nil, "chat_template.jinja: the file is not valid UTF-8 at byte 1"},
		{"bad template", map[string]string{"tokenizer_config.json": `{"chat_template": 1}`}, "", nil, "must be a string or a list"},
		{"bad named template", map[string]string{"tokenizer_config.json": `{"chat_template": [{"name": "default"}]}`}, "", nil, `chat_template[0] must be an object`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.files {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			c, err := Load(dir)
			if tt.err != "" {
				var le *LoadError
				if !errors.As(err, &le) || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want one with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, x := range c.Templates {
				names = append(names, x.Name)
			}
			if c.Format() != tt.format || strings.Join(names, " ") != strings.Join(tt.names, " ") || len(names) != len(tt.names) {
				t.Errorf("format %q, templates %q", c.Format(), names)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "absent")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("absent directory: %v", err)
	}
	file := filepath.Join(t.TempDir(), "f")
	os.WriteFile(file, nil, 0o644)
	if _, err := Load(file); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("a file: %v", err)
	}
}
