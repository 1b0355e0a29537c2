package response

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Wrong templates with the class that the reference raises and a part of its
// text. Where a template has several faults the first in the reference's order
// must be the one.
func TestCompileRefuses(t *testing.T) {
	field := func(f string) string { return `{"start_anchor":"@","fields":{"x":` + f + `}}` }
	for _, c := range []struct{ template, class, text string }{
		{`[]`, "ValueError", "is a dict, and this one is list"},
		{`null`, "ValueError", "this one is NoneType"},
		{`{"version":"1","bogus":1}`, "ValueError", "version \"1\" of"},
		{`{"version":null}`, "ValueError", "version null of"},
		{`{"version":2}`, "ValueError", "it is 1"},
		{`{"b":1,"a":1,"defaults":null}`, "ValueError", "no keys ['a', 'b']"},
		{`{"defaults":null,"fields":{}}`, "ValueError", "defaults: give a dict"},
		{`{"start_anchor":"@"}`, "ValueError", "at least one field"},
		{`{"fields":{}}`, "ValueError", "at least one field"},
		{`{"fields":{"x":5}}`, "ValueError", "Field 'x' is no dict but int"},
		{`{"fields":{"x":{}}}`, "ValueError", "start of a turn"},
		{`{"fields":{"x":{}},"start_anchor":"a","start_anchor_pattern":"a"}`, "ValueError", "response_template: give 'start_anchor' or"},
		{`{"fields":{"x":{},"y":{}}}`, "ValueError", "here do x, y"},
		{field(`{"bogus":1,"also":2,"content":"nope"}`), "ValueError", "unknown keys ['also', 'bogus']"},
		{field(`{"content":"nope","open":""}`), "ValueError", "known are ['bool', 'float', 'int', 'json', 'kv-lines', 'python-call-list', 'text', 'xml-inline']"},
		{field(`{"content":[]}`), "TypeError", "unhashable type: 'list'"},
		{field(`{"open":null}`), "ValueError", "texts but NoneType"},
		{field(`{"open_pattern":null}`), "TypeError", ""},
		{field(`{"open":"a","open_pattern":null}`), "ValueError", "give 'open' or 'open_pattern', not both"},
		{field(`{"open":[]}`), "ValueError", "'open' is an empty list"},
		{field(`{"open":["",5]}`), "ValueError", "a text in 'open' is no string"},
		{field(`{"open":["a",""]}`), "ValueError", "a text in 'open' is empty"},
		{field(`{"close_pattern":"("}`), "ValueError", "Field 'x': close_pattern cannot be read"},
		{field(`{"join":5}`), "ValueError", "'join' is no string but int"},
		{field(`{"join":"a"}`), "ValueError", "'join' is for a field with 'repeats': true"},
		{field(`{"transform_each":1}`), "ValueError", "transform_each is true or false, but here int"},
		{field(`{"transform_each":true}`), "ValueError", "transform_each without a transform"},
		{field(`{"transform":{"a":["x{b}"]}}`), "ValueError", "has a {placeholder} and other text"},
		{field(`{"transform":"{{content}}"}`), "ValueError", "has a {placeholder} and"},
		{field(`{"transform":"{a}{b}"}`), "ValueError", "has a {placeholder} and"},
		{field(`{"transform":"{content}\n"}`), "ValueError", "has a {placeholder} and"},
		{field(`{"open_pattern":"(?P<b>x)(?P<a>y)"}`), "ValueError", "the groups ['a', 'b']"},
		{field(`{"open_pattern":"a++"}`), "UnsupportedError", "a possessive quantifier is not supported, at byte 2"},
	} {
		_, err := Compile(loads(t, c.template))
		var e *Error
		switch {
		case !errors.As(err, &e):
			t.Errorf("%s: got %v, want %s", c.template, err, c.class)
		case e.Class() != c.class || !strings.Contains(e.Error(), c.text):
			t.Errorf("%s: got %s: %v, want %s: …%s…", c.template, e.Class(), e, c.class, c.text)
		}
	}
}

// What looks wrong and is not.
func TestCompileAccepts(t *testing.T) {
	for _, template := range []string{
		`{"version":true,"fields":{"x":{}},"start_anchor":"@"}`,
		`{"version":1.0,"fields":{"x":{"repeats":"no","optional":0,"content_args":[]}},"start_anchor_pattern":"(?P<n>a)"}`,
		`{"fields":{"x":{"open":["a","a"],"transform":""}},"start_anchor":["a","b"]}`,
		`{"fields":{"x":{"open_pattern":"","transform":["{}","{a-b}","{a..b}",5,{"x{y}":null}]}},"start_anchor":"a"}`,
		`{"fields":{"x":{"content":"xml-inline","content_args":{"tag_pattern":"("}}},"start_anchor":"a"}`,
	} {
		if _, err := Compile(loads(t, template)); err != nil {
			t.Errorf("%s: %v", template, err)
		}
	}
}

// The reference refuses a missing prefix, but a wrong template first.
func TestPrefixIsRequired(t *testing.T) {
	_, err := beamTemplate(t).Parse("", Options{})
	if got := classOf(err); !strings.HasPrefix(got, "ValueError") {
		t.Errorf("got %v", err)
	}
}

// Anchors are whole characters: half of one would match inside another.
func TestAnchorsAreUTF8(t *testing.T) {
	for _, key := range []string{"open", "open_pattern", "close", "close_pattern"} {
		field := value.Members(value.Member{Name: "open", Value: value.String("<x>")})
		f, _ := field.AsObject()
		if key == "open_pattern" {
			f.Delete("open")
		}
		f.Set(key, value.String("<\xe4\xbd"))
		template := loads(t, `{"start_anchor":"@","fields":{"x":{}}}`)
		fields, _ := template.Get("fields").AsObject()
		fields.Set("x", field)
		_, err := Compile(template)
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindUnsupported || !strings.Contains(e.Msg, "at byte 1") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
