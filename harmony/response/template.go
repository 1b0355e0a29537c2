package response

import (
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Template is a response template, checked and compiled. It does not change and
// may be used by several goroutines at once.
type Template struct {
	defaults *value.Object
	fields   []*field   // in order of declaration
	implicit *field     // the field without an open anchor, or nil
	explicit []*field   // the others, those with literal anchors first
	searched []anchorOf // the anchors that are watched outside explicit regions, what is cheap first
	tried    []anchorOf // those of them that backtrack
	start    *rx.Pattern
	keepAll  bool       // some pattern looks at text before its match
	outside  *rx.Starts // as field.ends, outside explicit regions
}

// field is one key of the message that the template can fill.
type field struct {
	name        string
	index       int         // among the explicit fields
	open        *rx.Pattern // nil for the implicit field
	close       *rx.Pattern // nil: to the end of the reply
	content     *content
	repeats     bool
	join        *string
	optional    bool
	transform   *transform // nil for none
	each        bool
	openNames   []string
	closeNames  []string
	ends        *rx.Starts // where the close may begin; nil where it may without a byte
	isReasoning bool
}

// anchorOf is a field's open or its close.
type anchorOf struct {
	field *field
	open  bool
}

var (
	templateKeys = []string{"version", "defaults", "fields", "start_anchor", "start_anchor_pattern"}
	fieldKeys    = []string{"open", "open_pattern", "close", "close_pattern", "content", "content_args",
		"repeats", "join", "optional", "transform", "transform_each"}
)

// Compile checks a response template as the reference does, in its order, so
// that the first failure is the same one. The error is an *[Error].
func Compile(template value.Value) (*Template, error) {
	spec, ok := template.AsObject()
	if !ok {
		return nil, fail(KindTemplate, "a response template is a dict, and this one is %s", template.Kind().PyType())
	}
	if v, ok := spec.Get("version"); ok && !isOne(v) {
		return nil, fail(KindTemplate, "version %s of response templates is not known; it is 1", value.Dumps(v))
	}
	if unknown := unknownKeys(spec, templateKeys); unknown != nil {
		return nil, fail(KindTemplate, "a response template has no keys %s", quoted(unknown))
	}
	t := &Template{defaults: &value.Object{}}
	if v, ok := spec.Get("defaults"); ok {
		if t.defaults, ok = v.AsObject(); !ok {
			return nil, fail(KindTemplate, "defaults: give a dict from field names to values")
		}
		t.defaults, _ = v.Clone().AsObject()
	}
	v, _ := spec.Get("fields")
	fields, ok := v.AsObject()
	if !ok || fields.Len() == 0 {
		return nil, fail(KindTemplate, "fields: give a dict with at least one field")
	}
	for name, v := range fields.All() {
		f, err := compileField(name, v)
		if err != nil {
			err.Field = name
			return nil, err
		}
		t.fields = append(t.fields, f)
	}
	if err := t.sortFields(); err != nil {
		return nil, err
	}
	var err *Error
	if t.start, err = anchor("response_template", spec, "start_anchor", "start_anchor_pattern"); err != nil {
		return nil, err
	}
	if t.start == nil {
		return nil, fail(KindTemplate, "the start of a turn is not told: give start_anchor, or start_anchor_pattern")
	}
	return t, nil
}

func (t *Template) sortFields() *Error {
	var implicit []string
	for _, f := range t.fields {
		for _, p := range []*rx.Pattern{f.open, f.close} {
			t.keepAll = t.keepAll || p != nil && p.Lookback()
		}
		if f.open == nil {
			t.implicit = f
			implicit = append(implicit, f.name)
			continue
		}
		t.explicit = append(t.explicit, f)
	}
	if len(implicit) > 1 {
		return fail(KindTemplate, "only one field can do without open and open_pattern, to take the text that no other field opens on; here do %s",
			strings.Join(implicit, ", "))
	}
	slices.SortStableFunc(t.explicit, func(a, b *field) int { return cost(a.open) - cost(b.open) })
	var outside []*rx.Pattern
	watch := func(a anchorOf, p *rx.Pattern) {
		outside = append(outside, p)
		switch {
		case p == nil:
		case p.Backtracks():
			t.tried = append(t.tried, a)
		default:
			t.searched = append(t.searched, a)
		}
	}
	for i, f := range t.explicit {
		f.index = i
		f.ends = rx.NewStarts(f.close)
		watch(anchorOf{f, true}, f.open)
	}
	if t.implicit != nil {
		watch(anchorOf{t.implicit, false}, t.implicit.close)
	}
	t.outside = rx.NewStarts(outside...)
	return nil
}

// cost orders anchors: what is cheap to look for narrows down the rest.
func cost(p *rx.Pattern) int {
	switch {
	case p.Plain():
		return 0
	case !p.Backtracks():
		return 1
	}
	return 2
}

func isOne(v value.Value) bool {
	switch v.Kind() {
	case value.KindInt:
		i, ok := v.AsInt()
		return ok && i == 1
	case value.KindFloat:
		f, _ := v.AsFloat()
		return f == 1
	}
	b, _ := v.AsBool()
	return b
}

func unknownKeys(o *value.Object, known []string) (unknown []string) {
	for name := range o.All() {
		if !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

func compileField(name string, v value.Value) (*field, *Error) {
	scope := "Field '" + name + "'"
	o, ok := v.AsObject()
	if !ok {
		return nil, fail(KindTemplate, "%s is no dict but %s", scope, v.Kind().PyType())
	}
	if unknown := unknownKeys(o, fieldKeys); unknown != nil {
		return nil, fail(KindTemplate, "%s: unknown keys %s", scope, quoted(unknown))
	}
	f := &field{name: name, optional: true}
	f.isReasoning = name == "thinking" || name == "reasoning" || name == "reasoning_content"
	kind := value.String("text")
	if v, ok := o.Get("content"); ok {
		kind = v
	}
	if k := kind.Kind(); k == value.KindArray || k == value.KindObject {
		return nil, fail(KindType, "unhashable type: '%s'", k.PyType())
	}
	kindName, _ := kind.AsString()
	if !slices.Contains(contentKinds, kindName) {
		return nil, fail(KindTemplate, "%s: content '%s' is not known; known are %s", scope, kindName, quoted(contentKinds))
	}
	var err *Error
	if f.open, err = anchor(scope, o, "open", "open_pattern"); err != nil {
		return nil, err
	}
	if f.close, err = anchor(scope, o, "close", "close_pattern"); err != nil {
		return nil, err
	}
	if v, _ := o.Get("repeats"); v.Truthy() {
		f.repeats = true
	}
	if v, _ := o.Get("join"); !v.IsNull() {
		s, ok := v.AsString()
		if !ok {
			return nil, fail(KindTemplate, "%s: 'join' is no string but %s", scope, v.Kind().PyType())
		}
		if !f.repeats {
			return nil, fail(KindTemplate, "%s: 'join' is for a field with 'repeats': true", scope)
		}
		f.join = &s
	}
	if v, ok := o.Get("optional"); ok {
		f.optional = v.Truthy()
	}
	if err := f.compileTransform(scope, o); err != nil {
		return nil, err
	}
	args, ok := o.Get("content_args")
	if !ok {
		args = value.Members()
	}
	f.content = newContent(kindName, args)
	return f, nil
}

func (f *field) compileTransform(scope string, o *value.Object) *Error {
	tr, _ := o.Get("transform")
	if v, ok := o.Get("transform_each"); ok {
		each, isBool := v.AsBool()
		if !isBool {
			return fail(KindTemplate, "%s: transform_each is true or false, but here %s", scope, v.Kind().PyType())
		}
		if each && tr.IsNull() {
			return fail(KindTemplate, "%s: transform_each without a transform does nothing", scope)
		}
		f.each = each
	}
	if f.open != nil {
		f.openNames = f.open.Names()
	}
	if f.close != nil {
		f.closeNames = f.close.Names()
	}
	if !tr.IsNull() {
		var err *Error
		f.transform, err = compileTransform(scope, tr.Clone())
		return err
	}
	names := slices.Clone(f.openNames)
	for _, n := range f.closeNames {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) > 0 {
		return fail(KindTemplate, "%s: the groups %s of its patterns are named, and no 'transform' uses them: give one, or take the names away", scope, quoted(names))
	}
	return nil
}
