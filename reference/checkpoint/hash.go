package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Hash is the content hash of PROTOCOL.md: the sha256 over chat template,
// response template, tokenizer and special tokens as loaded. For a tokenizer of
// a class that reads other files, or brings special tokens of its own, Python's
// word counts: this is then not the same hash.
func (c *Checkpoint) Hash() string {
	chat := value.Null()
	switch {
	case len(c.Templates) == 1 && c.Templates[0].Name == "":
		chat = value.String(c.Templates[0].Text)
	case len(c.Templates) > 0:
		o := &value.Object{}
		for _, t := range c.Templates {
			o.Set(t.Name, value.String(t.Text))
		}
		chat = o.Value()
	}
	files, special := &value.Object{}, &value.Object{}
	if c.Tokenizer != nil {
		files.Set(tokenizerFile, value.String(hexSum(c.Tokenizer)))
	}
	for _, name := range SpecialNames {
		if token, ok := c.SpecialTokens[name]; ok {
			special.Set(name, value.String(token))
		}
	}
	parts := value.List(chat, c.ResponseTemplate, files.Value(), special.Value())
	return hexSum(value.Append(nil, parts, value.Style{Compact: true}))
}

func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
