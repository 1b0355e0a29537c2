package response

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
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
		{`"content":"json","transform_each":true,"transform":"{n}"`, `[{"n":1},{"n":1,"id":""}]`, ``},
		{`"content":"json","transform_each":true,"transform":"{n}"`, `[{"n":{"x":1}},{"n":1,"id":0}]`, `"[{\"n\":{\"x\":1}},{\"n\":1,\"id\":0}]"`},
		{`"transform":["{content}"]`, "text", ``},
		{`"transform":1`, "text", `"text"`},
		{`"content":"bool"`, " maybe ", `" maybe "`},
		{`"content":"bool"`, " False ", ``},
		{`"content":"bool"`, "0", ``},
	} {
		tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"open":"«","close":"»",`+c.field+`}}}`)
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

// A region that cannot be read takes the place of an earlier one too.
func TestFailedRegionOverwrites(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"open":"[","close":"]","content":"int"}}}`)
	r, err := tpl.Parse("[1][x]", Options{Prefix: &noPrefix, Problems: true, Lenient: true})
	if err == nil || len(r.Problems) != 2 || r.Problems[0].Kind != harmony.RegionOverwritten || r.Problems[0].Span != (harmony.Span{Start: 0, End: 3}) {
		t.Errorf("%v, problems %v", err, r.Problems)
	}
}
