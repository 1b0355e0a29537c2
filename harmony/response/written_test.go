package response

import (
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Values that, written where they were read, are not read again, each beside one
// that is. at is the part of the reply that the problem is about.
func TestUnwritable(t *testing.T) {
	const (
		tags = `"open":"<c>","close":"</c>","content":"xml-inline","content_args":{"tag_pattern":"<(?P<key>\\w+)>(?P<value>.*?)</>"`
		json = `,"value_parser":{"name":"json","args":{"allow_non_json":true}}`
		call = `"transform":{"function":{"name":"f","arguments":"{content}"}}`
		int7 = `{"name":"f","parameters":{"properties":{"a":{"type":"integer"}}}}`
	)
	lines := func(args string) string {
		return `"open":"<c>","close":"</c>","content":"kv-lines","content_args":{` + args + `},` + call
	}
	asJSON := func(args string) string {
		return `"open":"<c>","close":"</c>","content":"json","content_args":{` + args + `},` + call
	}
	for _, c := range []struct {
		name, field, tools string
		reply, at          string
		clean              string
	}{
		// One key and value a line.
		{"a line break in a value", lines(`"value_parser":{"name":"json"}`), "", `<c>a: 1
b: "x\ny"</c>`, `b: "x\ny"`, `<c>b: ["x\ny"]</c>`},
		{"text that looks like a number", lines(`"value_parser":{"name":"json","args":{"allow_non_json":true}}`), "", `<c>b: "7"</c>`, `b: "7"`, `<c>b: 7
a: "x"</c>`},
		{"space around it", lines(`"value_parser":{"name":"json","args":{"allow_non_json":true}}`), "", `<c>b: " x"</c>`, `b: " x"`, `<c>b: "x"</c>`},
		{"the last of two lines counts", lines(`"value_parser":{"name":"json","args":{"allow_non_json":true}}`), "", `<c>b: 1
b: "7"</c>`, `b: "7"`, `<c>b: "y"</c>`},
		{"the separator of lines", lines(`"line_sep":",","kv_sep":"=","value_parser":{"name":"json","args":{"string_delims":[["<",">"]]}}`), "", `<c>b="a\u002cb"</c>`, `b="a\u002cb"`, `<c>b=7,c=[1]</c>`},
		{"of space", lines(`"line_sep":null,"kv_sep":"=","value_parser":{"name":"json","args":{"allow_non_json":true}}`), "", `<c>b="a\u0020b"</c>`, `b="a\u0020b"`, `<c>b=7 c=x</c>`},
		{"the end of the region", lines(`"value_parser":{"name":"json","args":{"allow_non_json":true}}`), "", `<c>b: "\u003c/c>"</c>`, `b: "\u003c/c>"`, `<c>b: "\u003c/d>"</c>`},
		{"typed", lines(``), int7, "", "", "<c>a: 007\nb: x</c>"},
		// Several tags of one name.
		{"a list of many tags", tags + `,"merge_duplicates":true` + json + `},` + call, "", `<c><a>7</><a>"\u003c/>"</></c>`, `<a>"\u003c/>"</>`, `<c><a>"7"</><a>x</><a>[1]</></c>`},
		{"a list in one tag", tags + `,"merge_duplicates":true` + json + `},` + call, "", `<c><a>["</>"]</></c>`, ``, `<c><a>["7"]</></c>`},
		{"a list of one tag with its end", tags + `,"merge_duplicates":true` + json + `},` + call, "", `<c><a>["\u003c/>"]</></c>`, `<a>["\u003c/>"]</>`, `<c><a>["\u003c/"]</></c>`},
		{"a list of texts", tags + `,"merge_duplicates":true},` + call, "", ``, ``, `<c><a>7</><a>["8"]</><a></></c>`},
		{"a typed list", tags + `,"merge_duplicates":true},` + call, int7, ``, ``, `<c><a>7</><a>008</></c>`},
		// A tag.
		{"the end of the region in a tag", tags + json + `},` + call, "", `<c><a>"\u003c/c>"</></c>`, `<a>"\u003c/c>"</>`, `<c><a>"\u003c/d"</></c>`},
		{"an object of no call", tags + json + `}`, "", `<c><a>"7"</></c>`, `<a>"7"</>`, `<c><a>7</></c>`},
		// JSON and its dialects.
		{"the end of the region in JSON", asJSON(``), "", `<c>{"a":"\u003c/c>"}</c>`, `{"a":"\u003c/c>"}`, `<c>{"a":"\u003c/d>","b":[7,"\n\u0001"]}</c>`},
		{"delimiters in a text", asJSON(`"string_delims":[["<|","|>"]]`), "", `<c>{"a":"\u003c|x|>"}</c>`, `{"a":"\u003c|x|>"}`, `<c>{"a":<|7"|>,"b":"<\u007c"}</c>`},
		{"bare keys", asJSON(`"unquoted_keys":true`), "", ``, ``, `<c>{a:"{b:1,c:2}",d:{e:1}}</c>`},
		// A list of calls.
		{"an integer that calls cannot write", `"open":"<c>","close":"</c>","content":"python-call-list","transform_each":true,"transform":{"function":{"name":"{name}","arguments":"{arguments}"}}`, int7,
			`<c>[g(a=1), f(a="9007199254740993", b=1)]</c>`, `[g(a=1), f(a="9007199254740993", b=1)]`, `<c>[f(a="9007199254740991", b=[1.5e300, True, {"x":None}], c="'\"\\\n\u00e9", a-b.c=1)]</c>`},
		{"the end of the region in a call", `"open":"<c>","close":"</c>","content":"python-call-list","transform_each":true,"transform":{"function":{"name":"{name}","arguments":"{arguments}"}}`, "",
			`<c>[f(a="\u003c/c>")]</c>`, `[f(a="\u003c/c>")]`, `<c>[f(a="\u003c/d>")]</c>`},
		// Opening markers count where no region is open.
		{"a marker in implicit content", `"content":"json"},"x":{"open":"<x>"`, "", `{"a":"\u003cx>"}`, `{"a":"\u003cx>"}`, `{"a":"\u003cy>"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{`+c.field+`}}}`)
			o := Options{Prefix: &noPrefix, Problems: true}
			if c.tools != "" {
				o.Tools = PrepareTools([]value.Value{loads(t, c.tools)})
			}
			unwritable := func(reply string) (at []string) {
				r, err := tpl.Parse(reply, o)
				if err != nil {
					t.Fatalf("%s: %v", reply, err)
				}
				for _, p := range r.Problems {
					if p.Kind == harmony.Unwritable {
						at = append(at, reply[p.Span.Start:p.Span.End])
					}
				}
				return at
			}
			if c.at != "" {
				if got := unwritable(c.reply); !slices.Equal(got, []string{c.at}) {
					t.Errorf("%s: unwritable are %q, want %q", c.reply, got, c.at)
				}
			}
			if got := unwritable(c.clean); got != nil {
				t.Errorf("%s: unwritable are %q, want none", c.clean, got)
			}
		})
	}
}

// Arguments are typed by the policy that is asked for, and what cannot be written
// again depends on it.
func TestTypingPolicy(t *testing.T) {
	tpl := compileJSON(t, kindFields)
	tools := PrepareTools([]value.Value{loads(t, `{"name":"f","parameters":{"properties":{"r":{"type":"object"},"b":{"type":"boolean"},"i":{"type":"integer"}}}}`)})
	const reply = `<call f><r>{'k': True, 'k': None}</><b>True</><i>"x"</></call>`
	for _, c := range []struct {
		policy    typing.Policy
		arguments string
		problems  string
	}{
		{nil, `{"r": "{'k': True, 'k': None}", "b": true, "i": "x"}`, `the argument "r" is not of type object;the argument "i" is not of type integer;`},
		{typing.Reference{}, `{"r": "{'k': True, 'k': None}", "b": true, "i": "x"}`, `the argument "r" is not of type object;the argument "i" is not of type integer;`},
		{typing.Literals{}, `{"r": {"k": null}, "b": true, "i": "x"}`, `the argument "r" has a key again; this value is lost: 'k': True;the argument "i" is not of type integer;`},
		{upper{}, `{"r": "{'K': TRUE, 'K': NONE}", "b": "TRUE", "i": "X"}`, ""},
	} {
		o := Options{Prefix: &noPrefix, Tools: tools, Typing: c.policy, Problems: true}
		sameForCuts(t, tpl, o, reply)
		r, err := tpl.Parse(reply, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := value.Dumps(r.Calls[0].Value.Get("function").Get("arguments")); got != c.arguments {
			t.Errorf("%T: %s, want %s", c.policy, got, c.arguments)
		}
		told := ""
		for _, p := range r.Problems {
			told += p.Detail + ";"
		}
		if c.problems != "" && told != c.problems {
			t.Errorf("%T: %s, want %s", c.policy, told, c.problems)
		}
	}
}

// upper is a policy of somebody else.
type upper struct{}

func (upper) Type(v value.Value, _ *typing.Property, _ typing.Options) (value.Value, error) {
	s, _ := v.AsString()
	return value.String(strings.ToUpper(s)), nil
}
