package checkpoint

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"
)

// Each variant is the default but for its tokenizer, also on disk.
func TestVariants(t *testing.T) {
	base := Default()
	markers, err := base.AddedTokens()
	if err != nil || len(markers) != 7 {
		t.Fatalf("%q, %v", markers, err)
	}
	seen := map[string]bool{base.Hash(): true}
	for _, v := range Variants() {
		c := Named(v.Name)
		if c == nil {
			t.Fatalf("no checkpoint %s", v.Name)
		}
		if c.Name != v.Title() || c.Format() != "beam" || c.Templates[0] != base.Templates[0] || bytes.Equal(c.Tokenizer, base.Tokenizer) {
			t.Errorf("%s is not the default with another tokenizer", v.Name)
		}
		if tokens, err := c.AddedTokens(); err != nil || !slices.Equal(tokens, markers) {
			t.Errorf("%s: added tokens %q, %v", v.Name, tokens, err)
		}
		if seen[c.Hash()] {
			t.Errorf("%s has the hash of another", v.Name)
		}
		seen[c.Hash()] = true
		dir := filepath.Join(t.TempDir(), "copy")
		if err := c.Write(dir); err != nil {
			t.Fatal(err)
		}
		if again, err := Load(dir); err != nil || again.Hash() != c.Hash() {
			t.Errorf("%s: a copy: %v", v.Name, err)
		}
	}
	if Named("") != nil || Named("beam") != nil {
		t.Error("a name that is no variant's names one")
	}
}
