package response

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/bench/replies"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

const (
	weatherTool = `{"type":"function","function":{"name":"get_weather","parameters":{"type":"object",
		"properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}}}`
	prompt = "<|start|>user<|message|>Hello!<|end|><|start|>assistant"
)

// The replies of the documentation page's section on response templates.
func TestDocumentation(t *testing.T) {
	tools := PrepareTools([]value.Value{loads(t, weatherTool)})
	prefix := prompt
	for _, c := range []struct {
		reply string
		tools *Tools
		want  string
	}{
		{"<|channel|>analysis<|message|>The user is greeting me.<|end|><|start|>assistant<|channel|>final<|message|>Hi! How can I help?<|return|>", nil,
			`{"role": "assistant", "thinking": "The user is greeting me.", "content": "Hi! How can I help?"}`},
		{"<|channel|>analysis<|message|>I'll call the weather tool.<|end|><|start|>assistant to=get_weather<|channel|>analysis <|constrain|>xml<|message|>" +
			"<rfl:parameter name=\"city\">\nParis\n</rfl:parameter>\n<rfl:parameter name=\"days\">\n3\n</rfl:parameter><|call|>", nil,
			`{"role": "assistant", "thinking": "I'll call the weather tool.", "tool_calls": [{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Paris", "days": "3"}}}]}`},
		{"<|channel|>analysis<|message|>I'll call the weather tool.<|end|><|start|>assistant to=get_weather<|channel|>analysis <|constrain|>xml<|message|>" +
			"<rfl:parameter name=\"city\">\nParis\n</rfl:parameter>\n<rfl:parameter name=\"days\">\n3\n</rfl:parameter><|call|>", tools,
			`{"role": "assistant", "thinking": "I'll call the weather tool.", "tool_calls": [{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}}]}`},
		{"<|channel|>analysis<|message|>I need both cities.<|end|><|start|>assistant to=get_weather<|channel|>analysis <|constrain|>xml<|message|>" +
			"<rfl:parameter name=\"city\">\nLondon\n</rfl:parameter><|end|><|start|>assistant to=get_weather<|channel|>analysis <|constrain|>xml<|message|>" +
			"<rfl:parameter name=\"city\">\nParis\n</rfl:parameter><|call|>", tools,
			`{"role": "assistant", "thinking": "I need both cities.", "tool_calls": [{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "London"}}}, {"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Paris"}}}]}`},
	} {
		tpl := beamTemplate(t)
		if a := sameForCuts(t, tpl, Options{Prefix: &prefix, Tools: c.tools}, c.reply); a.message != c.want || a.err != "" {
			t.Errorf("%s\ngot  %s %s\nwant %s", c.reply, a.message, a.err, c.want)
		}
		r, _ := tpl.Parse(c.reply, Options{Prefix: &prefix, Tools: c.tools, Problems: true})
		if r.Problems != nil {
			t.Errorf("%s: problems %v", c.reply, r.Problems)
		}
	}
}

// The prefix may hold the beginning of the turn, of a region or of a marker.
func TestPrefix(t *testing.T) {
	for _, c := range []struct{ prefix, reply, initial, want string }{
		{"", "<|channel|>final<|message|>a", `[]`, `{"role": "assistant", "content": "a"}`},
		{prompt, "<|channel|>final<|message|>a", `[]`, `{"role": "assistant", "content": "a"}`},
		{prompt + "<|channel|>fin", "al<|message|>a", `[]`, `{"role": "assistant", "content": "a"}`},
		{prompt + "<|channel|>final<|message|>a<|e", "nd|>b", `[{"type": "region_open", "field": "content"}, {"type": "region_chunk", "field": "content", "text": "a", "dirty": false}]`, `{"role": "assistant", "content": "a"}`},
		{prompt + "<|channel|>final<|message|>a<|e", "b", `[{"type": "region_open", "field": "content"}, {"type": "region_chunk", "field": "content", "text": "a", "dirty": false}]`, `{"role": "assistant", "content": "a<|eb"}`},
		{"no anchor <|channel|>final<|message|>a", "b", `[{"type": "region_open", "field": "content"}, {"type": "region_chunk", "field": "content", "text": "a", "dirty": false}]`, `{"role": "assistant", "content": "ab"}`},
	} {
		tpl := beamTemplate(t)
		p, err := tpl.NewParser(Options{Prefix: &c.prefix})
		if err != nil {
			t.Fatal(err)
		}
		if got := merged(p.InitialEvents()); got != c.initial {
			t.Errorf("prefix %q: initial events %s, want %s", c.prefix, got, c.initial)
		}
		if a := sameForCuts(t, tpl, Options{Prefix: &c.prefix, Problems: true}, c.reply); a.message != c.want {
			t.Errorf("prefix %q, reply %q: got %s, want %s", c.prefix, c.reply, a.message, c.want)
		}
	}
}

// Problems of replies: the value stays the reference's, the loss is told.
func TestProblems(t *testing.T) {
	tools := PrepareTools([]value.Value{loads(t, weatherTool)})
	call := openCall + parameter + "<|call|>"
	for _, c := range []struct {
		name, reply string
		stop        harmony.Stop
		want        string // kinds with their spans
	}{
		{"nothing wrong", openFinal + "a<|return|>", harmony.StopUnknown(), ""},
		{"no last close, unknown", openFinal + "a", harmony.StopUnknown(), "unclosed[0,28) "},
		{"no last close, stopped", openFinal + "a", harmony.StopToken("<|return|>"), ""},
		{"no last close, cut", openFinal + "a", harmony.StopLength(), "cut_off[0,28) "},
		{"cut in reasoning", openThinking + "a", harmony.StopLength(), "unclosed_think[0,31) cut_off[0,31) "},
		{"cut in a header", openThinking + "a<|end|><|start|>assistant to=get", harmony.StopLength(), "cut_off[57,63) "},
		{"cut behind a close", openFinal + "a<|end|>", harmony.StopLength(), "cut_off[35,35) "},
		{"prose before a call", "Let me see." + call, harmony.StopUnknown(), "prose_before_action[0,11) "},
		{"text behind a call", call + "Done.", harmony.StopUnknown(), "text_after_action[121,126) "},
		{"text between", call + "and" + call, harmony.StopUnknown(), "text_outside[121,124) "},
		{"text and no call", "Hello.", harmony.StopUnknown(), "text_outside[0,6) "},
		{"space between", call + "\n<|start|>assistant" + call, harmony.StopUnknown(), ""},
		{"another role", openFinal + "a<|end|><|start|>user<|message|>b<|end|>", harmony.StopUnknown(), "bad_syntax[35,67) "},
		{"the stop token", openFinal + "a<|end|><|return|>", harmony.StopToken("<|return|>"), ""},
		{"a stray close", openFinal + "a<|end|><|return|>", harmony.StopUnknown(), "bad_syntax[35,45) "},
		{"unknown tool", strings.Replace(call, "get_weather", "nope", 1), harmony.StopUnknown(), "unknown_action[0,114) "},
		{"missing argument", openCall + "<|call|>", harmony.StopUnknown(), "bad_args[0,70) "},
		{"a JSON body", openCall + `{"city":"Paris"}<|call|>`, harmony.StopUnknown(), "bad_args[0,86) bad_args[62,78) "},
		{"wrong type", openCall + parameter + "<rfl:parameter name=\"days\">x</rfl:parameter><|call|>", harmony.StopUnknown(), "bad_args[0,165) "},
		{"an argument twice", openCall + parameter + parameter + "<|call|>", harmony.StopUnknown(), "bad_args[62,112) "},
		{"marker in a name", " to=x<|end|><|channel|>analysis <|constrain|>xml<|message|><|call|>", harmony.StopUnknown(), "bad_syntax[1,67) "},
		{"open argument, cut", openCall + "<rfl:parameter name=\"city\">Pa", harmony.StopLength(), "bad_args[0,91) cut_off[0,91) bad_args[62,91) "},
	} {
		t.Run(c.name, func(t *testing.T) {
			tpl := beamTemplate(t)
			o := Options{Prefix: &noPrefix, Tools: tools, Problems: true, Stop: c.stop, Markers: []string{"<|start|>", "<|message|>"}}
			sameForCuts(t, tpl, o, c.reply)
			r, err := tpl.Parse(c.reply, o)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, p := range r.Problems {
				got += p.Kind.String() + strings.ReplaceAll(strings.Fields(p.String())[2], ":", "") + " "
			}
			if got != c.want {
				t.Errorf("%q: got %s, want %s", c.reply, got, c.want)
			}
			token, _ := c.stop.Token()
			requireNothingLost(t, tpl, r, strings.TrimSuffix(c.reply, token))
		})
	}
}

func TestOneCall(t *testing.T) {
	tpl := beamTemplate(t)
	call := openCall + parameter + "<|call|>"
	for reply, want := range map[string]harmony.ProblemKind{openFinal + "a<|end|>": harmony.NoAction, call + call: harmony.MultipleActions, call: 0} {
		r, err := tpl.Parse(reply, Options{Prefix: &noPrefix, Problems: true, OneCall: true})
		if err != nil {
			t.Fatal(err)
		}
		if want == 0 && r.Problems != nil || want != 0 && (len(r.Problems) != 1 || r.Problems[0].Kind != want) {
			t.Errorf("%q: %v", reply, r.Problems)
		}
	}
}

// A call may run when its close was seen, or when no argument is open and the
// reply was not cut.
func TestRunnable(t *testing.T) {
	unknown, length, token := harmony.StopUnknown(), harmony.StopLength(), harmony.StopToken("<|call|>")
	for _, c := range []struct {
		body string
		stop harmony.Stop
		want bool
	}{
		{parameter + "<|call|>", length, true},
		{parameter, token, true},
		{parameter, unknown, true},
		{parameter, length, false},
		{parameter + "<rfl:parameter name=\"days\">\n3", token, false},
		{parameter + "<rfl:parameter name=\"days\">\n3", unknown, false},
		{parameter + "<rfl:par", unknown, false},
	} {
		tpl := beamTemplate(t)
		for _, problems := range []bool{false, true} {
			o := Options{Prefix: &noPrefix, Stop: c.stop, Problems: problems}
			sameForCuts(t, tpl, o, openCall+c.body)
			r, err := tpl.Parse(openCall+c.body, o)
			if err != nil || len(r.Calls) != 1 || r.Calls[0].Runnable != c.want {
				t.Errorf("%q, problems %v: %+v %v, want runnable %v", c.body, problems, r.Calls, err, c.want)
			}
		}
	}
}

// With an error the reply is what was read up to it, the failed region with its
// raw text; a lenient reader goes on behind it.
func TestErrorKeepsWhatWasRead(t *testing.T) {
	tpl := compileJSON(t, `{"start_anchor":"@","fields":{"x":{"open":"<x>","close":"</x>","content":"json","repeats":true},"c":{"repeats":true}}}`)
	reply := "a<x>1</x>b<x>{bad</x>c<x>2</x>"
	for _, c := range []struct {
		lenient bool
		want    string
	}{
		{false, `{"c": ["a", "b"], "x": [1, "{bad"]}`},
		{true, `{"c": ["a", "b", "c"], "x": [1, "{bad", 2]}`},
	} {
		a := sameForCuts(t, tpl, Options{Prefix: &noPrefix, Problems: true, Lenient: c.lenient}, reply)
		if a.message != c.want || a.err != "ValueError at 13" || !strings.Contains(a.problems, "bad_syntax at [13,17)") {
			t.Errorf("lenient %v: %+v", c.lenient, a)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	for _, c := range []struct{ reply, want string }{
		{openFinal + "a\xff", "UTF8Error at 28"},
		{openFinal + "é\xe2\x82", "UTF8Error at 29"},
		{openFinal + "\xed\xa0\x80", "UTF8Error at 27"},
		{openFinal + "\xe2\x28\xa1", "UTF8Error at 27"},
	} {
		if a := sameForCuts(t, beamTemplate(t), Options{Prefix: &noPrefix}, c.reply); a.err != c.want {
			t.Errorf("%q: got %s, want %s", c.reply, a.err, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	tpl := beamTemplate(t)
	o := Options{Prefix: &noPrefix, Limits: Limits{Bytes: 30}}
	if a := sameForCuts(t, tpl, o, openFinal+"abcdef"); a.err != "LimitError at 30" || a.message != `{"role": "assistant", "content": "abc"}` {
		t.Errorf("bytes: %+v", a)
	}
	o.Limits = Limits{Regions: 2}
	if a := sameForCuts(t, tpl, o, strings.Repeat(openFinal+"a<|end|>", 3)); a.err != "LimitError at 70" {
		t.Errorf("regions: %+v", a)
	}
	deep := compileJSON(t, `{"start_anchor":"@","fields":{"x":{"content":"json"}}}`)
	o.Limits = Limits{Depth: 3}
	if a := sameForCuts(t, deep, o, "[[[[1]]]]"); a.err != "RecursionError at 0" {
		t.Errorf("depth: %+v", a)
	}
}

// After an error a parser stays in it; after the end it says so.
func TestStaysInError(t *testing.T) {
	p, err := beamTemplate(t).NewParser(Options{Prefix: &noPrefix})
	if err != nil {
		t.Fatal(err)
	}
	_, first := p.Feed("\xff")
	_, second := p.Feed("a")
	_, _, third := p.Finalize(harmony.Stop{})
	if first == nil || second != first || third != first {
		t.Errorf("%v, %v, %v", first, second, third)
	}
	if p, err = beamTemplate(t).NewParser(Options{Prefix: &noPrefix}); err != nil {
		t.Fatal(err)
	}
	if _, _, err = p.Finalize(harmony.Stop{}); err != nil {
		t.Fatal(err)
	}
	_, err = p.Feed("")
	if !strings.HasPrefix(classOf(err), "RuntimeError") {
		t.Errorf("feed behind the end: %v", err)
	}
}

// The text of a whole reply's region is a part of the reply, not a copy.
func TestRegionIsPartOfReply(t *testing.T) {
	tpl := beamTemplate(t)
	reply := openFinal + strings.Repeat("word ", 100_000) + "<|return|>"
	got := testing.AllocsPerRun(5, func() {
		if _, err := tpl.Parse(reply, Options{Prefix: &noPrefix}); err != nil {
			t.Fatal(err)
		}
	})
	bytes := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = tpl.Parse(reply, Options{Prefix: &noPrefix})
		}
	}).AllocedBytesPerOp()
	if got > 40 || bytes > 10_000 {
		t.Errorf("%v allocations of %d bytes for a reply of %d bytes", got, bytes, len(reply))
	}
}

// A template and prepared tools serve several readers at once.
func TestConcurrent(t *testing.T) {
	tpl, tools := beamTemplate(t), PrepareTools([]value.Value{loads(t, weatherTool)})
	reply := replies.Named("calls-short").Make(5000)
	o := Options{Prefix: &noPrefix, Tools: tools, Problems: true}
	want := readWhole(tpl, o, reply)
	done := make(chan answer)
	for i := range 4 {
		go func() {
			a := readCut(tpl, o, reply, func(int) int { return 3 + i })
			a.events = ""
			done <- a
		}()
	}
	for range 4 {
		if a := <-done; a != want {
			t.Errorf("got %+v, want %+v", a, want)
		}
	}
}
