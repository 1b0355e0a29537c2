package fuzz

import (
	"regexp"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Shape is what a template says of the replies that it reads.
type Shape struct {
	Start  *Marker
	Fields []Field
}

// Field is one field of a template.
type Field struct {
	Name        string
	Open, Close *Marker // nil where there is none
	Required    bool
	Content     Content
	// Wanted are the paths into the body that the transform asks for, in the
	// element of a list with Each.
	Wanted [][]string
	Each   bool
}

// Content is a content parser with its arguments.
type Content struct {
	Kind string
	Args value.Value
	// Tag is the tag_pattern of xml-inline; Sub the value_parser.
	Tag *pattern
	Sub *Content
}

// Marker is an anchor: literals, or a pattern.
type Marker struct {
	Literals []string
	Pattern  *pattern
	source   string         // of the pattern
	accept   *regexp.Regexp // of a pattern, at the start of a text; nil where Go cannot tell
}

// Literal tells whether the marker is literals alone.
func (m *Marker) Literal() bool { return m == nil || m.Pattern == nil }

// write makes a text that the marker matches.
func (m *Marker) write(s *Source, fill func(name string) (string, bool)) string {
	if m.Pattern != nil {
		return match(s, m.Pattern, fill)
	}
	return Pick(s, m.Literals...)
}

// Regular tells whether every pattern can be searched in linear time.
func (s *Shape) Regular() bool {
	return !slices.ContainsFunc(s.Fields, func(f Field) bool {
		for c := &f.Content; c != nil; c = c.Sub {
			if !c.Tag.regular() {
				return true
			}
		}
		return f.Open != nil && !f.Open.Pattern.regular() || f.Close != nil && !f.Close.Pattern.regular()
	})
}

// readShape takes a template apart that was compiled, and so has no fault.
func readShape(spec value.Value) (shape Shape, err error) {
	if shape.Start, err = readMarker(spec, "start_anchor"); err != nil {
		return shape, err
	}
	fields, _ := spec.Get("fields").AsObject()
	for name, v := range fields.All() {
		f := Field{Name: name}
		if o, _ := v.AsObject(); true {
			optional, has := o.Get("optional")
			f.Required = has && !optional.Truthy()
		}
		if f.Open, err = readMarker(v, "open"); err != nil {
			return shape, err
		}
		if f.Close, err = readMarker(v, "close"); err != nil {
			return shape, err
		}
		kind := "text"
		if k, ok := v.Get("content").AsString(); ok {
			kind = k
		}
		if f.Content, err = readContent(kind, v.Get("content_args")); err != nil {
			return shape, err
		}
		f.Each, _ = v.Get("transform_each").AsBool()
		f.Wanted = wanted(v.Get("transform"), f.Each, nil)
		shape.Fields = append(shape.Fields, f)
	}
	return shape, nil
}

func readMarker(spec value.Value, key string) (*Marker, error) {
	o, _ := spec.AsObject()
	if v, ok := o.Get(key + "_pattern"); ok {
		src, _ := v.AsString()
		p, err := readPattern(src)
		accept, _ := regexp.Compile("^(?s:" + strings.ReplaceAll(src, `\Z`, `\z`) + ")")
		return &Marker{Pattern: p, source: src, accept: accept}, err
	}
	v, ok := o.Get(key)
	if !ok {
		return nil, nil
	}
	if text, ok := v.AsString(); ok {
		return &Marker{Literals: []string{text}}, nil
	}
	m := &Marker{}
	list, _ := v.AsArray()
	for _, item := range list.All() {
		text, _ := item.AsString()
		m.Literals = append(m.Literals, text)
	}
	return m, nil
}

func readContent(kind string, args value.Value) (c Content, err error) {
	c = Content{Kind: kind, Args: args}
	if src, ok := args.Get("tag_pattern").AsString(); ok {
		if c.Tag, err = readPattern(src); err != nil {
			return c, err
		}
	}
	if sub := args.Get("value_parser"); sub.Kind() == value.KindObject {
		name := "text"
		if n, ok := sub.Get("name").AsString(); ok {
			name = n
		}
		read, err := readContent(name, sub.Get("args"))
		if err != nil {
			return c, err
		}
		c.Sub = &read
	}
	return c, nil
}

var placeholder = regexp.MustCompile(`^\{(\w+(?:\.\w+)*)\}$`)

// wanted collects the paths that a transform asks the body for.
func wanted(v value.Value, each bool, found [][]string) [][]string {
	if text, ok := v.AsString(); ok {
		m := placeholder.FindStringSubmatch(text)
		if m == nil {
			return found
		}
		path := strings.Split(m[1], ".")
		if !each {
			if path[0] != "content" || len(path) == 1 {
				return found
			}
			path = path[1:]
		}
		return append(found, path)
	}
	if list, ok := v.AsArray(); ok {
		for _, item := range list.All() {
			found = wanted(item, each, found)
		}
	}
	if o, ok := v.AsObject(); ok {
		for _, item := range o.All() {
			found = wanted(item, each, found)
		}
	}
	return found
}
