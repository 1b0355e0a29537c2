package fuzz

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Between them, the templates of this package's own use every key, every content
// parser with every argument, and every construct of patterns that the
// specification of response templates names (its sections 2, 3, 8 and 9).
func TestTemplatesCoverEverything(t *testing.T) {
	used := map[string]int{}
	own := 0
	for _, template := range Templates() {
		if template.Name == "beam" || strings.HasPrefix(template.Name, "gateway-") {
			continue
		}
		own++
		coverTemplate(template.Spec, func(construct string) { used[construct]++ })
	}
	if own < 20 {
		t.Errorf("%d templates, and must be 20", own)
	}
	for _, construct := range constructs {
		if used[construct] == 0 {
			t.Errorf("no template uses %s", construct)
		}
		delete(used, construct)
	}
	for construct := range used {
		t.Errorf("%s is used and not in the list", construct)
	}
}

func coverPattern(v value.Value, use func(string)) string {
	src, _ := v.AsString()
	for construct, re := range patternConstructs {
		if re.MatchString(src) {
			use(construct)
		}
	}
	return src
}

func coverTemplate(spec value.Value, use func(string)) {
	o, _ := spec.AsObject()
	for key, v := range o.All() {
		switch key {
		case "start_anchor":
			use(key + " " + shapeOf(v))
		case "start_anchor_pattern":
			use(key)
			coverPattern(v, use)
		default:
			use(key)
		}
		if key == "version" && v.Kind() == value.KindBool {
			use("version true")
		}
	}
	fields, _ := spec.Get("fields").AsObject()
	for name, v := range fields.All() {
		f, _ := v.AsObject()
		coverField(f, use)
		before, has := value.Null(), false
		if defaults, ok := spec.Get("defaults").AsObject(); ok {
			before, has = defaults.Get(name)
		}
		switch {
		case has && before.IsNull():
			use("defaults: null")
		case has && !f.Value().Get("join").IsNull():
			use("defaults: text under join")
		case has && f.Value().Get("repeats").Truthy():
			use("defaults: list under repeats")
		}
	}
}

func shapeOf(v value.Value) string {
	switch v.Kind() {
	case value.KindArray:
		return "list"
	case value.KindObject:
		return "object"
	}
	return "text"
}

func coverField(f *value.Object, use func(string)) {
	_, text := f.Get("open")
	_, pattern := f.Get("open_pattern")
	sink := !text && !pattern
	if sink {
		use("no open")
	}
	_, text = f.Get("close")
	_, pattern = f.Get("close_pattern")
	if !text && !pattern {
		use("no close")
	}
	if _, ok := f.Get("content"); !ok {
		use("content absent")
		coverContent("text", f.Value().Get("content_args"), use)
	}
	openSource, closeSource := "", ""
	for key, v := range f.All() {
		switch key {
		case "open", "close":
			use(key + " " + shapeOf(v))
			if sink {
				use("no open, close " + shapeOf(v))
			}
		case "open_pattern":
			use(key)
			openSource = coverPattern(v, use)
		case "close_pattern":
			use(key)
			if sink {
				use("no open, close_pattern")
			}
			closeSource = coverPattern(v, use)
		case "transform":
			use(key + " " + shapeOf(v))
		case "content":
			use(key)
			kind, _ := v.AsString()
			coverContent(kind, f.Value().Get("content_args"), use)
		case "optional":
			use(key)
			if !v.Truthy() {
				use("optional false")
			}
		default:
			use(key)
		}
	}
	for _, m := range regexp.MustCompile(`\{(\w+)([.\w]*)\}`).FindAllStringSubmatch(value.Dumps(f.Value().Get("transform")), -1) {
		switch {
		case strings.Contains(openSource, "P<"+m[1]+">"):
			use("transform: capture of the open")
		case strings.Contains(closeSource, "P<"+m[1]+">"):
			use("transform: capture of the close")
		case m[1] == "content" && m[2] != "":
			use("transform: path into the content")
		case m[1] == "content":
			use("transform: content")
		}
	}
}

func coverContent(kind string, args value.Value, use func(string)) {
	use("kind " + kind)
	o, _ := args.AsObject()
	for key, v := range o.All() {
		if kind == "python-call-list" {
			continue // takes none
		}
		use(kind + ": " + key)
		switch {
		case key == "line_sep" && v.IsNull():
			use("kv-lines: line_sep null")
		case key == "tag_pattern":
			if src := coverPattern(v, use); !strings.Contains(src, "P<value>") {
				use("xml-inline: no value group")
			}
		case key == "value_parser":
			sub, _ := v.AsObject()
			name, ok := v.Get("name").AsString()
			if !ok {
				use("value_parser: default")
				continue
			}
			use("value_parser kind " + name)
			if _, has := sub.Get("args"); has {
				use("value_parser: args")
				coverContent(name, v.Get("args"), func(construct string) {
					if slices.Contains(constructs, construct) && !strings.HasPrefix(construct, "kind ") {
						use(construct)
					}
				})
			}
		}
	}
}

// What a generator writes for an anchor must be what the anchor matches, or its
// replies are no replies: of each template most regions must be found again.
func TestMarkersMatch(t *testing.T) {
	for _, template := range Templates() {
		wanted, found := 0, 0
		for i := range 200 {
			s := FromSeed(suite.Seed(template.Name, i))
			in := Generate(s, template)
			r := Native.Read(in, in.Options(), Cut{})
			if r.Err != nil {
				continue
			}
			for _, p := range in.pieces {
				if p.part == opener {
					wanted++
				}
			}
			for _, g := range r.Reply.Regions {
				if g.Body.Start > g.Span.Start {
					found++
				}
			}
		}
		least := 0.9
		switch template.Name {
		case "looks", "edges": // what their opens look at is seldom there
			least = 0.3
		}
		if share := float64(found) / float64(wanted); share < least {
			t.Errorf("%s: %d of %d regions that were written are found", template.Name, found, wanted)
		}
	}
}
