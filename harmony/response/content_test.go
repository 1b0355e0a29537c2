package response

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Contents by kind, with the reference's value or class of error (specification,
// sections 8 and 15 D).
func TestContent(t *testing.T) {
	tags := `"content_args":{"tag_pattern":"<p=(?P<key>\\w+)>\\s*(?P<value>.*?)\\s*</p>"`
	for _, c := range []struct{ field, text, want string }{
		{`"content":"text"`, "\x1c a\u0085", `"a"`},
		{`"content":"text","content_args":{"strip":false}`, " a ", `" a "`},
		{`"content":"int"`, "1_000", `1000`},
		{`"content":"int"`, "\x1c+5\x1f", `5`},
		{`"content":"int","content_args":{"strip":0}`, "\x1c5", `ValueError`},
		{`"content":"int"`, "007", `7`},
		{`"content":"int"`, "٣_٤", `34`},
		{`"content":"int"`, "1.0", `ValueError`},
		{`"content":"int"`, "0x10", `ValueError`},
		{`"content":"int"`, "1__0", `ValueError`},
		{`"content":"int"`, strings.Repeat("9", 4301), `ValueError`},
		{`"content":"float"`, "1e400", `Infinity`},
		{`"content":"float"`, "-nan", `NaN`},
		{`"content":"float"`, "1e5_0", `1e+50`},
		{`"content":"float"`, "１.５", `1.5`},
		{`"content":"float"`, "İnf", `ValueError`},
		{`"content":"bool"`, "TRUE", `true`},
		{`"content":"bool"`, "yes", `false`},

		{`"content":"json"`, `[1.0,1e2,-0,1.50,NaN]`, `[1.0, 100.0, 0, 1.5, NaN]`},
		{`"content":"json"`, `"\ud83d\u0041"`, `"\ud83dA"`},
		{`"content":"json"`, "\u00a0{}", `ValueError`},
		{`"content":"json"`, strings.Repeat("[", 1001) + strings.Repeat("]", 1001), `RecursionError`},
		{`"content":"json","content_args":{"allow_non_json":true}`, " hi ", `"hi"`},
		{`"content":"json","content_args":{"allow_non_json":true}`, "007", `"007"`},
		{`"content":"json","content_args":{"allow_non_json":true}`, strings.Repeat("9", 4301), `ValueError`},
		{`"content":"json","content_args":{"unquoted_keys":true}`, `{a:{b :1},"c,d:":2,é:3}`, `{"a": {"b": 1}, "c,d:": 2, "\u00e9": 3}`},
		{`"content":"json","content_args":{"string_delims":[["<|","|>"]]}`, "{\"a\":<|x\n\"y\"|>}", `{"a": "x\n\"y\""}`},
		{`"content":"json","content_args":{"string_delims":[["<|","|>"]],"allow_non_json":true}`, "\x01", `ValueError`},
		{`"content":"json","content_args":{"string_delims":null}`, "1", `TypeError`},
		{`"content":"json","content_args":{"string_delims":["''"]}`, "['a']", `["a"]`},

		{`"content":"xml-inline",` + tags + `}`, "x<p=a> 1 </p><p=b>2</p><p=a>3</p>", `{"a": "3", "b": "2"}`},
		{`"content":"xml-inline",` + tags + `}`, "<p=a>\x1cx\x1c</p>", `{"a": "\u001cx\u001c"}`},
		{`"content":"xml-inline",` + tags + `,"merge_duplicates":true}`, "<p=a>1</p><p=a>2</p><p=a>3</p>", `{"a": ["1", "2", "3"]}`},
		{`"content":"xml-inline",` + tags + `,"value_parser":{"name":"json"}}`, "<p=a>[1]</p>", `{"a": [1]}`},
		{`"content":"xml-inline",` + tags + `,"value_parser":{"name":"nope"}}`, "<p=a>[1]</p>", `KeyError`},
		{`"content":"xml-inline",` + tags + `,"value_parser":{"name":"nope"}}`, "nothing", `{}`},
		{`"content":"xml-inline"`, "", `{}`}, // the implicit region never opens
		{`"content":"xml-inline"`, "a", `ValueError`},
		{`"content":"xml-inline","content_args":{"tag_pattern":"<(?P<key>\\w+)>(?P<value>.*?)</\\1>"}`, "<a><b>1</b></a>", `{"a": "<b>1</b>"}`},
		{`"content":"xml-inline","content_args":{"tag_pattern":"<(?P<key>a)>(?P<value>x)?","value_parser":{}}`, "<a>", `AttributeError`},

		{`"content":"kv-lines"`, "a: 1\n\nb:x:y\nc\n: v", `{"a": "1", "b": "x:y", "": "v"}`},
		{`"content":"kv-lines","content_args":{"line_sep":null,"kv_sep":"="}`, "a=1 b=2\u2003c=3", `{"a": "1", "b": "2", "c": "3"}`},
		{`"content":"kv-lines","content_args":{"kv_sep":" "}`, " c ", `{}`},
		{`"content":"kv-lines","content_args":{"line_sep":""}`, "a", `ValueError`},
		{`"content":"kv-lines","content_args":{"kv_sep":null}`, "a", `TypeError`},

		{`"content":"python-call-list"`, `[get_weather(city="Paris", days=3), g.h-i()]`, `[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}, {"name": "g.h-i", "arguments": {}}]`},
		{`"content":"python-call-list"`, `[f(a={'k':[True,None,-1.5e3]},b='\ud83d\ude00')]`, `[{"name": "f", "arguments": {"a": {"k": [true, null, -1500.0]}, "b": "\ud83d\ude00"}}]`},
		{`"content":"python-call-list"`, `[f(a=1,a=2)]`, `ValueError`},
		{`"content":"python-call-list"`, `[f(1)]`, `ValueError`},
		{`"content":"python-call-list"`, `[f(a=9007199254740992)]`, `ValueError`},
		{`"content":"python-call-list"`, `[f(a='\x41')]`, `ValueError`},
		{`"content":"python-call-list"`, `[f(a=` + strings.Repeat("[", 101) + strings.Repeat("]", 101) + `)]`, `ValueError`},

		{`"content":"json","transform":"{content.a.b}"`, `{"a":{"b":1}}`, `1`},
		{`"content":"json","transform":"{content.a.b}"`, `{"a":5}`, `ValueError`},
		{`"content":"json","transform":"{content.b}"`, `{"a":5}`, `ValueError`},
		{`"content":"json","transform":"{b}"`, `{"b":5}`, `KeyError`},
		{`"content":"json","transform_each":true,"transform":{"n":"{b}"}`, `[{"b":5},{"b":"x"}]`, `[{"n": 5}, {"n": "x"}]`},
		{`"content":"json","transform_each":true,"transform":"{content}"`, `[{"b":5}]`, `KeyError`},
		{`"content":"json","transform_each":true,"transform":"{b}"`, `{"b":5}`, `ValueError`},
		{`"content":"json","transform_each":true,"transform":"{b}"`, `[5]`, `ValueError`},
	} {
		tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{`+c.field+`}}}`)
		a := sameForCuts(t, tpl, Options{Prefix: &noPrefix, Problems: true}, c.text)
		got := strings.TrimSuffix(a.err, " at 0")
		if got == "" {
			if got = value.Dumps(loads(t, a.message).Get("v")); a.message == "{}" {
				got = "{}"
			}
		}
		if got != c.want {
			t.Errorf("{%s} on %.60q: got %s, want %s", c.field, c.text, got, c.want)
		}
	}
}

// Where python-call-list fails is told in characters.
func TestCallListPosition(t *testing.T) {
	_, err := parseCallList("[f(é='é',a=1)]", &reading{})
	if err == nil || !strings.Contains(err.Msg, "at position 3.") {
		t.Errorf("got %v", err)
	}
	if _, err = parseCallList("[f(a=1,a=2)]", &reading{}); err == nil || !strings.Contains(err.Msg, "repeated name 'a' at position 11.") {
		t.Errorf("got %v", err)
	}
}

// Typing by the tools' schemas (specification, section 10).
func TestTyping(t *testing.T) {
	for _, c := range []struct{ schema, text, want string }{
		{`{"type":"integer"}`, "3.0", `3`},
		{`{"type":"integer"}`, " 1e3 ", `1000`},
		{`{"type":"integer"}`, "9007199254740993.0", `9007199254740992`},
		{`{"type":"integer"}`, "3.5", `"3.5"`},
		{`{"type":"integer"}`, "1e400", `"1e400"`},
		{`{"type":"number"}`, "12345678901234567890", `12345678901234567168`},
		{`{"type":"number"}`, "1e23", `99999999999999991611392`},
		{`{"type":"number"}`, "-0", `0`},
		{`{"type":"number"}`, "-0.0", `-0.0`},
		{`{"type":"number"}`, "7.0", `7.0`},
		{`{"type":"number"}`, "nan", `"nan"`},
		{`{"type":"boolean"}`, " False ", `false`},
		{`{"type":"boolean"}`, "yes", `"yes"`},
		{`{"type":"null"}`, " None ", `null`},
		{`{"type":"null"}`, "none", `"none"`},
		{`{"type":"array"}`, "[1]", `[1]`},
		{`{"type":"array"}`, "{}", `"{}"`},
		{`{"type":"object"}`, ` {"a":1} `, `{"a": 1}`},
		{`{"type":["string","integer"]}`, "7", `7`},
		{`{"type":["string","boolean"]}`, "1", `true`},
		{`{"type":["string","null"]}`, "null", `null`},
		{`{"anyOf":[{"type":"integer"},{"type":"null"}]}`, "None", `null`},
		{`{"oneOf":5}`, "1", `TypeError`},
		{`{"type":"string","nullable":"false"}`, "null", `null`},
		{`{"allOf":[{"type":"integer"}]}`, "1", `"1"`},
		{`5`, "1", `"1"`},
		{`{"type":"string"}`, "1", `"1"`},
	} {
		tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"transform":{"function":{"name":"f","arguments":{"a":"{content}"}}},"content_args":{"strip":false}}}}`)
		tools := PrepareTools([]value.Value{loads(t, `{"type":"function","function":{"name":"f","parameters":{"properties":{"a":`+c.schema+`}}}}`)})
		a := sameForCuts(t, tpl, Options{Prefix: &noPrefix, Tools: tools}, c.text)
		got := strings.TrimSuffix(a.err, " at 0")
		if got == "" {
			got = value.Dumps(loads(t, a.message).Get("v").Get("function").Get("arguments").Get("a"))
		}
		if got != c.want {
			t.Errorf("%s on %q: got %s, want %s", c.schema, c.text, got, c.want)
		}
	}
}

// A placeholder shares what it names, so typing changes every alias of it.
func TestTypingChangesAliases(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"content":"json","transform":{"function":{"name":"f","arguments":"{content.args}"},"raw":"{content}"}}}}`)
	tools := PrepareTools([]value.Value{loads(t, `{"name":"f","parameters":{"properties":{"a":{"type":"integer"}}}}`)})
	a := sameForCuts(t, tpl, Options{Prefix: &noPrefix, Tools: tools}, `{"args":{"a":"1"}}`)
	if want := `{"v": {"function": {"name": "f", "arguments": {"a": 1}}, "raw": {"args": {"a": 1}}}}`; a.message != want {
		t.Errorf("got %s", a.message)
	}
}
