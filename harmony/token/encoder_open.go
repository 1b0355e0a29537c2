//go:build tokenizers && cgo

package token

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/daulet/tokenizers"
)

// open loads a tokenizer. The library is Rust behind a C interface, over which a
// panic cannot pass: it would end the process. What is known to panic is refused
// before it gets there.
func (p parts) open() (*tokenizers.Tokenizer, error) {
	if err := p.checkMerges(); err != nil {
		return nil, err
	}
	file := p.join()
	// The text of an error is handed over as a C string, and making one of a text
	// with a NUL panics. The error quotes the file: one with a NUL is first tried
	// with another character as long.
	if nul := []byte(`\u0000`); bytes.Contains(file, nul) {
		tried, err := tokenizers.FromBytes(bytes.ReplaceAll(file, nul, []byte(`\u0001`)))
		if err != nil {
			return nil, err
		}
		tried.Close()
	}
	return tokenizers.FromBytes(file)
}

// checkMerges refuses a merge whose second token is shorter than the prefix that
// all tokens inside a word have, or has a character across its end: the library
// cuts the prefix off without looking.
func (p parts) checkMerges() error {
	var model struct {
		Prefix string `json:"continuing_subword_prefix"`
		Merges []json.RawMessage
	}
	if json.Unmarshal(p["model"], &model) != nil || model.Prefix == "" {
		return nil // the library says what is wrong
	}
	for i, raw := range model.Merges {
		var pair [2]string
		if json.Unmarshal(raw, &pair) != nil {
			var both string
			if json.Unmarshal(raw, &both) != nil {
				return nil
			}
			pair[0], pair[1], _ = strings.Cut(both, " ")
		}
		if n := len(model.Prefix); len(pair[1]) < n || len(pair[1]) > n && !utf8.RuneStart(pair[1][n]) {
			return fmt.Errorf("model.merges[%d]: %q does not begin with continuing_subword_prefix, %q", i, pair[1], model.Prefix)
		}
	}
	return nil
}
