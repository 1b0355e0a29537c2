//go:build tokenizers && cgo

package token

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// The library ends the whole process, where it should refuse, at two parts of a
// tokenizer.json: its decoders/mod.rs and normalizers/mod.rs unwrap what may be
// an error (0.22.2). refuse finds them first.

// mostNested is the most that decoders and normalizers are nested in each other;
// a real tokenizer has two levels. The library gives up at 128 brackets.
const mostNested = 16

// refuse tells why the library must not see the file; nil where it may.
func (p parts) refuse() error {
	for _, part := range []struct{ name, inner string }{{"decoder", "decoders"}, {"normalizer", "normalizers"}} {
		if len(p[part.name]) == 0 {
			continue
		}
		v, err := value.Loads(string(p[part.name]))
		if err != nil {
			return &LoadError{Path: part.name, What: "is not JSON", Err: err}
		}
		if err := refuse(v, part.name, part.inner, 0); err != nil {
			return err
		}
	}
	return nil
}

func refuse(v value.Value, path, inner string, depth int) error {
	if depth > mostNested {
		return &LoadError{Path: path, What: fmt.Sprintf("is nested in more than %d others", mostNested)}
	}
	if kind, _ := v.Get("type").AsString(); kind == "Precompiled" {
		return charsmap(v.Get("precompiled_charsmap"), path+".precompiled_charsmap")
	}
	list, _ := v.Get(inner).AsArray()
	for i, item := range list.All() {
		if err := refuse(item, fmt.Sprintf("%s.%s[%d]", path, inner, i), inner, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// charsmap checks a table of replacements of SentencePiece, in base64: the length
// in bytes of a trie, the trie in units of four, and a text in UTF-8.
func charsmap(v value.Value, path string) error {
	text, ok := v.AsString()
	if !ok {
		return &LoadError{Path: path, What: fmt.Sprintf("must be a table in base64, but is %s", v.Kind())}
	}
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return &LoadError{Path: path, What: "must be a table in base64", Err: err}
	}
	if len(data) < 4 {
		return &LoadError{Path: path, What: fmt.Sprintf("must begin with the length of its trie, but has %d bytes", len(data))}
	}
	trie := int64(binary.LittleEndian.Uint32(data)) / 4 * 4
	if data = data[4:]; trie > int64(len(data)) {
		return &LoadError{Path: path, What: fmt.Sprintf("says that its trie has %d bytes, but %d follow", trie, len(data))}
	}
	if !utf8.Valid(data[trie:]) {
		return &LoadError{Path: path, What: "has a text that is not UTF-8 behind its trie"}
	}
	return nil
}
