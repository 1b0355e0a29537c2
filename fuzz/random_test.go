package fuzz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Templates that nobody would write, with the laws and against the reference: a
// few replies each. BEAMDIFF_PAIRS times ten is the number of pairs.
func TestRandomTemplates(t *testing.T) {
	const replies = 4
	differ := Differ{Reference: suite.Reference(t), Subject: Native}
	n := suite.Pairs(t) * 10
	refused := 0
	var inputs []*Input
	for i := 0; len(inputs) < n; i++ {
		s := FromSeed(suite.Seed("random", i))
		template, err := RandomTemplate(s, fmt.Sprintf("random %d", i))
		if err != nil {
			refused++ // by the engine, or by the reference's rules
			continue
		}
		for range replies {
			inputs = append(inputs, RandomInput(s, template))
		}
	}
	bad := 0
	for i, in := range inputs {
		// Not the law of loss: what these closes match cannot be told from the text.
		for _, law := range []Oracle{CheckCuts, CheckSpans, CheckErrors} {
			if v := Guard(law)(Native, in, in.Cut, ByteCut(FromSeed(uint64(i)), in)); v != nil {
				if bad++; bad < 4 {
					t.Errorf("%v  spec %#v", v, in.Template.Spec)
				}
			}
		}
	}
	report := differ.Run(t.Context(), n, func(i int) *Input { return inputs[i] })
	t.Logf("%v; %d templates were refused", report, refused)
	for _, d := range report.Differences[:min(4, len(report.Differences))] {
		t.Errorf("%v  spec %#v", d, d.Input.Template.Spec)
	}
	for _, f := range report.Failed[:min(3, len(report.Failed))] {
		t.Errorf("the reference did not answer: %s", f)
	}
	if refused > n/replies {
		t.Errorf("%d of %d templates were refused", refused, n/replies+refused)
	}
}

// An open that is nothing but an alternation of sets, on many short texts: what the
// regex module makes of negated sets shows in few of them.
func TestRandomSets(t *testing.T) {
	differ := Differ{Reference: suite.Reference(t), Subject: Native}
	n := suite.Pairs(t) * 4
	report := differ.Run(t.Context(), n, func(i int) *Input {
		s := FromSeed(suite.Seed("sets", i))
		spec := fmt.Sprintf(`{"start_anchor": "@", "fields": {"x": {"open_pattern": %q, "close": "!", "repeats": true}, "c": {"repeats": true}}}`, randomSets(s))
		v, err := value.Loads(spec)
		if err != nil {
			t.Fatal(err)
		}
		template, err := NewTemplate("sets", v)
		if err != nil {
			t.Fatal(err)
		}
		var reply strings.Builder
		for range 20 {
			for range 1 + s.N(2) {
				reply.WriteString(Pick(s, "a", "b", "c", "x", "A", "B", "C", "<", ">"))
			}
			reply.WriteString("!")
		}
		return &Input{Template: template, Reply: reply.String()}
	})
	t.Log(report)
	for _, d := range report.Differences[:min(4, len(report.Differences))] {
		t.Errorf("%v  spec %#v", d, d.Input.Template.Spec)
	}
	for _, f := range report.Failed[:min(3, len(report.Failed))] {
		t.Errorf("the reference did not answer: %s", f)
	}
}
