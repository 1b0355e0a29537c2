package response

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// What of a region's body is in no value is a problem at the bytes it stands at.
func TestLosses(t *testing.T) {
	const tags = `"content":"xml-inline","content_args":{"tag_pattern":"<(?P<key>\\w+)>(?P<value>.*?)</>"`
	for _, c := range []struct{ field, reply, want string }{
		{`"content":"kv-lines"`, "x\na:1\nb:2\na:3", `"x" "a:1"`},
		{`"content":"kv-lines","content_args":{"line_sep":null}`, " x a:1  b\u00a0a:2", `"x" "a:1" "b"`},
		{`"content":"kv-lines","content_args":{"kv_sep":" ","value_parser":{"name":"bool"}}`, "  a  yes ", `"yes"`},
		{tags + `}`, "p<a>1</> q <a>2</>", `"p" "<a>1</>" "q"`},
		{tags + `,"value_parser":{"name":"kv-lines"}}`, "<a>k:v</><b>lost\nk:v</>", `"lost"`},
		{tags + `,"value_parser":{"name":"kv-lines","args":{"line_sep":",","value_parser":{"name":"bool"}}}}`, "é<a>k: yes ,l:true</>", `"é" "yes"`},
		{`"content":"json"`, `{"a":1, "b":{"c":"x","c":2},"a":3}`, `"\"a\":1" "\"c\":\"x\""`},
		{`"content":"json","content_args":{"unquoted_keys":true}`, `{a:1,a:2}`, `"{a:1,a:2}"`},
		{`"content":"json","content_args":{"allow_non_json":true}`, `{"a":1,"a":2`, ``}, // kept as text
		{`"content":"json","transform":{"n":"{content.n}","x":"{content.y.z}"}`, `{"n":1,"y":{"z":{"k":1}}}`, ``},
		{`"content":"json","transform":"{content.n}"`, `{"n":1,"id":2}`, `"{\"n\":1,\"id\":2}"`},
		{`"content":"json","transform_each":true,"transform":"{n}"`, `[{"n":1},{"n":1,"id":""}]`, `"[{\"n\":1},{\"n\":1,\"id\":\"\"}]"`}, // the name is lost
		{`"content":"json","transform_each":true,"transform":"{n}"`, `[{"n":""},{"n":{}}]`, ``},
		{`"content":"json","transform_each":true,"transform":"{n}"`, `[{"n":{"x":1}},{"n":1,"id":0}]`, `"[{\"n\":{\"x\":1}},{\"n\":1,\"id\":0}]"`},
		{`"transform":["{content}"]`, "text", ``},
		{`"transform":1`, "text", `"text"`},
		{`"content":"json","transform":1`, "{}", ``}, // nothing is in it
		{`"content":"json","content_args":{"string_delims":[["<a>","</a>"],["<b>","</b>"]]}`, `{"a":<b>x<a>y</a>z</b>}`, `"{\"a\":<b>x<a>y</a>z</b>}"`},
		{`"content":"json","content_args":{"string_delims":[["<a>","</a>"],["<b>","</b>"]]}`, `{"a":<a>x<b>y</b>z</a>,"b":<b>v</b>}`, ``},
		// Space around text is syntax, but in an argument.
		{``, " x ", ``},
		{`"transform":{"x":"{content}"}`, " x ", ``},
		{`"transform":{"function":{"name":"f","arguments":{"x":"{content}"}}}`, " x ", `" x "`},
		{`"content_args":{"strip":false},"transform":{"function":{"name":"f","arguments":{"x":"{content}"}}}`, " x ", ``},
		{`"content":"json","content_args":{"allow_non_json":true},"transform":{"function":{"name":"f","arguments":{"x":"{content}"}}}`, " x ", `" x "`},
		{tags + `,"value_parser":{"name":"json","args":{"allow_non_json":true}}}`, "<a> x </><b> 1 </>", `" x "`},
		{tags + `,"value_parser":{}}`, "<a> x </><b>1</>", `" x "`},
		{`"content":"bool"`, " maybe ", `" maybe "`},
		{`"content":"bool"`, " False ", ``},
		{`"content":"bool"`, "0", ``},
	} {
		tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"open":"«","close":"»"`+comma(c.field)+`}}}`)
		reply := "«" + c.reply + "»"
		r, _ := tpl.Parse(reply, Options{Prefix: &noPrefix, Problems: true, Lenient: true})
		var lost []string
		for _, p := range r.Problems {
			if p.Kind == harmony.BadArgs {
				lost = append(lost, fmt.Sprintf("%q", reply[p.Span.Start:p.Span.End]))
			}
		}
		if got := strings.Join(lost, " "); got != c.want {
			t.Errorf("{%s} on %q: lost %s, want %s", c.field, c.reply, got, c.want)
		}
	}
}

func comma(field string) string {
	if field == "" {
		return ""
	}
	return "," + field
}

// Numbers of which the value keeps not every digit are told, where the body has
// them.
func TestLostDigits(t *testing.T) {
	const tags = `"content":"xml-inline","content_args":{"tag_pattern":"<(?P<key>\\w+)>(?P<value>.*?)</>","value_parser":{"name":"float"}}`
	const call = `"transform":{"function":{"name":"f","arguments":"{content}"}}`
	for _, c := range []struct{ field, reply, want string }{
		{`"content":"float"`, " 0.1000000000000000055 ", `" 0.1000000000000000055 "`},
		{`"content":"float"`, "+1_0.50", ``},
		{`"content":"float"`, "1e400", `"1e400"`},
		{`"content":"float"`, "inf", ``},
		{`"content":"float"`, "7", ``},
		{`"content":"float"`, "9007199254740993", `"9007199254740993"`},
		{`"content":"int"`, "9007199254740993", ``},
		{`"content":"json"`, `[1.50, 3.14159265358979323846, -1e-400, 1e23, 12345678901234567890]`, `"3.14159265358979323846" "-1e-400"`},
		{`"content":"json","content_args":{"unquoted_keys":true}`, `{a:9007199254740993.0}`, `"{a:9007199254740993.0}"`},
		{`"content":"python-call-list"`, `[f(a=0.5, b=[1e-400])]`, `"1e-400"`},
		{tags, "<a>0.1</><b>0.10000000000000000001</>", `"0.10000000000000000001"`},
		{`"content":"kv-lines","content_args":{"value_parser":{"name":"json"}}`, "a: 1.5\nb: 0.10000000000000000001", `"0.10000000000000000001"`},
		{`"content":"kv-lines",` + call, "o: {\"x\": 0.10000000000000000001}", `"«o: {\"x\": 0.10000000000000000001}»"`},
		{`"content":"kv-lines",` + call, "n: 0.10000000000000000001", `"«n: 0.10000000000000000001»"`},
	} {
		tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"open":"«","close":"»",`+c.field+`}}}`)
		tools := PrepareTools([]value.Value{loads(t, `{"name":"f","parameters":{"properties":{"o":{"type":"object"},"n":{"type":"number"}}}}`)})
		reply := "«" + c.reply + "»"
		r, err := tpl.Parse(reply, Options{Prefix: &noPrefix, Tools: tools, Problems: true})
		var lost []string
		for _, p := range r.Problems {
			if p.Kind == harmony.ValueChanged {
				lost = append(lost, fmt.Sprintf("%q", reply[p.Span.Start:p.Span.End]))
			}
		}
		if got := strings.Join(lost, " "); got != c.want || err != nil {
			t.Errorf("{%s} on %q: lost digits %s, want %s (%v)", c.field, c.reply, got, c.want, err)
		}
	}
}

// A region that cannot be read takes the place of an earlier one too.
func TestFailedRegionOverwrites(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"open":"[","close":"]","content":"int"}}}`)
	r, err := tpl.Parse("[1][x]", Options{Prefix: &noPrefix, Problems: true, Lenient: true})
	if err == nil || len(r.Problems) != 2 || r.Problems[0].Kind != harmony.RegionOverwritten || r.Problems[0].Span != (harmony.Span{Start: 0, End: 3}) {
		t.Errorf("%v, problems %v", err, r.Problems)
	}
}
