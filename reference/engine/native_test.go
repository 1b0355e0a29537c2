package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// A tokenizer that cannot be read is noted: problems lack its markers.
func TestNativeNotes(t *testing.T) {
	for text, want := range map[string]string{
		`{"added_tokens": [{"content": "<x>"}]}`: "",
		`{}`:                                     "",
		`{"added_tokens": 5}`:                    "added_tokens must be a list, but is integer",
		"version https":                          "tokenizer.json: is not JSON: ",
		"":                                       "tokenizer.json: is not JSON: ",
	} {
		dir := t.TempDir()
		for name, data := range map[string]string{"chat_template.jinja": "x", "tokenizer.json": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c, err := checkpoint.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		info, err := NewNative(c, NativeOptions{}).Info(t.Context())
		notes := strings.Join(info.Notes, "; ")
		if err != nil || (notes == "") != (want == "") || !strings.Contains(notes, want) {
			t.Errorf("%q: notes %q, want %q (%v)", text, notes, want, err)
		}
	}
}
