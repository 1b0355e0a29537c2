package corpus

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// Mutant is small damage to a template of the default checkpoint, and the cases
// of the documentation suite that notice it.
type Mutant struct {
	ID       string   `toml:"id"`
	Template string   `toml:"template"` // "chat_template" or "response_template"
	Search   string   `toml:"search"`
	Replace  string   `toml:"replace"`
	Kills    []string `toml:"kills"` // all the cases that then differ; Mutants gives whole ids
}

// Apply damages the text of the template. The error says that Search does not
// stand in it just once.
func (m *Mutant) Apply(text string) (string, error) {
	if n := strings.Count(text, m.Search); n != 1 {
		return "", fmt.Errorf("corpus: what the mutant %s replaces stands %d times in the %s: %q", m.ID, n, m.Template, m.Search)
	}
	return strings.Replace(text, m.Search, m.Replace, 1), nil
}

//go:embed mutants.toml
var mutantsData string

// mutantsFile is mutants.toml.
type mutantsFile struct {
	Mutant []Mutant          `toml:"mutant"`
	Shares map[string]string `toml:"shares"` // a case that kills no mutant alone, and one that it shares each with
	Beyond map[string]string `toml:"beyond"` // a case that no change of a template can reach, and why
}

var mutants = sync.OnceValues(func() (mutantsFile, error) {
	var f mutantsFile
	meta, err := toml.Decode(mutantsData, &f)
	if err == nil && len(meta.Undecoded()) > 0 {
		err = fmt.Errorf("mutants.toml: unknown key %s", meta.Undecoded()[0])
	}
	for _, m := range f.Mutant {
		for i, id := range m.Kills {
			m.Kills[i] = "documentation/" + id
		}
	}
	return f, err
})

// Mutants gives the mutants of the default checkpoint's templates. The slice is
// shared.
func Mutants() []Mutant {
	f, err := mutants()
	if err != nil {
		panic(err) // a test of this package reads them
	}
	return f.Mutant
}
