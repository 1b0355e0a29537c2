package mutation

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// The templates that a mutant can be of, as cases name them.
const (
	ChatTemplate     = "chat_template"
	ResponseTemplate = "response_template"
)

// Mutant is a template with one small change.
type Mutant struct {
	// ID names the change: the template, the macro or the path it is in, what
	// stood there and what stands there now.
	ID string
	// Of is ChatTemplate or ResponseTemplate.
	Of string
	// Template is the changed one, a text or a JSON value.
	Template value.Value
	// From and To are the lines of the chat template that the change is in, from
	// 1; 0 of a response template.
	From, To int
}

//go:embed spans.py
var spansSource string

//go:embed jinja.py
var jinjaSource string

//go:embed response.py
var responseSource string

// GenerateError is a template that no mutants can be made of.
type GenerateError struct{ Of, Why string }

func (e *GenerateError) Error() string {
	return "mutation: no mutants of the " + e.Of + ": " + e.Why
}

// Generate makes all mutants of a checkpoint's templates, in an order that only
// the templates decide. e runs Python: the reference (ability exec). The
// checkpoint may lack one of the templates; of several chat templates the first
// is taken. The error is a *GenerateError.
func Generate(ctx context.Context, e engine.Engine, c *checkpoint.Checkpoint) ([]Mutant, error) {
	var out []Mutant
	if len(c.Templates) > 0 {
		text := c.Templates[0].Text
		made, err := run(ctx, e, ChatTemplate, spansSource+jinjaSource, `
import json
from transformers.utils.chat_template_utils import _compile_jinja_template
source = json.loads(TEMPLATE)
print(json.dumps(mutants(_compile_jinja_template(source).environment, source)))
`, value.String(text))
		if err != nil {
			return nil, err
		}
		for _, m := range made {
			out = append(out, chatMutant(text, m))
		}
	}
	if !c.ResponseTemplate.IsNull() {
		made, err := run(ctx, e, ResponseTemplate, responseSource, "\nprint(json.dumps(mutants(json.loads(TEMPLATE))))\n", c.ResponseTemplate)
		if err != nil {
			return nil, err
		}
		for _, m := range made {
			id, _ := m.At(0).AsString()
			out = append(out, Mutant{ID: ResponseTemplate + " " + id, Of: ResponseTemplate, Template: m.At(1)})
		}
	}
	return out, nil
}

// chatMutant makes a mutant of [id, start, end, text].
func chatMutant(text string, m *value.Array) Mutant {
	id, _ := m.At(0).AsString()
	start, _ := m.At(1).AsInt()
	end, _ := m.At(2).AsInt()
	put, _ := m.At(3).AsString()
	from := 1 + strings.Count(text[:start], "\n")
	return Mutant{
		ID: ChatTemplate + " " + id, Of: ChatTemplate, Template: value.String(text[:start] + put + text[end:]),
		From: from, To: from + strings.Count(text[start:end], "\n"),
	}
}

// run runs a program that prints a list of lists.
func run(ctx context.Context, e engine.Engine, of, program, last string, template value.Value) ([]*value.Array, error) {
	fail := func(why string) ([]*value.Array, error) { return nil, &GenerateError{of, why} }
	given := value.Dumps(value.String(value.Dumps(template))) // a JSON text is a Python literal
	code, _ := value.Members(
		value.Member{Name: "code", Value: value.String(program + "\nTEMPLATE = " + given + last)},
		value.Member{Name: "session", Value: value.String("mutation " + of)}).AsObject()
	out := e.Do(ctx, engine.Request{Op: worker.OpExec, Case: code})
	if out.Kind != corpus.OK {
		return fail(out.Class + out.Why + " " + out.Message)
	}
	printed, _ := out.Value.Get("output").AsString()
	v, err := value.Loads(printed)
	list, ok := v.AsArray()
	if err != nil || !ok {
		lines := strings.Split(strings.TrimRight(printed, "\n"), "\n")
		return fail(lines[len(lines)-1])
	}
	var made []*value.Array
	for _, item := range list.All() {
		a, _ := item.AsArray()
		made = append(made, a)
	}
	return made, nil
}

// Sample takes n of the mutants, always the same, in their order: those of the
// smallest hash, so that a change of the template changes little of the sample.
func Sample(mutants []Mutant, n int) []Mutant {
	hash := func(m Mutant) [32]byte { return sha256.Sum256([]byte(m.ID)) }
	sorted := slices.Clone(mutants)
	slices.SortFunc(sorted, func(a, b Mutant) int {
		x, y := hash(a), hash(b)
		return cmp.Or(slices.Compare(x[:], y[:]), cmp.Compare(a.ID, b.ID))
	})
	chosen := map[string]bool{}
	for _, m := range sorted[:min(n, len(sorted))] {
		chosen[m.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(mutants), func(m Mutant) bool { return !chosen[m.ID] })
}
