package chat

import (
	"errors"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/python"
	"github.com/beamdiff/beamdiff/reference/recipe"
)

// parseCase is a parse case of the corpus.
type parseCase struct {
	id    string
	tpl   *response.Template
	o     response.Options
	reply string
}

// parseCases are the corpus' parse cases, but for those whose template is
// refused.
func parseCases(t testing.TB) (cases []parseCase) {
	public := publicTemplates(t)
	defaultTemplate, refused := beam(t), 0
	for _, c := range corpus.Embedded() {
		if c.Kind != corpus.Parse {
			continue
		}
		pc := parseCase{id: c.ID, tpl: defaultTemplate, reply: textOf(c.Input, "reply")}
		if c.Checkpoint != "" {
			if pc.tpl = public[c.Checkpoint]; pc.tpl == nil {
				t.Fatalf("%s: there is no checkpoint %s", c.ID, c.Checkpoint)
			}
		}
		if own, _ := c.Input.Get("response_template"); !own.IsNull() {
			var err error
			if pc.tpl, err = response.Compile(own); err != nil {
				var refusal *response.Error
				listed := errors.As(err, &refusal) && refusal.Kind == response.KindUnsupported // known.toml has them
				if !listed && (c.Want == nil || c.Want.Kind != corpus.Raised) {
					t.Errorf("%s: the template is refused, which the case does not want: %v", c.ID, err)
				}
				refused++
				continue
			}
		}
		if v, _ := c.Input.Get("prefix"); !v.IsNull() {
			prefix := textOf(c.Input, "prefix")
			pc.o.Prefix = &prefix
		}
		v, _ := c.Input.Get("tools")
		if tools, ok := v.AsArray(); ok {
			var defs []value.Value
			for _, def := range tools.All() {
				defs = append(defs, def)
			}
			pc.o.Tools = response.PrepareTools(defs)
		}
		v, _ = c.Input.Get("stop")
		if token, ok := v.Get("token").AsString(); ok {
			pc.o.Stop = harmony.StopToken(token)
		} else if textOf(c.Input, "stop") == "length" {
			pc.o.Stop = harmony.StopLength()
		}
		cases = append(cases, pc)
	}
	t.Logf("%d cases; of %d more the template is refused", len(cases), refused)
	if len(cases) < 500 {
		t.Fatalf("only %d parse cases in the corpus", len(cases))
	}
	return cases
}

func textOf(o *value.Object, key string) string {
	v, _ := o.Get(key)
	s, _ := v.AsString()
	return s
}

// publicTemplates are the response templates of the public checkpoints that
// cases name. They are assembled in the cache that all tests share.
func publicTemplates(t testing.TB) map[string]*response.Template {
	t.Helper()
	env, err := python.Ensure(t.Context(), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the public checkpoints need the reference, which is not there: %v", err)
	}
	defer env.Close()
	templates := map[string]*response.Template{}
	for _, c := range corpus.Embedded() {
		if c.Kind != corpus.Parse || c.Checkpoint == "" || templates[c.Checkpoint] != nil {
			continue
		}
		if shipped := checkpoint.Named(c.Checkpoint); shipped != nil {
			templates[c.Checkpoint] = compile(t, shipped.ResponseTemplate)
			continue
		}
		dirs, err := recipe.Ensure(t.Context(), env, python.Options{}, reference.Recipes().Find(c.Checkpoint))
		if err != nil {
			t.Fatalf("NOT RUN: the public checkpoints are not there: %v", err)
		}
		made, err := checkpoint.Load(dirs[0])
		if err != nil {
			t.Fatal(err)
		}
		templates[c.Checkpoint] = compile(t, made.ResponseTemplate)
	}
	return templates
}
