package fuzz

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// Template is a response template to try, compiled and taken apart.
type Template struct {
	Name     string
	Spec     value.Value // as the checkpoint ships it
	Compiled *response.Template
	Shape    Shape
}

// NewTemplate compiles a response template and reads the shape of its replies.
func NewTemplate(name string, spec value.Value) (*Template, error) {
	compiled, err := response.Compile(spec)
	if err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	shape, err := readShape(spec)
	if err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return &Template{name, spec, compiled, shape}, nil
}

//go:embed templates/*.json
var templateFiles embed.FS

// Templates are this package's own templates and the default checkpoint's, by
// name in order. Each of the files templates/*.json says in "why" what it is
// for.
var Templates = sync.OnceValue(func() []*Template {
	must := func(name string, spec value.Value) *Template {
		t, err := NewTemplate(name, spec)
		if err != nil {
			panic(err) // the files are a part of this package
		}
		return t
	}
	templates := []*Template{must("beam", checkpoint.Default().ResponseTemplate)}
	files, err := templateFiles.ReadDir("templates")
	if err != nil {
		panic(err)
	}
	for _, f := range files {
		data, err := templateFiles.ReadFile(path.Join("templates", f.Name()))
		if err != nil {
			panic(err)
		}
		v, err := value.Loads(string(data))
		if err != nil {
			panic(err)
		}
		templates = append(templates, must(strings.TrimSuffix(f.Name(), ".json"), v.Get("template")))
	}
	return templates
})

// FindTemplate gives the template of that name, nil where there is none.
func FindTemplate(name string) *Template {
	for _, t := range Templates() {
		if t.Name == name {
			return t
		}
	}
	return nil
}
