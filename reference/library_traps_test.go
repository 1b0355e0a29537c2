package reference_test

import (
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// The traps of the library's Python API and of its rendering, which no case can
// ask: what the reference answers, by the names of the specification of response
// templates, section 15. The traps of reading are in corpus/templates.

// A field that opens and closes on nothing: the reference never returns. The
// native reader gives a LimitError there (harmony/response, TestEveryLimit). It
// costs seconds, and so is no case of diff.
func TestNeverReturns(t *testing.T) {
	e := open(t, reference.Options{Workers: 1, Timeout: time.Second, Memory: 1 << 30})
	out := do(t, e, engine.OpParse, `{"reply": "zab", "prefix": "", "response_template": {"start_anchor": "@", "fields": {"x": {"open_pattern": "(?=a)", "close_pattern": "(?=a)"}}}}`)
	if out.Kind != corpus.Failed || !strings.Contains(out.Why, "timed out") && !strings.Contains(out.Why, "out of memory") {
		t.Errorf("%s", say(out))
	}
}

// What Python code prints.
func TestTrapsOfTheAPI(t *testing.T) {
	e, err := shared()
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	const start = `
import json, os
from transformers import AutoTokenizer
tok = AutoTokenizer.from_pretrained(os.environ["BEAM_MODEL_ID"])
T = {"start_anchor": "@", "fields": {"x": {"open": "<x>", "close": "</x>"}, "c": {}}}
def parser(fields, prefix="", **more):
    return tok.get_response_parser({"start_anchor": "@", "fields": fields, **more.pop("top", {})}, prefix=prefix, **more)
def attempt(f):
    try:
        return f()
    except Exception as error:
        return type(error).__name__
user = [{"role": "user", "content": "u"}]
`
	run := func(code string) string {
		in, _ := value.Members(value.Member{Name: "session", Value: value.String("traps")}, value.Member{Name: "code", Value: value.String(code)}).AsObject()
		out := e.Do(t.Context(), engine.Request{Op: worker.OpExec, Case: in})
		if out.Kind != corpus.OK {
			return say(out)
		}
		text, _ := out.Value.Get("output").AsString()
		return strings.TrimSuffix(text, "\n")
	}
	if got := run(start); got != "" {
		t.Fatal(got)
	}
	for _, c := range []struct{ name, code, want string }{
		{"A13 an empty list of tools is one", `
t = {"default": "D", "tool_use": "T"}
kept, tok.chat_template = tok.chat_template, t
print([tok.apply_chat_template(user, tools=x, tokenize=False) for x in (None, [], [{}])])
tok.chat_template = kept`, `['D', 'T', 'T']`},
		{"A14 an empty list of replies is a batch", `print(tok.parse_response([], T, prefix=""))`, `[]`},
		{"11 one reply, a batch, ids", `print(tok.parse_response("a", T, prefix=""), tok.parse_response(["a"], T, prefix=""), tok.parse_response(tok.encode("a"), T, prefix=""), tok.parse_response([tok.encode("a")], T, prefix=""))`,
			`{'c': 'a'} [{'c': 'a'}] {'c': 'a'} [{'c': 'a'}]`},
		{"11 prefixes of a batch", `print(tok.parse_response(["a", "b"], T, prefix=["@<x>", "@"]), tok.parse_response(["a", "b"], T, prefix="@<x>"), tok.parse_response("a", T, prefix=[]), tok.parse_response("a", T, prefix=["@<x>"]))`,
			`[{'x': 'a'}, {'c': 'b'}] [{'x': 'a'}, {'x': 'b'}] {'c': 'a'} {'x': 'a'}`},
		{"11 as many prefixes as replies", `print(attempt(lambda: tok.parse_response(["a", "b"], T, prefix=["@"])), attempt(lambda: tok.parse_response("a", T)))`, `ValueError ValueError`},
		{"11 an empty template is one", `print(attempt(lambda: tok.parse_response("a", {}, prefix="")))`, `ValueError`},
		{"11 no template at all", `
kept, tok.response_template = tok.response_template, None
print(attempt(lambda: tok.parse_response("a", prefix="")), attempt(lambda: tok.get_response_parser(prefix="")))
tok.response_template = kept`, `AttributeError AttributeError`},
		{"11 a list of prefixes for a stream", `print(attempt(lambda: tok.get_response_parser(T, prefix=["@"])), attempt(lambda: tok.get_response_parser(T)))`, `TypeError ValueError`},
		{"F1 one placeholder twice is one object", `
p = parser({"x": {"content": "json", "transform": {"function": {"name": "f", "arguments": "{content.args}"}, "raw": "{content}"}}},
  tools=[{"name": "f", "parameters": {"properties": {"a": {"type": "integer"}}}}])
p.feed('{"args":{"a":"1"}}'); print(p.finalize()[0])`, `{'x': {'function': {'name': 'f', 'arguments': {'a': 1}}, 'raw': {'args': {'a': 1}}}}`},
		{"F2 the event's value is the message's", `
p = parser({"x": {"content": "json"}}); p.feed("[1]"); m, events = p.finalize(); print(events[-1]["value"] is m["x"])`, `True`},
		{"F3 after an exception the region goes on", `
p = parser({"x": {"open": "<x>", "close": "</x>", "content": "json"}, "c": {}})
print(attempt(lambda: p.feed("hi<x>{bad</x>")), p.feed(" tail"), attempt(p.finalize), attempt(p.finalize))`,
			`ValueError [{'type': 'region_chunk', 'field': 'x', 'text': ' tail', 'dirty': True}] ValueError ValueError`},
		{"F4 a missing field may come yet", `
p = parser({"x": {"open": "<x>", "close": "</x>", "optional": False}}); first = attempt(p.finalize); p.feed("<x>a</x>"); print(first, p.finalize()[0], attempt(lambda: p.feed("")), attempt(p.finalize))`,
			`ValueError {'x': 'a'} RuntimeError RuntimeError`},
		{"F5 half a marker in the prefix comes with the reply", `p = parser(T["fields"], "@<"); print(p.initial_events, [e.get("text") for e in p.feed("y>")])`, `[] [None, '<y>']`},
		{"feeds of nothing", `p = parser(T["fields"]); print(p.feed(""), p.feed(None), p.feed(0), attempt(lambda: p.feed(b"x")))`, `[] [] [] TypeError`},
		{"12.1 masks need ids in a dictionary", `print(attempt(lambda: tok.apply_chat_template(user, tokenize=False, return_assistant_tokens_mask=True)))`, `ValueError`},
		{"J2 an empty block inside a token, and between two", `
def mask(template):
    out = tok.apply_chat_template(user, chat_template=template, return_assistant_tokens_mask=True)
    return [tok.decode([i]) for i in out["input_ids"]], out["assistant_masks"]
print(*mask("i{% generation %}{% endgeneration %}ng"), *mask("ing{% generation %}{% endgeneration %}x"))`, `['ing'] [1] ['ing', 'x'] [0, 0]`},
		{"J3 a token across the edges of a block, its begin and its end", `
print(*mask("i{% generation %}n{% endgeneration %}g"), *mask("in{% generation %}gx{% endgeneration %}y"), *mask("y{% generation %}xin{% endgeneration %}g"))`,
			`['ing'] [1] ['ing', 'x', 'y'] [1, 1, 0] ['y', 'x', 'ing'] [0, 1, 1]`},
		{"12.1 an empty conversation", `print(attempt(lambda: tok.apply_chat_template([], tokenize=False)), attempt(lambda: tok.apply_chat_template(["x"], tokenize=False)))`, `ValueError TypeError`},
		{"12.1 a tuple is a batch", `print(tok.apply_chat_template((user, user), tokenize=False, chat_template="{{ messages|length }}"))`, `['1', '1']`},
		{"12.4 tools and documents", `print(attempt(lambda: tok.apply_chat_template(user, tools=["x"], tokenize=False)), attempt(lambda: tok.apply_chat_template(user, documents=["x"], tokenize=False)))`, `ValueError TypeError`},
		{"12.4 a function is a tool", `
def f(city: str, days: int = 1):
    """Look.

    Args:
        city: Which.
        days: How many.
    """
print(tok.apply_chat_template(user, tools=[f], tokenize=False, chat_template="{{ tools[0].function.parameters.required }}{{ tools[0].function.parameters.properties.days.type }}"))`, `['city']integer`},
		{"12.1 a reserved name twice", `print(attempt(lambda: tok.apply_chat_template(user, tokenize=False, messages=user)))`, `TypeError`},
		{"J10 ids come in a dictionary, without a start token of the tokenizer", `
out = tok.apply_chat_template(user, chat_template="ab"); print(sorted(out), tok.decode(out["input_ids"]))`, `['attention_mask', 'input_ids'] ab`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := run(c.code); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// Renderings and masks of templates of one line.
func TestTrapsOfRendering(t *testing.T) {
	e, err := shared()
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	const yo = `[{"role": "user", "content": "yo"}]`
	for _, c := range []struct {
		name, template string // the template as JSON text, or whole keys
		messages       string
		op             engine.Op
		want           string
	}{
		{"J1 a block inside a macro", `"pre{% macro g(x) %}<{% generation %}{{x}}{% endgeneration %}>{% endmacro %}{{ g('yo') }}post"`, yo, engine.OpMask, `"pre<yo>post" [[3, 5]]`},
		{"J1 at the top", `"pre<{% generation %}{{ 'yo' }}{% endgeneration %}>post"`, yo, engine.OpMask, `"pre<yo>post" [[4, 6]]`},
		{"J1 inside set", `"pre{% set v %}<{% generation %}yo{% endgeneration %}{% endset %}{{ v }}"`, yo, engine.OpMask, `"pre<yo" [[3, 5]]`},
		{"J1 inside a filter", `"pre{% filter upper %}<{% generation %}yo{% endgeneration %}{% endfilter %}"`, yo, engine.OpMask, `"pre<YO" [[3, 5]]`},
		{"J2 an empty block", `"a{% generation %}{% endgeneration %}b"`, yo, engine.OpMask, `"ab" [[1, 1]]`},
		{"J4 no block", `"ab"`, yo, engine.OpMask, `"ab" []`},
		{"J5 set does not leak, a namespace does", `"{% set v = 'o' %}{% set n = namespace(v='o') %}{% generation %}{% set v = 'i' %}{% set n.v = 'i' %}{{ v }}{% endgeneration %}{{ v }} {{ n.v }}"`, yo, engine.OpRender, `"io i"`},
		{"J5 no break out of a block", `"{% for m in messages %}{% generation %}{% break %}{% endgeneration %}{% endfor %}"`, yo, engine.OpRender, `SyntaxError`},
		{"J6 one last newline goes", `"a\n"`, yo, engine.OpRender, `"a"`},
		{"J6 two", `"a\n\n"`, yo, engine.OpRender, `"a\n"`},
		{"J6 newlines of other systems", `"a\r\nb\rc"`, yo, engine.OpRender, `"a\nb\nc"`},
		{"J6 blocks take a newline and the blanks before", `"a\n  {% if true %}\nb{% endif %}\n{{ 'c' }}\n"`, yo, engine.OpRender, `"a\nbc"`},
		{"J7 values as Python writes them", `"{{ 1e16 }} {{ 10/2 }} {{ true }} {{ none }} {{ {'a': [1, (2,)]} }}"`, yo, engine.OpRender, `"1e+16 5.0 True None {'a': [1, (2,)]}"`},
		{"J8 null inside a message stays", `"{{ messages[0] }}"`, `[{"role": "user", "content": null, "a": {"b": null}}]`, engine.OpRender, `"{'role': 'user', 'a': {'b': None}}"`},
		{"J9 a message without text is continued", `"{{ messages[0].content }};end", "continue_final_message": true`, `[{"role": "assistant", "content": ""}]`, engine.OpRender, `""`},
		{"A15 a message that is written twice is continued at its last place", `"{{ messages[0].content }}|{{ messages[0].content }}", "continue_final_message": true`, `[{"role": "assistant", "content": "zz"}]`, engine.OpRender, `"zzCONTINUE_FINAL_MESSAGE_TAG |zz"`},
		{"D11 tojson", `"{{ messages[0].content|tojson }}"`, `[{"role": "user", "content": "<&'>\u2028\u007f\u0001é"}]`, engine.OpRender, `"\"<&'>\u2028\u007f\\u0001\u00e9\""`},
		{"D11 tojson in ASCII", `"{{ messages[0].content|tojson(ensure_ascii=true) }}"`, `[{"role": "user", "content": "\u007fé"}]`, engine.OpRender, `"\"\\u007f\\u00e9\""`},
		{"D12 floats", `"{{ [1e16, 1e15, 1e-5, 0.0001]|tojson }}"`, yo, engine.OpRender, `"[1e+16, 1000000000000000.0, 1e-05, 0.0001]"`},
		{"D13 keys", `"{{ {1: 2, none: 3, true: 4, 1.5: 5}|tojson }} {{ {1: 2, '1': 3}|tojson }}"`, yo, engine.OpRender, `"{\"1\": 4, \"null\": 3, \"1.5\": 5} {\"1\": 2, \"1\": 3}"`},
		{"E4 names of reasoning", `"{{ messages[0].keys()|list }}"`, `[{"role": "assistant", "content": "c", "reasoning": "r"}]`, engine.OpRender, `"['thinking', 'role', 'content', 'reasoning', 'reasoning_content']"`},
		{"12.2 no names with underscores", `"[{{ messages.__class__ }}]"`, yo, engine.OpRender, `"[]"`},
		{"12.2 nothing is changed", `"{{ messages.append(1) }}"`, yo, engine.OpRender, `SecurityError`},
		{"12.2 no long range", `"{% for i in range(100001) %}{% endfor %}"`, yo, engine.OpRender, `OverflowError`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := do(t, e, c.op, `{"messages": `+c.messages+`, "chat_template": `+c.template+`}`)
			got := say(out)
			switch {
			case out.Kind == corpus.Raised:
				got = out.Class
			case c.op == engine.OpMask && out.Kind == corpus.OK:
				got = value.Dumps(out.Value.Get("text")) + " " + value.Dumps(out.Value.Get("spans"))
			}
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}
