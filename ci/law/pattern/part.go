package pattern

import (
	"slices"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Use is what a part of a template is for.
type Use string

// The uses of a part.
const (
	Open  Use = "open"
	Close Use = "close"
	Start Use = "start" // of the turn, looked for in the prompt only
	Tag   Use = "tag"   // looked for in a region that has closed
)

// Part is a pattern of a template, or a list of texts that stands for one.
type Part struct {
	Use   Use
	Field string // "" of the start anchor
	// Path is where the part stands in the template, such as
	// fields.content.close_pattern.
	Path string
	// Source is the pattern as it is written; of texts those, as JSON.
	Source   string
	Literals []string // nil of a pattern

	rx   *rx.Pattern
	tree *rx.Tree // nil of texts
}

// field is one field of a template.
type field struct {
	name        string
	open, close *Part
	tags        []*Part
}

// Template is a response template, taken apart.
type Template struct {
	Spec value.Value
	// Parts are in the order of the template, those of a field together.
	Parts []*Part
	// Unread are the paths of patterns of which nothing is predicted, or not all, with
	// the reason: only the reference can read them, or, once Predict was called, the
	// template takes too long to look at.
	Unread []string

	fields []*field
	spent  int // of what one part may spend at most, summed over the parts
	walked int // steps
}

// Read takes a response template apart. It may have faults: what is no pattern is
// left out.
func Read(spec value.Value) *Template {
	t := &Template{Spec: spec}
	fields, _ := spec.Get("fields").AsObject()
	for name, v := range fields.All() {
		f := &field{name: name}
		path := "fields." + name + "."
		f.open = t.anchor(v, Open, name, path, "open")
		f.close = t.anchor(v, Close, name, path, "close")
		path += "content_args"
		for args := v.Get("content_args"); args.Kind() == value.KindObject; args = args.Get("value_parser").Get("args") {
			if src, ok := args.Get("tag_pattern").AsString(); ok {
				if p := t.pattern(Tag, name, path+".tag_pattern", src); p != nil {
					f.tags = append(f.tags, p)
				}
			}
			path += ".value_parser.args"
		}
		t.fields = append(t.fields, f)
	}
	t.anchor(spec, Start, "", "", "start_anchor")
	return t
}

// anchor reads texts or a pattern.
func (t *Template) anchor(of value.Value, use Use, field, path, key string) *Part {
	if src, ok := of.Get(key + "_pattern").AsString(); ok {
		return t.pattern(use, field, path+key+"_pattern", src)
	}
	v := of.Get(key)
	p := &Part{Use: use, Field: field, Path: path + key, Source: value.Dumps(v)}
	if text, ok := v.AsString(); ok {
		p.Literals = []string{text}
	}
	list, _ := v.AsArray()
	for _, item := range list.All() {
		if text, ok := item.AsString(); ok {
			p.Literals = append(p.Literals, text)
		}
	}
	if len(p.Literals) == 0 || slices.Contains(p.Literals, "") {
		return nil
	}
	p.rx = rx.Literals(p.Literals...)
	t.Parts = append(t.Parts, p)
	return p
}

func (t *Template) pattern(use Use, field, path, src string) *Part {
	p := &Part{Use: use, Field: field, Path: path, Source: src}
	var err error
	if p.rx, err = rx.Compile(src); err == nil {
		p.tree, err = rx.Parse(src)
	}
	if err != nil {
		t.Unread = append(t.Unread, path+": "+err.Error())
		return nil
	}
	t.Parts = append(t.Parts, p)
	return p
}

// tooLong says of a part that it was not looked at.
func (t *Template) tooLong(p *Part) {
	if why := p.Path + ": the patterns of the template take too long to look at"; !slices.Contains(t.Unread, why) {
		t.Unread = append(t.Unread, why)
	}
}

// field gives the field of a part, nil of the start anchor.
func (t *Template) field(p *Part) *field {
	i := slices.IndexFunc(t.fields, func(f *field) bool { return f.name == p.Field })
	if i < 0 || p.Use == Start {
		return nil
	}
	return t.fields[i]
}

// implicit is the field that takes what no other does; nil where there is none.
func (t *Template) implicit() *field {
	i := slices.IndexFunc(t.fields, func(f *field) bool { return f.open == nil })
	if i < 0 {
		return nil
	}
	return t.fields[i]
}
