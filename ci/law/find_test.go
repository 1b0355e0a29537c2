package law

import (
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/harmony/value"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		prompt, text string
		from         int
		at           int // -1: not there
		form         form
	}{
		{"a windlass b", "windlass", 0, 2, verbatim},
		{"a windlass b", "windlass", 3, -1, ""},
		{"a [x  y] b", "  x  y\n", 0, 3, trimmed},
		{`"one\n\"two\""`, "one\n\"two\"", 0, 1, escaped},
		{`"\u00fcber"`, "über", 0, 1, ascii},
		{"&lt;b&gt; &#39;", "<b> '", 0, 0, marked},
		{"said windlass!", "the windlass, twice", 0, 5, altered},
		{"nothing", "windlass", 0, -1, ""},
	} {
		p, ok := find(c.prompt, c.text, c.from)
		if ok != (c.at >= 0) || ok && (p.start != c.at || p.form != c.form) {
			t.Errorf("find(%q, %q, %d) = %+v, %v; want %d, %s", c.prompt, c.text, c.from, p, ok, c.at, c.form)
		}
	}
}

func TestClosers(t *testing.T) {
	for open, close := range map[string]string{
		"<|im_start|>": "<|im_end|>", "<|turn>": "<turn|>", "[INST]": "[/INST]", "<think>": "</think>", "<<SYS>>": "<</SYS>>",
		"<｜tool▁calls▁begin｜>": "<｜tool▁calls▁end｜>", "<|START_OF_TURN_TOKEN|>": "<|END_OF_TURN_TOKEN|>", "<start_of_turn>": "<end_of_turn>", "<|header|>": "<|/header|>",
	} {
		if !slices.Contains(closers(open), close) {
			t.Errorf("closers(%q) = %q, want %q among them", open, closers(open), close)
		}
	}
	for _, close := range []string{"</think>", "<turn|>", "[/INST]", "<|im_end|>"} {
		for _, c := range closers(close) {
			if c == "<|im_start|>" || c == "<think>" {
				t.Errorf("closers(%q) = %q", close, c)
			}
		}
	}
}

func TestMarkersInPrompt(t *testing.T) {
	m := &markers{forms: withTokens([]string{"<s_turn/>", "plain"}, []string{"<s_turn/> and plain"})}
	var got []string
	for _, x := range m.in("<|im_start|>user <parameter=query> 1 < 2 > 0 [INST] [lower] <turn|> </think> <s_turn/> a<b") {
		got = append(got, x.text)
	}
	want := []string{"<|im_start|>", "<parameter>", "[INST]", "<turn|>", "</think>", "<s_turn/>"}
	if len(got) != len(want) {
		t.Fatalf("markers %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("marker %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// TestWithdraw holds that the caller's own words are taken out in every form that
// can be found, and that what cannot be found is said.
func TestWithdraw(t *testing.T) {
	step := &Step{Messages: []value.Value{said("user", "None of it <x>")}}
	for prompt, want := range map[string]string{
		"user: None of it <x>.":        "user:               .",
		`user: "None of it <x>", True`: `user: "              ", True`,
		"nothing of the kind":          "nothing of the kind",
	} {
		if got, ok := withdraw(prompt, step, leaky); !ok || got != want {
			t.Errorf("withdraw(%q) = %q, %v; want %q", prompt, got, ok, want)
		}
	}
	if got, ok := withdraw("None, of it, in pieces", step, leaky); ok {
		t.Errorf("withdraw gives %q of a text that is there in another form", got)
	}
}

// TestCauses holds that equal causes are one finding, with the gravest level and
// the smallest witness.
func TestCauses(t *testing.T) {
	c := causes{rule: report.Rule{ID: "render/x", Level: report.Error}}
	of := Shapes()
	c.found(of[0].Last().Prompt, Trouble{Cause: "a", Level: report.Warning, Message: "mild"})
	c.found(of[1].Last().Prompt, Trouble{Cause: "a", Message: "long", Witness: report.Witness{Input: "xxxx"}}, Trouble{Cause: "b", Level: report.Note})
	c.found(of[2].Last().Prompt, Trouble{Cause: "a", Message: "short", Witness: report.Witness{Input: "x"}})
	c.found(of[3].Last().Prompt)
	if c.rule.Asked != 4 || c.rule.Held != 1 {
		t.Errorf("asked %d, held %d; want 4 and 1", c.rule.Asked, c.rule.Held)
	}
	got := c.findings()
	if len(got) != 2 {
		t.Fatalf("%d findings, want 2", len(got))
	}
	a := got[0]
	if a.Level != report.Error || a.Message != "short" || a.Smallest.Input != "x" || len(a.Cases) != 3 || a.Signature != "render/x a" {
		t.Errorf("finding %+v", a)
	}
	if got[1].Level != report.Note {
		t.Errorf("the mildest comes last, but is %+v", got[1])
	}
}
