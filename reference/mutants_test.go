package reference_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Each mutant of the default checkpoint's templates is noticed by just the cases
// that the table of mutants says, run in the checkpoint's Python.
func TestMutants(t *testing.T) {
	cases := slices.DeleteFunc(corpus.Embedded(), func(c corpus.Case) bool { return c.Suite != "documentation" })
	mutants := corpus.Mutants()
	if len(mutants) < 150 {
		t.Errorf("only %d mutants", len(mutants))
	}
	// Two processes, so that each template is compiled in one of them.
	const processes = 2
	var wg sync.WaitGroup
	for p := range processes {
		e := open(t, reference.Options{Workers: 1})
		wg.Go(func() {
			for i := p; i < len(mutants); i += processes {
				m := &mutants[i]
				got, err := killers(t, e, m, cases)
				want := slices.Sorted(slices.Values(m.Kills))
				if err != nil {
					t.Error(err)
				} else if !slices.Equal(got, want) {
					t.Errorf("%s %s is killed by\n%s\nwant\n%s", m.Template, m.ID, strings.Join(got, " "), strings.Join(want, " "))
				}
			}
		})
	}
	wg.Wait()
}

// killers gives, sorted, the cases that differ from their want under a mutant.
func killers(t *testing.T, e engine.Engine, m *corpus.Mutant, cases []corpus.Case) ([]string, error) {
	c := checkpoint.Default()
	text := c.Templates[0].Text
	if m.Template == "response_template" {
		text = value.Dumps(c.ResponseTemplate)
	}
	text, err := m.Apply(text)
	if err != nil {
		return nil, err
	}
	template := value.String(text)
	if m.Template == "response_template" {
		if template, err = value.Loads(text); err != nil {
			return nil, err
		}
	}
	killed := make([]bool, len(cases))
	each(cases, func(i int, c corpus.Case) {
		if (c.Kind == corpus.Parse) != (m.Template == "response_template") {
			return
		}
		input := &value.Object{}
		for name, v := range c.Input.All() {
			input.Set(name, v)
		}
		input.Set(m.Template, template)
		killed[i] = reference.Differs(&c, reference.Ask(t.Context(), e, &c, input)) != ""
	})
	var ids []string
	for i, c := range cases {
		if killed[i] {
			ids = append(ids, c.ID)
		}
	}
	return slices.Sorted(slices.Values(ids)), nil
}
