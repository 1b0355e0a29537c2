package response

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

const kindFields = `{"start_anchor":"<@>","fields":{
	"thinking":{"open":"<think>","close":"</think>"},
	"content":{"open":"<say>","close":"</say>"},
	"tool_calls":{"open_pattern":"<call (?P<name>.+?)>","close":"</call>","repeats":true,"content":"xml-inline",
		"content_args":{"tag_pattern":"<(?P<key>[^>/]+)>(?P<value>.*?)</>","value_parser":{"name":"json","args":{"allow_non_json":true,"strip":false}}},
		"transform":{"function":{"name":"{name}","arguments":"{content}"}}}}}`

const kindTool = `{"name":"f","parameters":{"additionalProperties":false,"required":["r"],"properties":{"r":{},"n":{"type":"number"},"i":{"type":"integer"},
	"u":{"type":["string","integer"]},"e":{"enum":["x",1]},"o":{"type":"object"},"any":{"anyOf":[{"type":"integer"},{"enum":["x"]}]},"a":{"anyOf":[{"type":"integer"},{"type":"boolean"}]}}}}`

// kindCases raise each kind of problem once or more, each beside a reply that is
// as near as can be and raises none. at is the text that the problem is about.
var kindCases = []struct {
	kind        harmony.ProblemKind
	reply, at   string
	field       string
	call        int
	clean       string
	stop, stop2 harmony.Stop // of the reply and of the clean one
	set         func(*Options)
}{
	{kind: harmony.NoAction, reply: "<say>a</say>", call: -1, clean: "<call f><r>x</></call>", set: func(o *Options) { o.OneCall = true }},
	{kind: harmony.MultipleActions, reply: "<call f><r>x</></call><call f><r>y</></call>", at: "<call f><r>y</></call>", call: 1,
		clean: "<call f><r>x</></call>", set: func(o *Options) { o.OneCall = true }},
	{kind: harmony.ProseBeforeAction, reply: "Well. <call f><r>x</></call>", at: "Well.", call: -1, clean: " <call f><r>x</></call>"},
	{kind: harmony.TextAfterAction, reply: "<call f><r>x</></call> Done", at: "Done", call: -1, clean: "<call f><r>x</></call> "},
	{kind: harmony.UnclosedThink, reply: "<think>a", at: "<think>a", field: "thinking", call: -1, clean: "<think>a</think><say>b</say>", stop: harmony.StopLength()},
	{kind: harmony.UnclosedThink, reply: "<think>a", at: "<think>a", field: "thinking", call: -1, clean: "<think>a", stop2: harmony.StopToken("</think>")},
	{kind: harmony.UnclosedThink, reply: "<think>a", at: "<think>a", field: "thinking", call: -1, clean: "<say>a", stop: harmony.StopToken("<end>"), stop2: harmony.StopToken("<end>")},
	{kind: harmony.BadSyntax, reply: "<say>a</say></call>", at: "</call>", call: -1, clean: "<say>a</say><@>"},
	{kind: harmony.UnknownAction, reply: "<call g><r>x</></call>", at: "<call g><r>x</></call>", field: "tool_calls", clean: "<call f><r>x</></call>"},
	{kind: harmony.CutOff, reply: "<say>a", at: "<say>a", field: "content", call: -1, clean: "<say>a", stop: harmony.StopLength(), stop2: harmony.StopToken("</say>")},
	{kind: harmony.Unclosed, reply: "<say>a", at: "<say>a", field: "content", call: -1, clean: "<say>a</say>"},
	{kind: harmony.CutOff, reply: "<call f><r>x</>", at: "<call f><r>x</>", field: "tool_calls", clean: "<call f><r>x</></call>", stop: harmony.StopLength()},
	{kind: harmony.Unclosed, reply: "<call f><r>x</></call><call f><r>y</>", at: "<call f><r>y</>", field: "tool_calls", call: 1, clean: "<call f><r>x</></call>"},
	{kind: harmony.TextOutside, reply: "<say>a</say>b", at: "b", call: -1, clean: "<say>a</say>\n"},
	{kind: harmony.MarkerInName, reply: "<call f<say><r>x</></call>", at: "<call f<say><r>x</></call>", field: "tool_calls", clean: "<call f><r>x</></call>",
		set: func(o *Options) { o.Markers = []string{"<say"} }},
	{kind: harmony.MarkerInName, reply: "<call f><r>x</><<think>1</></call>", at: "<call f><r>x</><<think>1</></call>", field: "tool_calls", clean: "<call f><r>x</></call>",
		set: func(o *Options) { o.Markers = []string{"<think"} }},
	{kind: harmony.RegionOverwritten, reply: "<say>a</say><say>b</say>", at: "<say>a</say>", field: "content", call: -1, clean: "<say></say><say>b</say>"},
	{kind: harmony.NoReasoning, reply: "<say>a</say>", call: -1, clean: "<think>b</think><say>a</say>", set: func(o *Options) { o.Reasoning = true }},
	{kind: harmony.NoReasoning, reply: "<think> </think><say>a</say>", at: "<think> </think>", call: -1, clean: "<think>.</think><say>a</say>", set: func(o *Options) { o.Reasoning = true }},

	{kind: harmony.BadArgs, reply: "<call f></call>", at: "<call f></call>", field: "tool_calls", clean: "<call f><r>x</></call>"},                                          // a key is missing
	{kind: harmony.BadArgs, reply: "<call f><r>x</><z>1</></call>", at: "<call f><r>x</><z>1</></call>", field: "tool_calls", clean: "<call f><r>x</><n>1</></call>"},       // one is not declared
	{kind: harmony.BadArgs, reply: "<call f><r>x</><i>y</></call>", at: "<call f><r>x</><i>y</></call>", field: "tool_calls", clean: "<call f><r>x</><i>7</></call>"},       // cannot be typed
	{kind: harmony.BadArgs, reply: "<call f><r>x</><i>1.5</></call>", at: "<call f><r>x</><i>1.5</></call>", field: "tool_calls", clean: "<call f><r>x</><i>1.0</></call>"}, // is of another type
	{kind: harmony.BadArgs, reply: "<call f><r>x</><e>y</></call>", at: "<call f><r>x</><e>y</></call>", field: "tool_calls", clean: "<call f><r>x</><e>1.0</></call>"},     // is none of the values
	{kind: harmony.BadArgs, reply: "<call f><r>x</><a>y</></call>", at: "<call f><r>x</><a>y</></call>", field: "tool_calls", clean: "<call f><r>x</><any>y</></call>"},     // fits no choice of a union
	{kind: harmony.BadArgs, reply: "<call f><r>1</><r>x</></call>", at: "<r>1</>", field: "tool_calls", clean: "<call f><r>x</></call>"},                                    // stands twice
	{kind: harmony.BadArgs, reply: `<call f><r>x</><o>{"k":1,"k":2}</></call>`, at: `"k":1`, field: "tool_calls", clean: `<call f><r>x</><o>{"k":1,"l":2}</></call>`},       // a key in it does
	{kind: harmony.BadArgs, reply: "<call f>?<r>x</></call>", at: "?", field: "tool_calls", clean: "<call f> <r>x</></call>"},                                               // text is in none
	{kind: harmony.Unwritable, reply: `<call f><r>"7"</></call>`, at: `<r>"7"</>`, field: "tool_calls", clean: `<call f><r>7</></call>`},                                    // the text 7 would be read as a number
	{kind: harmony.Unwritable, reply: `<call f><r>"\u003c/>"</></call>`, at: `<r>"\u003c/>"</>`, field: "tool_calls", clean: `<call f><r>"\u003c/"</></call>`},              // it holds its own end
	{kind: harmony.Unwritable, reply: `<call f><r>["\ud800"]</></call>`, at: `<r>["\ud800"]</>`, field: "tool_calls", clean: `<call f><r>["\ud83d\ude00"]</></call>`},       // half a pair
	{kind: harmony.Unwritable, reply: `<call f><r>[NaN]</></call>`, at: `<r>[NaN]</>`, field: "tool_calls", clean: `<call f><r>[null]</></call>`},                           // no number of JSON
}

func TestEveryKind(t *testing.T) {
	tpl := compileJSON(t, kindFields)
	tools := PrepareTools([]value.Value{loads(t, kindTool)})
	seen := map[harmony.ProblemKind]bool{}
	for _, c := range kindCases {
		seen[c.kind] = true
		t.Run(fmt.Sprintf("%v %s", c.kind, c.reply), func(t *testing.T) {
			o := Options{Prefix: &noPrefix, Tools: tools, Problems: true, Stop: c.stop}
			if c.set != nil {
				c.set(&o)
			}
			sameForCuts(t, tpl, o, c.reply)
			r, err := tpl.Parse(c.reply, o)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, p := range r.Problems {
				found = found || p.Kind == c.kind && c.reply[p.Span.Start:p.Span.End] == c.at && p.Field == c.field && p.Call == c.call && p.Detail != ""
			}
			if !found {
				t.Errorf("no %v at %q, field %q, call %d: %+v", c.kind, c.at, c.field, c.call, r.Problems)
			}
			o.Stop = c.stop2
			if r, err := tpl.Parse(c.clean, o); err != nil || r.Problems != nil {
				t.Errorf("%q: %v %+v", c.clean, err, r.Problems)
			}
		})
	}
	// ValueChanged needs texts, see TestValueChanged.
	for kind := harmony.NoAction; kind.String()[0] != 'P'; kind++ {
		if !seen[kind] && kind != harmony.ValueChanged {
			t.Errorf("nothing raises %v", kind)
		}
		if kind.Severity().String() == "" {
			t.Errorf("%v has no severity", kind)
		}
	}
}

// What typing changes is told, beside what it only reads.
func TestValueChanged(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","fields":{"v":{"content_args":{"strip":false},"transform":{"function":{"name":"f","arguments":{"a":"{content}"}}}}}}`)
	for _, c := range []struct {
		types, text string
		changed     bool
	}{
		{`["string","integer"]`, "7", true},
		{`["integer","string"]`, "7", true},
		{`["string","integer"]`, "x", false},
		{`["string","null"]`, "null", true},
		{`"string"`, "7", false},
		{`"integer"`, "7", false},
		{`"integer"`, " 7\n", false},
		{`"integer"`, "-0", false},
		{`"integer"`, "3.0", false},
		{`"integer"`, "1e3", false},
		{`"integer"`, "007", true},
		{`"integer"`, "+7", true},
		{`"integer"`, "1_000", true},
		{`"integer"`, "٣", true},
		{`"integer"`, "9007199254740993", false},
		{`"integer"`, "9007199254740993.0", true},
		{`"integer"`, "x", false}, // it stays as it is: bad_args
		{`"number"`, "0.1", false},
		{`"number"`, "1.50", false},
		{`"number"`, "1.5e-7", false},
		{`"number"`, "100e-2", false},
		{`"number"`, "12345678901234567890", true},
		{`"number"`, "9007199254740993", true},
		{`"number"`, "0.1000000000000000055", true},
		{`"number"`, "1e-400", true},
		{`"number"`, "0e999999999999999999999", true}, // an exponent that is no number's
		{`"number"`, ".5", true},
		{`"boolean"`, "TRUE", false},
		{`"null"`, "None", false},
		{`"array"`, "[1.10]", false},
	} {
		tools := PrepareTools([]value.Value{loads(t, `{"name":"f","parameters":{"properties":{"a":{"type":`+c.types+`}}}}`)})
		r, err := tpl.Parse(c.text, Options{Prefix: &noPrefix, Tools: tools, Problems: true})
		if err != nil {
			t.Fatal(err)
		}
		changed := false
		for _, p := range r.Problems {
			changed = changed || p.Kind == harmony.ValueChanged && p.Call == 0 && p.Field == "v" && p.Span == span(0, len(c.text))
		}
		if changed != c.changed {
			t.Errorf("%s %q: changed %v, want %v: %+v", c.types, c.text, changed, c.changed, r.Problems)
		}
	}
}

// Problems cost nothing when nobody asks: a reply that has some allocates no more
// than one that has none.
func TestProblemsCostNothing(t *testing.T) {
	tpl := compileJSON(t, kindFields)
	tools := PrepareTools([]value.Value{loads(t, kindTool)})
	allocs := func(reply string) float64 {
		return testing.AllocsPerRun(50, func() {
			if r, err := tpl.Parse(reply, Options{Prefix: &noPrefix, Tools: tools}); err != nil || r.Problems != nil || r.Regions != nil {
				t.Fatal(err, r.Problems)
			}
		})
	}
	for _, c := range [][2]string{
		{"<say>a</say>", "Well. <say>a</say> and </say>"},
		{"<think>a</think><say>b</say>", "<think>a</think><think>a</think>"},
		{"<call f><r>x</></call>", "Well. <call g>?<z>x</>?</call> Done"},
		{`<call f><o>{"k":1,"l":2}</></call>`, `<call g><o>{"k":1,"m":2}</></call>`},
	} {
		if clean, bad := allocs(c[0]), allocs(c[1]); bad > clean {
			t.Errorf("%q: %v allocations, and %v for %q", c[1], bad, clean, c[0])
		}
	}
}

// Reasoning that the prompt closed is not expected of the reply.
func TestReasoningClosedByThePrompt(t *testing.T) {
	tpl := compileJSON(t, kindFields)
	for prefix, want := range map[string]int{"<@><think>\n</think>": 0, "<@><say>b</say>": 1, "<@>": 1} {
		r, err := tpl.Parse("<say>a</say>", Options{Prefix: &prefix, Problems: true, Reasoning: true})
		got := 0
		for _, p := range r.Problems {
			if p.Kind == harmony.NoReasoning {
				got++
			}
		}
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", prefix, r.Problems, err)
		}
	}
}

// A start anchor that looks at what follows it sees the marker that does.
func TestStartAnchorBeforeAMarker(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor_pattern":"<@>bot\\b","fields":{"x":{"open":["s:","<x>"],"close":"."}}}`)
	for reply, want := range map[string]string{
		"<@>bot<x>a.<@>bot": "",
		"<@>bot s:a.":       "",
		"<@>bots:a.":        "<@>bot",
		"s:a.<@>bot":        "",
		"s:a.<@>bots:b.":    "<@>bot",
	} {
		o := Options{Prefix: &noPrefix, Problems: true, Stop: harmony.StopToken("")}
		sameForCuts(t, tpl, o, reply)
		r, err := tpl.Parse(reply, o)
		told := ""
		for _, p := range r.Problems {
			if p.Kind == harmony.TextOutside || p.Kind == harmony.BadSyntax {
				told += reply[p.Span.Start:p.Span.End]
			}
		}
		if err != nil || told != want {
			t.Errorf("%q: %q is told, want %q (%v)", reply, told, want, err)
		}
	}
}

// Without problems nothing is noted for them, whatever the reply has wrong, and no
// more is looked at than for a reply that is right.
func TestNothingIsNoted(t *testing.T) {
	tpl := compileJSON(t, kindFields)
	tools := PrepareTools([]value.Value{loads(t, kindTool)})
	read := func(reply string, problems bool) *Parser {
		p, err := tpl.NewParser(Options{Prefix: &noPrefix, Tools: tools, Problems: problems})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Feed(reply); err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.Finalize(harmony.Stop{}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	reply := "Well. <think>a</think><think>b</think><call g>?<z>x</>?<o>{\"k\":1,\"k\":2}</></call> Done </say>"
	p := read(reply, false)
	if len(p.content.losses) > 0 || !reflect.DeepEqual(p.record, record{}) {
		t.Errorf("noted: %+v, %+v", p.record, p.content.losses)
	}
	if with := read(reply, true); reflect.DeepEqual(with.record, record{}) || with.Steps() <= p.Steps() {
		t.Errorf("with problems %+v is noted, in %d steps, without in %d", with.record, with.Steps(), p.Steps())
	}
}
