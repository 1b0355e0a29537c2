package fuzz

import (
	"context"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

// Public are the response templates of the public checkpoints that have a recipe,
// each once, under the name of the first checkpoint that ships it. Checkpoints
// that are not in the cache are assembled there.
func Public(ctx context.Context, o python.Options) ([]*Template, error) {
	var templates []*Template
	known := map[string]bool{}
	for _, r := range reference.Recipes().Recipes {
		if r.Of != "" || r.ResponseTemplate == (recipe.Source{}) {
			continue
		}
		dir, err := reference.Assemble(ctx, r, o)
		if err != nil {
			return nil, err
		}
		c, err := checkpoint.Load(dir)
		if err != nil {
			return nil, err
		}
		text := value.Dumps(c.ResponseTemplate)
		if known[text] {
			continue
		}
		known[text] = true
		t, err := NewTemplate(r.Name, c.ResponseTemplate)
		if err != nil {
			return nil, err
		}
		templates = append(templates, t)
	}
	return templates, nil
}
