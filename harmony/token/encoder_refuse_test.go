//go:build tokenizers && cgo

package token

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Each of these ends the process where the library sees it.
func TestEncoderRefuses(t *testing.T) {
	nest := func(part, inner, leaf string, n int) string {
		open := `{"type":"Sequence","` + inner + `":[`
		return fmt.Sprintf(`,"%s":%s%s%s`, part, strings.Repeat(open, n), leaf, strings.Repeat("]}", n))
	}
	table := func(bytes string) string {
		return `,"normalizer":{"type":"Sequence","normalizers":[{"type":"Precompiled","precompiled_charsmap":"` +
			base64.StdEncoding.EncodeToString([]byte(bytes)) + `"}]}`
	}
	const fuse, lower, at = `{"type":"Fuse"}`, `{"type":"Lowercase"}`, "normalizer.normalizers[0].precompiled_charsmap"
	for _, c := range []struct{ name, members, path, what string }{
		{"decoders", nest("decoder", "decoders", fuse, 200), "decoder.decoders[0].decoders[0]", "is nested in more than 16 others"},
		{"normalizers", nest("normalizer", "normalizers", lower, 200), "normalizer.normalizers[0]", "is nested in more than 16 others"},
		{"no table", `,"normalizer":{"type":"Precompiled"}`, "normalizer.precompiled_charsmap", "must be a table in base64, but is null"},
		{"no base64", `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"!!!"}`, "normalizer.precompiled_charsmap", "must be a table in base64"},
		{"empty table", table(""), at, "must begin with the length of its trie, but has 0 bytes"},
		{"short table", table("\x08\x00\x00\x00abcdef"), at, "says that its trie has 8 bytes, but 6 follow"},
		{"bytes", table("\x04\x00\x00\x00abcd\xff"), at, "has a text that is not UTF-8 behind its trie"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewEncoder(fmt.Appendf(nil, small, c.members))
			var refused *LoadError
			if !errors.As(err, &refused) || !strings.HasPrefix(refused.Path, c.path) || refused.What != c.what {
				t.Errorf("got %v, want %s: %s", err, c.path, c.what)
			}
		})
	}
	for _, members := range []string{nest("decoder", "decoders", fuse, 16), nest("normalizer", "normalizers", lower, 16), table("\x04\x00\x00\x00\x00\x00\x00\x00abc")} {
		if e := newEncoder(t, fmt.Sprintf(small, members)); e == nil {
			t.Errorf("%.60s is refused", members)
		}
	}
}
