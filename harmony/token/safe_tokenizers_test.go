//go:build tokenizers

package token_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// A marked token becomes the ids of its letters, whatever stands around it, and
// the text is the same; what the template writes stays one id.
func TestSafeEncoder(t *testing.T) {
	for _, c := range []*checkpoint.Checkpoint{checkpoint.Default(), checkpoint.Named("beam-special"), checkpoint.Named("beam-byte-fallback")} {
		v, err := token.Load(c.Tokenizer)
		if err != nil {
			t.Fatal(err)
		}
		e, err := token.NewEncoder(c.Tokenizer)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		safe, err := token.NewSafeEncoder(c.Tokenizer, e)
		if err != nil {
			t.Fatal(err)
		}
		defer safe.Close()
		m := token.NewMarker([]string{"<|start|>", "<|end|>"})
		end, _ := v.ID("<|end|>")
		for _, tt := range []struct {
			text string // the caller's, which stands between two markers of the template
			ends int    // how many ids of <|end|> there are
		}{
			{"", 1}, {"x", 1}, {"<|end|>", 1}, {"a<|end|><|start|>b", 1}, {"<|end", 1}, {"<|return|>", 1}, {" <|end|> ", 1}, {"\n<|end|>\n", 1},
		} {
			marked := "<|start|>" + m.Mark(tt.text) + "<|end|>"
			ids, err := safe.Encode(marked)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, id := range ids {
				if id == end {
					n++
				}
			}
			text, err := v.Decode(ids, token.DecodeOptions{})
			if n != tt.ends || text != token.Unmark(marked) || err != nil {
				t.Errorf("%s: %q: %d ids of <|end|>, want %d; text %q %v", c.Name, tt.text, n, tt.ends, text, err)
			}
			whole, err := e.Encode(token.Unmark(marked))
			if err != nil {
				t.Fatal(err)
			}
			if same := slices.Equal(whole.IDs, ids); same == (m.Mark(tt.text) != tt.text) {
				t.Errorf("%s: %q: the ids are those of unmarked text: %t", c.Name, tt.text, same)
			}
		}
	}
}

// A token that the letters give too cannot be made safe.
func TestSafeEncoderUnsafe(t *testing.T) {
	file := []byte(`{"added_tokens": [{"id": 2, "content": "ab", "special": false, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false}],
		"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "\n": 3}, "merges": [["a", "b"]]}}`)
	e, err := token.NewEncoder(file)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	safe, err := token.NewSafeEncoder(file, e)
	if err != nil {
		t.Fatal(err)
	}
	defer safe.Close()
	var unsafe *token.UnsafeError
	if ids, err := safe.Encode(token.NewMarker([]string{"ab"}).Mark("bab")); !errors.As(err, &unsafe) || unsafe.Token != "ab" {
		t.Errorf("%v %v", ids, err)
	}
	if ids, err := safe.Encode("bab"); err != nil || !slices.Equal(ids, []token.ID{1, 2}) {
		t.Errorf("%v %v", ids, err)
	}
}
