package response

import (
	"errors"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

// A template or a parser that nothing has made is an error, and no panic.
func TestNoTemplate(t *testing.T) {
	prefix := "<|start|>assistant"
	o := Options{Prefix: &prefix, Problems: true}
	want := func(what string, err error) {
		t.Helper()
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindTemplate {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, template := range []*Template{nil, new(Template)} {
		_, err := template.Parse("x", o)
		want("Parse", err)
		_, err = template.NewParser(o)
		want("NewParser", err)
		if template.HeldBack() != nil || len(template.MessageFields()) > 0 {
			t.Error("it has fields")
		}
	}
	p := new(Parser)
	want("Reset", p.Reset(o))
	_, err := p.Feed("x")
	want("Feed after Reset", err)
	p = new(Parser)
	_, err = p.Feed("x")
	want("Feed", err)
	_, _, err = p.Finalize(harmony.Stop{})
	want("Finalize", err)
}
