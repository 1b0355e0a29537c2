package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/ci/report"
)

// What an edit does is told also where another changes each prompt before it, and
// a text that is lost is the fault of the edit that loses it.
func TestHidden(t *testing.T) {
	cand := sideOf(t, templateFile,
		`<|start|>system<|message|>`, `<|start|>System<|message|>`,
		`'<|start|>user<|message|>'`, `'<|start|>usr<|message|>'`,
		`{%- macro text_of(`, "{#- A comment\n    of two lines. -#}\n{%- macro text_of(",
		`'<|channel|>analysis<|message|>' ~ turn.reasoning`, `'<|channel|>analysis<|message|>' ~ turn.reasoning[:1]`)
	g := &Gate{Base: sideOf(t, templateFile), Candidate: cand, Format: "beam"}
	for _, c := range few() {
		if c.Want = nil; len(g.Cases) < 200 && c.Kind == "render" {
			g.Cases = append(g.Cases, c)
		}
	}
	r, err := g.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ rule, line string }{{rulePrompt, "System"}, {rulePrompt, "usr"}, {ruleTextLost, "reasoning[:1]"}} {
		if !slices.ContainsFunc(r.Findings, func(f report.Finding) bool {
			return f.Rule == want.rule && len(f.Places) > 0 && strings.Contains(f.Places[0].Text, want.line) && f.Smallest != nil
		}) {
			t.Errorf("no finding of %s at the line with %q", want.rule, want.line)
		}
	}
	for _, f := range r.Findings {
		t.Logf("%s (%d): %s %v %s", f.Rule, len(f.Cases), f.Message, f.Places, f.Smallest.Input)
	}
	if len(r.Findings) != 3 {
		t.Errorf("%d findings, want 3", len(r.Findings))
	}
}

// A line of the base with some of the edits made is a line of the candidate.
func TestLineOfMade(t *testing.T) {
	const base, cand = "a\nb\nc\nd\ne\n", "a\nx\ny\nc\ne\nf\n" // b is x and y, d is gone, f is new
	r := &run{edits: editsOf(base, cand)}
	lines := strings.Split(cand, "\n")
	for _, set := range [][]int{{}, {0}, {1}, {2}, {0, 2}, {0, 1, 2}} {
		text := strings.Split(with(base, r.edits, func(i int) bool { return slices.Contains(set, i) }), "\n")
		for i, line := range text[:len(text)-1] {
			want := 1 + slices.Index(lines, line)
			if got := r.lineOfMade(set, i+1); got != want {
				t.Errorf("edits %v, line %d (%s): %d, want %d", set, i+1, line, got, want)
			}
		}
	}
	if len(r.edits) != 3 || r.lineOfMade(nil, 4) != 4 {
		t.Errorf("edits %+v", r.edits)
	}
}
