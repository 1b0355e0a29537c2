package checkpoint

import (
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

//go:embed beam beam-special/tokenizer.json beam-byte-fallback/tokenizer.json
var embedded embed.FS

// DefaultName is how reports name the default checkpoint.
const DefaultName = "beam (the default: a reconstruction)"

// Variant is a checkpoint that this project ships beside the default one: the
// same templates with another tokenizer.
type Variant struct {
	// Name is what --checkpoint takes, and the folder of its tokenizer.
	Name string
	// Note says for people what the tokenizer is.
	Note string
}

// Variants are the shipped checkpoints beside the default one.
func Variants() []Variant {
	return []Variant{
		{"beam-byte-fallback", "the default with a SentencePiece-like tokenizer: a space is ▁, and characters without a token are bytes"},
		{"beam-special", "the default with a tokenizer whose markers are all special"},
	}
}

// Title is how reports name the checkpoint.
func (v Variant) Title() string { return v.Name + " (" + v.Note + ")" }

// Default is the checkpoint that this project ships.
func Default() *Checkpoint {
	c, err := fromEmbedded(DefaultName, "")
	if err != nil {
		panic("the embedded checkpoint is damaged: " + err.Error()) // a test loads it
	}
	return c
}

// Named gives the shipped checkpoint of a name, nil where there is none. The
// default one has no name.
func Named(name string) *Checkpoint {
	for _, v := range Variants() {
		if v.Name != name {
			continue
		}
		c, err := fromEmbedded(v.Title(), name)
		if err != nil {
			panic("the embedded checkpoint " + name + " is damaged: " + err.Error()) // a test loads each
		}
		return c
	}
	return nil
}

// fromEmbedded reads the default checkpoint, with the tokenizer of a variant
// where one is named.
func fromEmbedded(title, variant string) (*Checkpoint, error) {
	files, err := fs.Sub(embedded, "beam")
	if err != nil {
		return nil, err
	}
	c, err := read(files, title)
	if err != nil || variant == "" {
		return c, err
	}
	c.Tokenizer, err = embedded.ReadFile(path.Join(variant, tokenizerFile))
	c.replaced = true
	return c, err
}

// Write copies the checkpoint's files into dir, which it makes.
func (c *Checkpoint) Write(dir string) error {
	if err := os.CopyFS(dir, c.files); err != nil || !c.replaced {
		return err
	}
	return os.WriteFile(filepath.Join(dir, tokenizerFile), c.Tokenizer, 0o644)
}
