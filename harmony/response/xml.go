package response

import (
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// xmlArgs are the arguments of xml-inline: shallow tags that become an object.
type xmlArgs struct {
	pattern    *rx.Pattern
	err        *Error // of tag_pattern
	subErr     *Error // of value_parser
	key, value int    // named groups, -1 for none
	merge      bool
}

func newXMLArgs(o *value.Object) *xmlArgs {
	a := &xmlArgs{key: -1, value: -1}
	v, _ := o.Get("merge_duplicates")
	a.merge = v.Truthy()
	v, _ = o.Get("tag_pattern")
	if v.IsNull() {
		a.err = fail(KindValue, "xml-inline: content_args has no 'tag_pattern', and nothing is read without one")
		return a
	}
	s, ok := v.AsString()
	if !ok {
		a.err = fail(KindType, "tag_pattern: first argument must be a string or compiled pattern, got %s", v.Kind().PyType())
		return a
	}
	p, err := rx.Compile(s)
	if err != nil {
		a.err = patternError(KindRegex, "tag_pattern: ", err)
		return a
	}
	a.pattern = p
	for i, name := range p.Names() {
		switch name {
		case "key":
			a.key = i
		case "value":
			a.value = i
		}
	}
	return a
}

func (c *content) parseXML(text string, r *reading) (value.Value, *Error) {
	a := c.xml
	if a.err != nil {
		return value.Value{}, a.err
	}
	var (
		out    = value.NewObject(2) // as many as most calls have
		merged map[string]*value.Array
		spans  map[string]harmony.Span // with notes: where each key's value came from
		scan   = r.scan(a.pattern)
		used   = 0
		failed *Error
	)
	defer func() { r.steps += scan.Steps }()
	err := a.pattern.Each(text, scan, func(m *rx.Match) bool {
		from, to, ok := 0, 0, false
		if a.key >= 0 {
			from, to, ok = m.Group(a.key)
		}
		if !ok {
			failed = fail(KindValue, "xml-inline: the tag_pattern %s gives no group named 'key'", a.pattern)
			return false
		}
		key := text[from:to]
		var v value.Value
		if v, failed = c.xmlValue(text, m, r); failed != nil {
			return false
		}
		if r.notes {
			r.unused(text, used, m.Start)
			if spans == nil {
				spans = map[string]harmony.Span{}
			}
			if old, twice := spans[key]; twice && !a.merge {
				r.losses = append(r.losses, loss{span: old, kind: harmony.BadArgs, detail: "the argument " + key + " is given again; this value is lost"})
			}
			spans[key] = span(m.Start, m.End)
		}
		used = m.End
		if !a.merge {
			out.Set(key, v)
			return true
		}
		old, has := out.Get(key)
		switch {
		case !has:
			out.Set(key, v)
		case merged[key] != nil:
			merged[key].Append(v)
		default:
			if merged == nil {
				merged = map[string]*value.Array{}
			}
			list := value.List(old, v)
			merged[key], _ = list.AsArray()
			out.Set(key, list)
		}
		return true
	})
	switch {
	case failed != nil:
		return value.Value{}, failed
	case err != nil:
		return value.Value{}, patternError(KindLimit, "tag_pattern: ", err)
	}
	if r.notes {
		r.unused(text, used, len(text))
	}
	if r.ends {
		live, err := scan.Partial(text, used)
		r.open = err != nil || live < len(text)
	}
	return out.Value(), nil
}

// xmlValue is the value of one tag.
func (c *content) xmlValue(text string, m *rx.Match, r *reading) (value.Value, *Error) {
	raw, from, participates := "", 0, true
	if c.xml.value >= 0 {
		var to int
		from, to, participates = m.Group(c.xml.value)
		if participates {
			raw = text[from:to]
		}
	}
	switch {
	case c.xml.subErr != nil:
		return value.Value{}, c.xml.subErr
	case c.sub == nil && !participates:
		return value.Null(), nil
	case c.sub == nil:
		return value.String(raw), nil
	case !participates:
		return c.sub.parseNone()
	}
	return c.sub.parseAt(from, raw, r)
}

// unused notes text between two tags, unless it is space.
func (r *reading) unused(text string, from, to int) {
	for from < to {
		c, size := utf8.DecodeRuneInString(text[from:to])
		if !value.IsSpace(c) {
			break
		}
		from += size
	}
	for from < to {
		c, size := utf8.DecodeLastRuneInString(text[from:to])
		if !value.IsSpace(c) {
			break
		}
		to -= size
	}
	if from < to {
		r.losses = append(r.losses, loss{span: span(from, to), kind: harmony.BadArgs, detail: "this text is in no argument"})
	}
}
