package response

import (
	"errors"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// contentKinds are the content parsers, sorted.
var contentKinds = []string{"bool", "float", "int", "json", "kv-lines", "python-call-list", "text", "xml-inline"}

// content is a content parser with its arguments. The reference checks no
// argument when it loads a template; what is wrong with one shows when a region
// is parsed, so it is kept here as an error until then.
type content struct {
	kind  string
	dirty bool   // the text is markup that the value is made of
	err   *Error // raised on use
	strip bool

	xml  *xmlArgs
	kv   *kvArgs
	json *jsonArgs
	sub  *content // value_parser, nil for none
}

// reading is what parsing a region's content needs besides the text.
type reading struct {
	scans  map[*rx.Pattern]*rx.Scan
	depth  int   // limit of JSON nesting
	budget int   // limit of a pattern's steps
	steps  int64 // bytes looked at

	// With notes, what the content parser did not use is noted.
	notes  bool
	losses []loss
	// With ends, the text ends where the reply does, and open tells whether an
	// argument is open there.
	ends, open bool
}

// loss is text of a body that is in no value, or whose value was replaced.
type loss struct {
	span   harmony.Span // in the body
	kind   harmony.ProblemKind
	detail string
	space  bool // which is syntax, but in an argument
}

const lostDigits = "this number lost digits"

func span(start, end int) harmony.Span { return harmony.Span{Start: int64(start), End: int64(end)} }

func (r *reading) scan(p *rx.Pattern) *rx.Scan {
	s := r.scans[p]
	if s == nil {
		if r.scans == nil {
			r.scans = map[*rx.Pattern]*rx.Scan{}
		}
		s = p.NewScan()
		r.scans[p] = s
	}
	s.Restart()
	s.Budget = r.budget
	return s
}

// newContent never fails: see content.
func newContent(kind string, args value.Value) *content {
	c := &content{kind: kind, strip: true, dirty: true}
	switch kind {
	case "text", "int", "float", "bool":
		c.dirty = false
	}
	if kind == "python-call-list" { // takes no arguments and looks at none
		return c
	}
	o, ok := args.AsObject()
	if !ok {
		c.err = notDict(args, "get")
		return c
	}
	if v, ok := o.Get("strip"); ok {
		c.strip = v.Truthy()
	}
	switch kind {
	case "json":
		c.json = newJSONArgs(o)
	case "xml-inline":
		c.xml = newXMLArgs(o)
		c.sub, c.xml.subErr = newSub(o)
	case "kv-lines":
		c.kv = newKVArgs(o)
		c.sub, c.kv.subErr = newSub(o)
	}
	return c
}

// newSub reads value_parser.
func newSub(args *value.Object) (*content, *Error) {
	v, _ := args.Get("value_parser")
	if v.IsNull() {
		return nil, nil
	}
	o, ok := v.AsObject()
	if !ok {
		return nil, notDict(v, "get")
	}
	name, kind := value.String("text"), ""
	if n, ok := o.Get("name"); ok {
		name = n
	}
	if k := name.Kind(); k == value.KindArray || k == value.KindObject {
		return nil, fail(KindType, "unhashable type: '%s'", k.PyType())
	}
	kind, _ = name.AsString()
	if !slices.Contains(contentKinds, kind) {
		return nil, fail(KindKey, "%s", value.Dumps(name))
	}
	a, ok := o.Get("args")
	if !ok {
		a = value.Members()
	}
	return newContent(kind, a), nil
}

// parse reads the text of a region.
func (c *content) parse(text string, r *reading) (value.Value, *Error) {
	if c.err != nil {
		return value.Value{}, c.err
	}
	r.steps += int64(len(text))
	switch c.kind {
	case "text":
		return c.parseText(text, r), nil
	case "int":
		v, err := value.ParseInt(c.trim(text))
		return v, asValueError(err)
	case "float":
		f, err := value.ParseFloat(c.trim(text))
		if r.notes && err == nil && !exactly(text, f) {
			r.losses = append(r.losses, loss{span: span(0, len(text)), kind: harmony.ValueChanged, detail: lostDigits})
		}
		return value.Float(f), asValueError(err)
	case "bool":
		return value.Bool(c.truth(text, r)), nil
	case "json":
		return c.parseJSON(text, r)
	case "xml-inline":
		return c.parseXML(text, r)
	case "kv-lines":
		return c.parseKV(text, r)
	}
	return parseCallList(text, r)
}

// parseText reads text.
func (c *content) parseText(text string, r *reading) value.Value {
	trimmed := c.trim(text)
	if r.notes && len(trimmed) < len(text) {
		r.losses = append(r.losses, loss{span: span(0, len(text)), kind: harmony.BadArgs, detail: "space around this argument is stripped", space: true})
	}
	return value.String(trimmed)
}

// exactly tells whether a float is the number that a text says; a text that JSON
// does not write so is taken to.
func exactly(text string, f float64) bool {
	text = strings.ReplaceAll(strings.TrimPrefix(value.Strip(text), "+"), "_", "")
	_, isJSON := value.ParseDecimal(text)
	return !isJSON || value.Exact(text, f)
}

// parseAt is parse for text that stands at a byte of the region's body.
func (c *content) parseAt(at int, text string, r *reading) (value.Value, *Error) {
	before := len(r.losses)
	v, err := c.parse(text, r)
	for i := range r.losses[before:] {
		s := &r.losses[before+i].span
		s.Start, s.End = s.Start+int64(at), s.End+int64(at)
	}
	return v, err
}

// truth reads a boolean. Whatever is not true is false.
func (c *content) truth(text string, r *reading) bool {
	word := c.trim(text)
	is := isTrue(word)
	if r.notes && !is && word != "" && word != "0" && !strings.EqualFold(word, "false") {
		r.losses = append(r.losses, loss{span: span(0, len(text)), kind: harmony.BadArgs, detail: "this text is neither true nor false and is read as false"})
	}
	return is
}

// parseNone is parse for Python's None, the value of a group that did not take
// part in a match.
func (c *content) parseNone() (value.Value, *Error) {
	if c.err != nil {
		return value.Value{}, c.err
	}
	noMethod := func(name string) (value.Value, *Error) {
		return value.Value{}, notDict(value.Null(), name)
	}
	switch c.kind {
	case "text", "int", "float", "bool":
		switch {
		case c.strip:
			return noMethod("strip")
		case c.kind == "text":
			return value.Null(), nil
		case c.kind == "bool":
			return noMethod("lower")
		}
	case "kv-lines":
		return noMethod("split")
	case "xml-inline":
		if c.xml.err != nil {
			return value.Value{}, c.xml.err
		}
	}
	return value.Value{}, fail(KindType, "expected string, got NoneType")
}

func (c *content) trim(text string) string {
	if c.strip {
		return value.Strip(text)
	}
	return text
}

// isTrue tells whether text is true or 1, whatever its case.
func isTrue(text string) bool {
	return text == "1" || len(text) == 4 && text[0]|0x20 == 't' && text[1]|0x20 == 'r' && text[2]|0x20 == 'u' && text[3]|0x20 == 'e'
}

func asValueError(err error) *Error {
	if err == nil {
		return nil
	}
	kind := KindValue
	var deep *value.DepthError
	var schema *typing.SchemaError
	switch {
	case errors.As(err, &deep):
		kind = KindDepth
	case errors.As(err, &schema):
		kind = KindType
	}
	return &Error{Kind: kind, Offset: NoOffset, Msg: err.Error(), Err: err}
}
