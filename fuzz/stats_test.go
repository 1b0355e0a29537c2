package fuzz

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

// The shares of inputs, over all templates, that must reach each thing: a
// generator that no longer does is a failure.
var leastShares = map[string]float64{
	CompleteCall: 0.15, SeveralParts: 0.55, WithProblem: 0.35, WithError: 0.04,

	"content=text": 0.4, "content=int": 0.01, "content=float": 0.01, "content=bool": 0.01, "content=json": 0.15, "content=xml-inline": 0.15,
	"content=kv-lines": 0.05, "content=python-call-list": 0.04,
	"text=words": 0.4, "text=numbers": 0.3, "text=spaces": 0.2, "text=signs": 0.2, "text=syntax": 0.2, "text=near markers": 0.2,
	"body=misfit": 0.05, "body=bad json": 0.02, "body=bad python": 0.001, "body=duplicate key": 0.05, "body=wanted key missing": 0.003,
	"region=explicit": 0.8, "region=implicit": 0.15, "between=space": 0.2, "between=text": 0.1, "tools": 0.4,
	"prefix=anchor": 0.05, "prefix=open region": 0.03, "prefix=begun marker": 0.03, "prefix=text": 0.03,

	"mutation=truncate": 0.08, "mutation=drop": 0.08, "mutation=double": 0.08, "mutation=swap": 0.08, "mutation=near miss": 0.08,
	"mutation=nest": 0.08, "mutation=splice": 0.08, "mutation=space": 0.08, "mutation=move": 0.08,

	"cut=one character at a time": 0.08, "cut=a few characters at a time": 0.08, "cut=few cuts": 0.08, "cut=many cuts": 0.08,
	"cut=cut before closes": 0.08, "cut=inside markers": 0.08, "cut=around markers": 0.08,

	"problem=unclosed": 0.05, "problem=cut_off": 0.1, "problem=bad_syntax": 0.02, "problem=bad_args": 0.05, "problem=unknown_action": 0.02,
	"problem=text_outside": 0.01, "problem=prose_before_action": 0.01, "problem=text_after_action": 0.01, "problem=region_overwritten": 0.05,
	"problem=unclosed_think": 0.001, "problem=marker_in_name": 0.001,
}

func TestGeneratorsReach(t *testing.T) {
	var all Stats
	for _, template := range Templates() {
		var own Stats
		for i := range 200 {
			in := makeInput(template, i)
			r := Native.Read(in, in.Options(), Cut{})
			in.trait("cut=" + in.Cut.Name)
			for _, st := range []*Stats{&own, &all} {
				st.Add(in, r.Reply, r.Err)
			}
		}
		// No template's replies may fail so often, or be so poor, that the rest of
		// what is checked of them means little.
		for _, short := range own.Require(map[string]float64{SeveralParts: 0.25, WithProblem: 0.1}) {
			t.Errorf("%s: %s", template.Name, short)
		}
		if share := own.Share(WithError); share > 0.6 {
			t.Errorf("%s: %.0f %% of the inputs are read with an error", template.Name, 100*share)
		}
		t.Logf("%-20s complete call %3.0f %%, several regions %3.0f %%, problem %3.0f %%, error %3.0f %%", template.Name,
			100*own.Share(CompleteCall), 100*own.Share(SeveralParts), 100*own.Share(WithProblem), 100*own.Share(WithError))
	}
	t.Log(&all)
	for _, short := range all.Require(leastShares) {
		t.Error(short)
	}
}

// Stats that fall short must say so.
func TestStatsRequire(t *testing.T) {
	var st Stats
	for i := range 4 {
		in := &Input{Traits: []string{"always"}}
		if i == 0 {
			in.trait("once")
		}
		st.Add(in, harmony.Reply{}, nil)
	}
	if short := st.Require(map[string]float64{"always": 1, "once": 0.25}); short != nil {
		t.Errorf("%q", short)
	}
	short := st.Require(map[string]float64{"once": 0.3, "never": 0.01, WithProblem: 0.1})
	if len(short) != 3 || !strings.HasPrefix(short[0], "never: 0.00 %") {
		t.Errorf("%q", short)
	}
}
