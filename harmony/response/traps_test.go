package response

import (
	"strings"
	"testing"
)

// traps are inputs at which readers of response templates go wrong, with the
// reference's answer for the whole reply. Every one must have it for every cut.
// Names refer to the list of traps in the specification, section 15.
var traps = []struct {
	name, fields, reply string
	want                string // the message, or the class of the error
}{
	{"A1 a blank region overwrites", `{"content":{"close":"<|im_end|>"}}`, "Hello<|im_end|>\n", `{}`},
	{"A1 a later marker is the answer", `{"content":{"close":"<|im_end|>"}}`, "Hello<|im_end|>\n<|endoftext|>", `{"content": "<|endoftext|>"}`},
	{"A2 the last region wins", `{"thinking":{"open":"<think>","close":"</think>"},"content":{}}`, "<think>a</think>one<think>b</think>two", `{"thinking": "b", "content": "two"}`},
	{"A3 an empty close stops all", `{"c":{"close_pattern":"(?=;)"}}`, "ab;cd;e", `{"c": "ab"}`},
	{"A3 an empty pattern loses all", `{"c":{"close_pattern":""}}`, "ab;cd", `{}`},
	{"A4 open and close on nothing", `{"x":{"open_pattern":"(?=a)","close_pattern":"(?=a)"}}`, "zab", "LimitError at 1"},
	{"A5 an empty branch of the open", `{"thinking":{"open_pattern":"(?:^|<think>\\s*)","close":"</think>"},"c":{}}`, "<think>abc</think>d", `{"thinking": "<think>abc", "c": "d"}`},
	{"A8 nested delimiters", `{"x":{"content":"json","content_args":{"string_delims":[["<a>","</a>"],["<b>","</b>"]]}}}`, `{"a":<b>x<a>y</a>z</b>}`, `{"x": {"a": "x\u00010\u0002z"}}`},
	{"A10 space between regions", `{"x":{"open":"<x>","close":"</x>"},"c":{"content":"json"}}`, "<x>a</x>\n<x>b</x>", "ValueError at 8"},
	{"A11 captures of a missing close", `{"x":{"open":"<x>","close_pattern":"</x:(?P<n>\\w+)>","transform":{"n":"{n}","v":"{content}"}}}`, "<x>1", "KeyError at 3"},
	{"A11 captures of a close", `{"x":{"open":"<x>","close_pattern":"</x:(?P<n>\\w+)>","transform":{"n":"{n}","v":"{content}"}}}`, "<x>1</x:k>", `{"x": {"n": "k", "v": "1"}}`},
	{"A12 required but blank", `{"x":{"open":"<x>","close":"</x>","optional":false}}`, "<x> </x>", `{}`},
	{"A12 required and missing", `{"x":{"open":"<x>","close":"</x>","optional":null}}`, "a", "ValueError"},
	{"A16 joined blanks", `{"x":{"open":"<x>","close":"</x>"},"c":{"repeats":true,"join":"|"}}`, " <x>1</x>\n<x>2</x>mid<x>3</x>\n", `{"c": "||mid|", "x": "3"}`},
	{"A16 repeated blanks", `{"x":{"open":"<x>","close":"</x>"},"c":{"repeats":true}}`, " <x>1</x>\n<x>2</x>mid", `{"c": ["", "", "mid"], "x": "2"}`},

	{"B1 one literal begins another", `{"x":{"open":"<x>","close":["END","ENDXY"]},"c":{}}`, "<x>hENDXYz", `{"x": "h", "c": "z"}`},
	{"B1 and does not go on", `{"x":{"open":"<x>","close":["END","ENDXY"]},"c":{}}`, "<x>hENDXz", `{"x": "h", "c": "Xz"}`},
	{"B2 one literal inside another", `{"x":{"open":"<x>","close":["<eos>","eos"]},"c":{}}`, "<x>a<eos>b", `{"x": "a", "c": "b"}`},
	{"B3 a match behind a live start", `{"x":{"open_pattern":"A.*?B|C","close_pattern":"A..C..|B;"},"c":{}}`, "A..C..B", `{}`},
	{"B4 an optional tail", `{"x":{"open":"<x>","close_pattern":"</x>\\s*(?:</y>)?"},"c":{}}`, "<x>1</x>\n</y>tail", `{"x": "1", "c": "tail"}`},
	{"B5 a greedy span", `{"x":{"open_pattern":"<a.*>"}}`, "<a>hi<b>z;", `{"x": "z;"}`},
	{"B6 longest first", `{"x":{"open":"<x>","close_pattern":"ENDXY|END"},"c":{}}`, "<x>hENDXYz", `{"x": "h", "c": "z"}`},
	{"B7 a long look ahead", `{"x":{"open":"<x>","close_pattern":"END(?!ING)"},"c":{}}`, "<x>aENDING b END.", `{"x": "aENDING b", "c": "."}`},
	{"B8 no word edge", `{"x":{"open_pattern":"a\\Bbc","close":";"},"c":{}}`, "abc1;", `{"x": "1"}`},
	{"B9 a lazy head", `{"x":{"open_pattern":"\\s*?<t>","close":"</t>"},"y":{"open":"<y>","close":"</y>"},"c":{"repeats":true}}`, "a <x hello <y>1</y> world", `{"c": ["a <x hello", "world"], "y": "1"}`},
	{"B10 a start that stays live", `{"x":{"open_pattern":"A.*?B"},"y":{"open":"<y>","close":"</y>"},"c":{"repeats":true}}`, "hi A <y>1</y> tail", `{"c": ["hi A", "tail"], "y": "1"}`},
	{"B11 a head of anything", `{"x":{"open_pattern":"[^<]*<x>","close":"</x>"},"c":{}}`, "abc <x>1</x>", `{"x": "1"}`},
	{"B12 a close that may grow", `{"x":{"open":"<x>","close_pattern":"</x>.*"},"c":{}}`, "<x>1</x>rest", `{"x": "1"}`},
	{"B12 the end as a close", `{"c":{"close_pattern":"<\\|user\\|>\\s*|$"}}`, "answer<|user|>", `{"c": "answer"}`},

	{"C3 the end before a newline", `{"body":{"close_pattern":"$"}}`, "hello\n", `{"body": "hello"}`},
	{"C4 the start is absolute", `{"x":{"open_pattern":"^a"},"c":{"close":";"}}`, "za;a", `{"c": "a"}`},
	{"C7 one name for two groups", `{"x":{"open_pattern":"<(?P<n>a)>|\\[(?P<n>b)\\]","close":";","repeats":true,"transform":"{n}"}}`, "<a>;[b];", `{"x": ["a", "b"]}`},
	{"C9 at most two", `{"x":{"open_pattern":"a{,2}b","close":";"},"c":{}}`, "aaab;", `{"c": "a"}`},
	{"C10 an empty open", `{"x":{"open_pattern":"","close":";","repeats":true}}`, "ab;c", `{"x": ["ab", "c"]}`},
	{"C11 of equal opens the name decides", `{"b":{"open":"<","close":">"},"a":{"open":"<","close":">"}}`, "<1>", `{"a": "1"}`},
	{"C11 the longer close wins", `{"b":{"open":"<","close":">"},"c":{"close":"<<","repeats":true}}`, "q<<1>", `{"c": ["q", "1>"]}`},
	{"C12 a newline behind a backslash", `{"x":{"content":"json","content_args":{"unquoted_keys":true}}}`, "{a:\"x\\\ny,b:1\",c:2}", "ValueError at 0"},

	{"E1 the first place, the last value", `{"x":{"content":"json"}}`, `{"a":1,"b":2,"a":3}`, `{"x": {"a": 3, "b": 2}}`},
	{"G1 args that are no object", `{"x":{"content_args":null}}`, "a", "AttributeError at 0"},
	{"G2 truth of repeats", `{"x":{"repeats":"no"}}`, "a", `{"x": ["a"]}`},
	{"G6 a bad tag pattern", `{"x":{"content":"xml-inline","content_args":{"tag_pattern":"("}}}`, "a", "error at 0"},
	{"G8 strip of a boolean", `{"x":{"content":"bool","content_args":{"strip":false}}}`, " true", `{"x": false}`},
}

func TestTraps(t *testing.T) {
	for _, c := range traps {
		t.Run(c.name, func(t *testing.T) {
			tpl := compileJSON(t, `{"start_anchor":"@","fields":`+c.fields+`}`)
			a := sameForCuts(t, tpl, Options{Prefix: &noPrefix, Problems: true}, c.reply)
			got := a.message
			if a.err != "" {
				got = strings.TrimSuffix(a.err, " at -9223372036854775808")
			}
			if got != c.want {
				t.Errorf("%q: got %s, want %s", c.reply, got, c.want)
			}
		})
	}
}

// Values that defaults hold already, and how regions add to them.
func TestDefaults(t *testing.T) {
	for _, c := range []struct{ defaults, field, want string }{
		{`["a"]`, `"repeats":true`, `{"c": ["a", "b"]}`},
		{`"a"`, `"repeats":true`, "AttributeError at 0"},
		{`null`, `"repeats":true`, "AttributeError at 0"},
		{`""`, `"repeats":true,"join":"-"`, `{"c": "-b"}`},
		{`null`, `"repeats":true,"join":"-"`, `{"c": "b"}`},
		{`[1]`, `"repeats":true,"join":"-"`, "TypeError at 0"},
		{`"a"`, `"optional":false`, `{"c": "b"}`},
	} {
		tpl := compileJSON(t, `{"start_anchor":"@","defaults":{"c":`+c.defaults+`},"fields":{"c":{`+c.field+`}}}`)
		a := sameForCuts(t, tpl, Options{Prefix: &noPrefix}, "b")
		if got := a.message; got != c.want && a.err != c.want {
			t.Errorf("default %s, %s: got %s %s, want %s", c.defaults, c.field, got, a.err, c.want)
		}
	}
}

// The order of the message is that of the defaults, then of the first close.
func TestOrder(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","defaults":{"z":1,"x":null},"fields":{"x":{"open":"<x>","close":"</x>"},"y":{"open":"<y>","close":"</y>"},"c":{}}}`)
	a := sameForCuts(t, tpl, Options{Prefix: &noPrefix}, "B<y>1</y>A<x>2</x>C")
	if want := `{"z": 1, "x": "2", "c": "C", "y": "1"}`; a.message != want {
		t.Errorf("got %s, want %s", a.message, want)
	}
}
