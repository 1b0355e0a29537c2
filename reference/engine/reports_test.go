package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// What a report of bug-reports.md complains of is told with the reply, whatever
// the value: the kind of each problem and the text it is about. That there is no
// reasoning is left out.
func TestReportsAreTold(t *testing.T) {
	n := engine.NewNative(checkpoint.Default(), engine.NativeOptions{})
	cases := map[string]corpus.Case{}
	for _, c := range corpus.Embedded() {
		cases[c.ID] = c
	}
	for id, want := range map[string]string{
		"1-no-header":                    "bad_syntax: I cannot help with that.<|return|>",
		"2-final-without-message":        "bad_syntax: <|channel|>final The answer is 4.<|return|>",
		"2-final-without-message-first":  "bad_syntax: <|channel|>final The answer is 4.<|return|>",
		"4-junk-in-header":               "bad_syntax: <|channel|>commentary?<|message|>x<|end|>",
		"5-doubled-start":                "bad_syntax: <|start|>",
		"5-doubled-assistant":            "text_outside: assistant",
		"6-marker-in-name":               "bad_syntax:  to=read<|channel|>commentary",
		"7-constrained-final":            "bad_syntax: <|channel|>final <|constrain|>json",
		"8-recipient-after-analysis-xml": "bad_syntax: <|channel|>analysis to=f <|constrain|>xml",
		"10-preamble":                    "bad_syntax: <|channel|>commentary<|message|>I will look.<|end|>",
		"12-cut-1":                       "",
		"13-markers-stripped":            "text_outside: analysisplanassistantfinalFour",
		"15-json-in-xml":                 `bad_args: {"a":1}]`,
		"29-scalars-typed":               "value_changed: to=f",
		"32-entities":                    "",
		"34-indent":                      "",
		"35-number-above-2-53":           "value_changed: to=f",
		"35-integer-nan":                 "bad_args: to=f",
		"35-string-zeros":                "",
		"37-any-of":                      "value_changed: to=f",
		"41-prose-before-call":           `prose_before_action: He said "no.; text_after_action: done`,
		"45-truncated-open":              "bad_syntax: <|channel|>fin",
		"46-cut-off-call":                `cut_off: to=f; bad_args: <rfl:parameter name="b">hal`,
		"47-calls-once":                  "",
	} {
		c, ok := cases["bugs/parse/"+id]
		if !ok {
			t.Errorf("there is no case %s", id)
			continue
		}
		v, _ := c.Input.Get("reply")
		reply, _ := v.AsString()
		var told []string
		for _, p := range n.Read(c.Input, engine.ReadOptions{Problems: true}).Problems {
			if p.Kind != harmony.NoReasoning {
				told = append(told, fmt.Sprintf("%v: %s", p.Kind, reply[p.Span.Start:p.Span.End]))
			}
		}
		wanted := strings.Split(want, "; ")
		if want == "" {
			wanted = nil
		}
		fits := len(told) == len(wanted)
		for i := range wanted {
			kind, text, _ := strings.Cut(wanted[i], ": ")
			fits = fits && strings.HasPrefix(told[i], kind+": ") && strings.Contains(told[i], strings.TrimSpace(text))
		}
		if !fits {
			t.Errorf("%s: told are %q, want %q", id, told, wanted)
		}
	}
}
