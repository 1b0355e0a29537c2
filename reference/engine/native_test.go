package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
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

// A checkpoint without a chat template cannot render, and says so.
func TestNativeWithoutTemplate(t *testing.T) {
	n := NewNative(&checkpoint.Checkpoint{}, NativeOptions{})
	in := &value.Object{}
	in.Set("messages", value.List())
	if o := n.Do(t.Context(), Request{Op: OpRender, Case: in}); o.Kind != corpus.Cannot || o.Why != "the checkpoint has no chat template to render with" {
		t.Errorf("%v %s", o.Kind, o.Why)
	}
	in.Set("chat_template", value.String("x"))
	if o := n.Do(t.Context(), Request{Op: OpMask, Case: in}); o.Kind != corpus.Cannot || !strings.Contains(o.Why, "writes the formats beam and gpt-oss") {
		t.Errorf("with one of the case's own: %v %s", o.Kind, o.Why)
	}
}

// A response template that cannot be streamed is noted, with the anchor's name.
func TestNativeNotesHeldBack(t *testing.T) {
	for pattern, want := range map[string]string{
		`(?=[\s\S]*?</think>)`: "replies cannot be streamed: field x: open_pattern ",
		`<x>`:                  "",
	} {
		field := value.Members(value.Member{Name: "open_pattern", Value: value.String(pattern)})
		c := &checkpoint.Checkpoint{ResponseTemplate: value.Members(
			value.Member{Name: "start_anchor", Value: value.String("@")},
			value.Member{Name: "fields", Value: value.Members(value.Member{Name: "x", Value: field})})}
		info, err := NewNative(c, NativeOptions{}).Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		told := false
		for _, note := range info.Notes {
			told = told || strings.HasPrefix(note, "replies cannot be streamed")
			if told && !strings.HasPrefix(note, want) {
				t.Errorf("%s: %s", pattern, note)
			}
		}
		if told != (want != "") {
			t.Errorf("%s: notes %q", pattern, info.Notes)
		}
	}
}
