package response

import (
	"fmt"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// unheeded gives the places of a reply at which other characters make no
// difference, to what is read, to the error or to the problems, though they stand
// in a region's body and are in no problem: they are lost. It knows nothing of how
// a body is read.
func unheeded(t *testing.T, tpl *Template, o Options, reply string) (at []int) {
	t.Helper()
	o.Problems, o.Lenient = true, true
	read := func(reply string) (harmony.Reply, string) {
		r, err := tpl.Parse(reply, o)
		return r, fmt.Sprint(value.Dumps(r.Message), classOf(err), r.Problems)
	}
	r, was := read(reply)
	for i, c := range reply {
		end := int64(i + utf8.RuneLen(c))
		told := false
		for _, p := range r.Problems {
			told = told || p.Span.Start <= int64(i) && end <= p.Span.End
		}
		body := false
		for _, g := range r.Regions {
			body = body || g.Body.Start <= int64(i) && end <= g.Body.End
		}
		if told || !body {
			continue
		}
		heeded := false
		for _, other := range others(c) {
			_, is := read(reply[:i] + string(other) + reply[end:])
			heeded = heeded || is != was
		}
		if !heeded {
			at = append(at, i)
		}
	}
	return at
}

// others are characters of the kind of c, so that what is around c is read in the
// same way where that is all that matters.
func others(c rune) string {
	switch {
	case '0' <= c && c <= '9':
		return string([]rune{'0' + (c-'0'+4)%10, '0' + (c-'0'+5)%10})
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return "qZ"
	}
	return "q7~"
}

// Whatever kind of content a region has, each byte of its body is in the value,
// in syntax that its parser consumed, or in a problem.
func TestNothingLostInside(t *testing.T) {
	const (
		tag    = `"tag_pattern":"<(?P<key>\\w+)>(?P<value>.*?)</>"`
		call   = `"transform":{"function":{"name":"f","arguments":"{content}"}}`
		lenien = `"value_parser":{"name":"json","args":{"allow_non_json":true}}`
	)
	for field, bodies := range insideBodies(tag, call, lenien) {
		tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"open":"[[","close":"]]",`+field+`}}}`)
		tools := PrepareTools([]value.Value{loads(t, `{"name":"f","parameters":{"properties":{"n":{"type":"number"},"i":{"type":"integer"},"b":{"type":"boolean"},"o":{"type":"object"},"u":{"type":["string","null"]},"l":{"type":"integer"}}}}`)})
		for _, body := range bodies {
			for _, tools := range []*Tools{nil, tools} {
				reply := "[[" + body + "]]"
				if at := unheeded(t, tpl, Options{Prefix: &noPrefix, Tools: tools}, reply); at != nil {
					marked := ""
					for i, c := range reply {
						if len(at) > 0 && at[0] == i {
							marked, at = marked+"«"+string(c)+"»", at[1:]
						} else {
							marked += string(c)
						}
					}
					r, err := tpl.Parse(reply, Options{Prefix: &noPrefix, Tools: tools, Problems: true})
					t.Errorf("%s\n lost in %s\n read %s, %v\n told %v", field, marked, value.Dumps(r.Message), err, r.Problems)
				}
			}
		}
	}
}

func insideBodies(tag, call, lenient string) map[string][]string {
	numbers := []string{"7", "007", "+7", "1_000", "-0", "٣_٤", " 7 ", "1.5", "1.50", "0.1000000000000000055", "9007199254740993.0", "1e400", "1e-400", "12345678901234567890123", "nan", "Infinity", "x", "", "１.５"}
	jsons := []string{`{"a":1}`, ` {"a" : [1, 2.50], "b": null} `, `{"a":1,"a":2}`, `{"a":{"b":1,"b":2},"a":3}`, `[0.1000000000000000055,1e-400]`, `{"n":3.14159265358979323846264}`, `"x y"`, `"\ud800\u00e9\n"`, `[1,]`, `{"a":1} x`, `NaN`, `1e400`, ` hi `, "", `{}`, `true`, `[{"k":1,"k":1}]`, `{"u":"null","i":"1_0","n":"1e23"}`}
	tags := []string{"<a>1</><b>x y</>", "<a>1</><a>2</>", "?<a>1</>", "<a>1</>? <b></>!", "<a>1", "x", "", " \n<a> 1 </>\n", "<n>0.1000000000000000055</>", "<n>12345678901234567890</><i>3.0</><b>TRUE</><o>{\"k\":1,\"k\":2}</><u> null </>", "<l>1</><l>2</><l>x</>", "{\"a\":1}", "<a>1</>\u00a0<b>2</>", "<a b=1>x</>", "<a></><a></>", "<i> 07 </>", "<b> true </>", "<u> None </>"}
	lines := []string{"a:1\nb:2", "a:1\na:2", "x\na:1", ":1", "a:", "a : b : c", "\n\n a : 1 \n", "a:1\r\nb:2", "a:1,b:2", "", "a=1 b=2", "  ", "i:007\nu:null", "a: yes", "n:0.1000000000000000055"}
	lists := []string{`[f(a=1)]`, ` [ f ( a = 1 , b = 'x' ) , g() ] `, `[f(a=0.1000000000000000055)]`, `[f(a=1e-400)]`, `[f(a=1,a=2)]`, `[f(a={'k':1,'k':2})]`, `[f(a=1)] x`, `f(a=1)`, `[f(a=007)]`, `[]`, `[f(a="\u00e9\n", b=[None,{}])]`, `[f(i="007",u="null")]`}
	return map[string][]string{
		`"content":"text"`: {"x", " x ", "\u001cx\u0085", "  ", "x\x00y", "<|a|>"},
		`"content":"text","content_args":{"strip":false}`: {" x ", "\n"},
		`"content":"int"`:   numbers,
		`"content":"float"`: numbers,
		`"content":"bool"`:  {"true", "TRUE", " 1 ", "0", "false", "no", "yes", "", "truex"},
		`"content":"bool","content_args":{"strip":false}`: {" true", "true", " ", "FALSE"},
		`"content":"json"`:         jsons,
		`"content":"json",` + call: jsons,
		`"content":"json","content_args":{"allow_non_json":true}`:                                        jsons,
		`"content":"json","content_args":{"allow_non_json":true},` + call:                                jsons,
		`"content":"json","content_args":{"unquoted_keys":true}`:                                         append(jsons, `{a:1,b:{c:2},a:3}`, `{ a : "x:1,y:2" }`, `{a:1,"b":2}`),
		`"content":"json","content_args":{"string_delims":[["<a>","</a>"],["<b>","</b>"]]}`:              append(jsons, `{"a":<a>x</a>}`, `{"a":<b>x<a>y</a>z</b>}`, `{<a>k</a>:<b>"v"</b>}`, `{"a":<a>x</a>,"a":<b>y</b>}`, `[<a>x</a>,"<b>"]`, `["<a>x</a>"]`, `<a>x<a>y</a>`, `<a>x<b>y</b></a>`),
		`"content":"json","content_args":{"string_delims":[["",""]],"allow_non_json":true}`:              {`{"a":1}`, `x`},
		`"content":"json","content_args":{"string_delims":[["'","'"]],"unquoted_keys":true}`:             {`{a:'x'}`, `{a:'x',a:'y'}`, `{'a':1}`},
		`"content":"xml-inline","content_args":{` + tag + `}`:                                            tags,
		`"content":"xml-inline","content_args":{` + tag + `},` + call:                                    tags,
		`"content":"xml-inline","content_args":{` + tag + `,"merge_duplicates":true},` + call:            tags,
		`"content":"xml-inline","content_args":{` + tag + `,` + lenient + `},` + call:                    tags,
		`"content":"xml-inline","content_args":{` + tag + `,"value_parser":{}},` + call:                  tags,
		`"content":"xml-inline","content_args":{` + tag + `,"value_parser":{"name":"float"}}`:            tags,
		`"content":"xml-inline","content_args":{` + tag + `,"value_parser":{"name":"int"}}`:              tags,
		`"content":"xml-inline","content_args":{` + tag + `,"value_parser":{"name":"bool"}}`:             tags,
		`"content":"xml-inline","content_args":{` + tag + `,"value_parser":{"name":"kv-lines"}}`:         {"<a>k:1\nx</>", "<a>k:1\nk:2</>", "<a>x</>"},
		`"content":"xml-inline","content_args":{` + tag + `,"value_parser":{"name":"python-call-list"}}`: {"<a>[f(x=1)]</>", "<a>[f(x=0.1000000000000000055)]</>"},
		`"content":"xml-inline","content_args":{"tag_pattern":"<(?P<key>\\w+)>(?:=(?P<value>.*?))?</>"}`: {"<a></>", "<a>=1</>", "<a>1</>"},
		`"content":"kv-lines"`:                                                 lines,
		`"content":"kv-lines",` + call:                                         lines,
		`"content":"kv-lines","content_args":{"strip":false}`:                  lines,
		`"content":"kv-lines","content_args":{"line_sep":",","kv_sep":"="}`:    lines,
		`"content":"kv-lines","content_args":{"line_sep":null,"kv_sep":"="}`:   lines,
		`"content":"kv-lines","content_args":{"value_parser":{"name":"bool"}}`: lines,
		`"content":"kv-lines","content_args":{"kv_sep":" "}`:                   {" c ", "a  b", "a b c"},
		`"content":"kv-lines","content_args":{` + lenient + `},` + call:        lines,
		`"content":"python-call-list"`:                                         lists,
		`"content":"python-call-list","transform_each":true,"transform":{"function":{"name":"{name}","arguments":"{arguments}"}}`: lists,
		`"content":"python-call-list","transform_each":true,"transform":{"n":"{name}"}`:                                           lists,
		`"content":"json","transform":"{content.a}"`:                                                                              {`{"a":1}`, `{"a":1,"b":2}`, `{"a":{"b":[]},"c":{}}`, `{"a":1,"a":2}`},
		`"content":"json","transform":"x"`:                                                                                        {`{"a":1}`, `[]`, `0`, `null`},
		`"content":"json","transform":{"x":"{content.a.b}","y":"{content.c}"}`:                                                    {`{"a":{"b":1},"c":2}`, `{"a":{"b":1,"d":3},"c":2}`},
		`"content":"json","transform_each":true,"transform":{"k":"{k}"}`:                                                          {`[{"k":1},{"k":2,"l":3}]`, `[]`, `[{"k":{}}]`},
		`"content":"text","transform":{"function":{"name":"f","arguments":{"code":"{content}"}}}`:                                 {"x", " x ", "\n"},
		`"content":"text","transform":"x"`:                                                                                        {"y", " "},
		`"content":"int","transform":{"function":{"name":"f","arguments":{"i":"{content}"}}}`:                                     {"7", " 7 "},
		`"content":"bool","transform":"x"`:                                                                                        {"0", "no"},
	}
}

// The check finds what is lost: here what a pattern takes and gives no name to.
func TestUnheeded(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"content":"xml-inline","content_args":{"tag_pattern":"<(?P<key>\\w+)[^>]*>(?P<value>.*?)</>"}}}}`)
	if at := unheeded(t, tpl, Options{Prefix: &noPrefix}, "<a x>1</>"); !slices.Equal(at, []int{3}) {
		t.Errorf("lost at %v, want [3]", at)
	}
}
