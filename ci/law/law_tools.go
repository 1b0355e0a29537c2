package law

import (
	"context"
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/harmony/value"
)

var toolsTold = Law{
	Rule: rule("render/tools-told", report.Warning, "Tools that are given are declared in the prompt: names, descriptions, parameters and their choices"),
	Ask: func(ctx context.Context, s *Subject, found Found) error {
		shapes, err := s.rendered(ctx)
		if err != nil {
			return err
		}
		for _, r := range shapes {
			tools, ok := r.Last().Tools.AsArray()
			p, rendered := r.prompt(0)
			if !ok || !rendered || tools.Len() == 0 || r.Quotes {
				continue
			}
			var troubles []Trouble
			for i, tool := range tools.All() {
				path := fmt.Sprintf("tools[%d]", i)
				if f, ok := tool.Get("function").AsObject(); ok {
					tool, path = f.Value(), path+".function"
				}
				troubles = append(troubles, r.untold(p, path, tool)...)
			}
			found(r.Steps[0].Prompt, troubles...)
		}
		return nil
	},
}

// untold are the parts of a declaration that the prompt does not have.
func (r *rendered) untold(prompt, path string, tool value.Value) []Trouble {
	var out []Trouble
	tell := func(what, path, text string, cause string) {
		out = append(out, Trouble{
			Level: r.level(), Cause: cause,
			Message: fmt.Sprintf("%s: %s is not in the prompt: the model cannot know %s", r.ID, path, what),
			Advice:  "write the declaration as JSON with tojson, or write each of its parts",
			Witness: report.Witness{At: path, Sides: []report.Side{{Name: "sent", Text: text}}},
		})
	}
	missing := func(t string) bool {
		p, ok := find(prompt, t, 0)
		return !ok || p.form == altered && longestWord(t) != value.Strip(t)
	}
	name := text(tool.Get("name"))
	if missing(name) {
		tell("that there is such a tool", path+".name", name, "tools are not declared")
		return out
	}
	if d := text(tool.Get("description")); d != "" && lost(prompt, d) {
		tell("what the tool is for", path+".description", d, "descriptions of tools are left out")
	}
	r.schema(prompt, path+".parameters", tool.Get("parameters"), tell)
	return out
}

// schema looks for the properties of a schema, and what is below them.
func (r *rendered) schema(prompt, path string, schema value.Value, tell func(what, path, text, cause string)) {
	properties, _ := schema.Get("properties").AsObject()
	if properties != nil {
		for name, p := range properties.All() {
			at := path + ".properties." + name
			if lost(prompt, name) {
				tell("that there is such a parameter", at, name, "parameters are left out")
			}
			if d := text(p.Get("description")); d != "" && lost(prompt, d) {
				tell("what the parameter is for", at+".description", d, "descriptions of parameters are left out"+below(path))
			}
			if choices, ok := p.Get("enum").AsArray(); ok {
				for _, c := range choices.All() {
					if s := text(c); s != "" && lost(prompt, s) {
						tell("what may be chosen", at+".enum", s, "choices of parameters are left out"+below(path))
					}
				}
			}
			r.schema(prompt, at, p, tell)
		}
	}
	if items := schema.Get("items"); items.Kind() == value.KindObject {
		r.schema(prompt, path+".items", items, tell)
	}
}

// below tells apart what is lost at every depth and what only further down.
func below(path string) string {
	if strings.Contains(path, ".properties.") {
		return " below the first level"
	}
	return ""
}
