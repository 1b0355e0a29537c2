package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// List is the recipes of a file and the packages that they are made from.
type List struct {
	Packages []*Package // by name
	Recipes  []*Recipe  // in the file's order; a training variant follows its recipe
}

// Package is a pinned Python package.
type Package struct {
	Name, Version string
	// SHA256 is that of its wheel, in hex; "" for a package of the reference's own
	// environment, which is read where it is installed.
	SHA256 string
	// Tag names the wheel where this machine's Python could not run it: see
	// python.Lock. No list has one.
	Tag string `json:",omitempty"`
	// License is the package's own; the templates in it may have others.
	License string `json:"-"`
	// Given are variables of its modules whose values are not literals there, and
	// that hold for the environment that the templates are read for.
	Given map[string]bool
}

// Installed tells whether the package is one of the reference's environment.
func (p *Package) Installed() bool { return p.SHA256 == "" }

func (p *Package) String() string { return p.Name + " " + p.Version }

// Source is a place in a package. The zero Source is no place.
type Source struct {
	Package *Package
	File    string // within the wheel, with slashes
	// Variable is the module's variable that holds the value; Key, if not empty,
	// is a key of that dict, or a member of a key that is a tuple.
	Variable, Key string
}

// Recipe says what a public checkpoint is made from.
type Recipe struct {
	// Name is what --checkpoint takes.
	Name string
	// Format is what the checkpoint is of: see package checkpoint.
	Format string
	// ChatTemplate is a file, ResponseTemplate a variable of a module. At least
	// one of them is a place.
	ChatTemplate, ResponseTemplate Source
	// Tokenizer is the file that the tokenizer is made from, a list of o200k_base's
	// ranks; no place where the checkpoint has no tokenizer.
	Tokenizer Source
	// SpecialTokens are those that the chat template reads, by name (bos_token).
	SpecialTokens map[string]string
	// Note says for people what the checkpoint is.
	Note string
	// Of is the recipe that this one is the training variant of: the same with a
	// chat template that marks what the model wrote; "" for others.
	Of string
}

// Find gives the recipe of a name, nil where there is none.
func (l *List) Find(name string) *Recipe {
	i := slices.IndexFunc(l.Recipes, func(r *Recipe) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return l.Recipes[i]
}

// Packages are those that the recipe is made from, each once.
func (r *Recipe) Packages() []*Package {
	var out []*Package
	for _, s := range r.sources() {
		if !slices.Contains(out, s.Package) {
			out = append(out, s.Package)
		}
	}
	return out
}

// sources are the places that the recipe names.
func (r *Recipe) sources() []Source {
	var out []Source
	for _, s := range []Source{r.ChatTemplate, r.ResponseTemplate, r.Tokenizer} {
		if s.Package != nil {
			out = append(out, s)
		}
	}
	return out
}

// Title names the recipe and what it is made from, as reports do.
func (r *Recipe) Title() string {
	title := r.Name + " ("
	for i, p := range r.Packages() {
		if i > 0 {
			title += ", "
		}
		title += p.String()
	}
	return title + ")"
}

// assembly is the version of the way in which a folder is put together. It
// changes with what is written there.
const assembly = 1

// hash is the sha256 of all that the made folder depends on, in hex.
func (r *Recipe) hash() string {
	text, err := json.Marshal(struct {
		Assembly       int
		Chat, Response Source
		Special        map[string]string
		Tokenizer      Source `json:",omitzero"`
	}{assembly, r.ChatTemplate, r.ResponseTemplate, r.SpecialTokens, r.Tokenizer})
	if err != nil {
		panic(err) // strings and maps of strings can be written
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// folder is the name of the folder in the cache.
func (r *Recipe) folder() string { return fmt.Sprintf("%s-%s", r.Name, r.hash()[:12]) }
