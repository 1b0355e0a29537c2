package conversation

import (
	"maps"
	"slices"
	"testing"

	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/beam"
)

// The shares of generated conversations that must reach each thing: a generator
// that no longer does is a failure.
var leastShares = map[string]float64{
	"accepted": 0.7, "refused": 0.15, "careless": 0.2,

	"role=user": 0.8, "role=answer": 0.8, "role=calls": 0.5, "role=result": 0.5, "role=instruction": 0.4, "role=late instruction": 0.2, "role=unknown": 0.05,
	"content=string": 0.9, "content=null": 0.2, "content=missing": 0.2, "content=empty string": 0.2, "content=empty list": 0.2, "content=empty part": 0.2,
	"content=parts": 0.5, "content=part with more keys": 0.2, "content=misfit": 0.08, "content=other part": 0.06, "message=other keys": 0.5, "message=refused keys": 0.06,
	"reasoning=reasoning_content": 0.4, "reasoning=thinking": 0.4, "reasoning=reasoning": 0.4, "reasoning=missing": 0.2, "reasoning=null": 0.15, "reasoning=empty": 0.15,
	"reasoning=empty beside null": 0.1, "reasoning=twice": 0.1, "reasoning=blank": 0.05, "reasoning=different texts": 0.01, "reasoning=misfit": 0.02,

	"calls=parallel": 0.25, "calls=none": 0.15, "calls=beside text": 0.015, "calls=misfit": 0.01, "call=bare": 0.15, "call=without id": 0.15, "call=id used before": 0.1,
	"call=id of another": 0.01, "call=name misfit": 0.02, "arguments=none": 0.1, "arguments=missing": 0.05, "arguments=misfit": 0.02, "argument=typed": 0.1,
	"argument=not of its type": 0.04, "argument=not in the schema": 0.3, "argument=name misfit": 0.015,
	"result=by id": 0.3, "result=by name": 0.25, "result=by both": 0.1, "result=by id, named otherwise": 0.1, "result=of nothing": 0.015, "results=missing": 0.1,
	"results=out of order": 0.04,

	"value=string": 0.5, "value=text like a value": 0.3, "value=space around": 0.3, "value=integer": 0.4, "value=big integer": 0.1, "value=float": 0.3, "value=not finite": 0.03,
	"value=literal": 0.3, "value=list": 0.3, "value=object": 0.25,

	"tools=some": 0.35, "tools=plain": 0.15, "tools=none": 0.03, "tool=bare": 0.08, "tool=bash": 0.06, "tool=trained": 0.1, "tool=description": 0.25, "tool=no parameters": 0.07,
	"tool=misfit": 0.015, "tool=no function": 0.005,
	"schema=type": 0.2, "schema=types": 0.08, "schema=items": 0.1, "schema=properties": 0.1, "schema=anyOf": 0.03, "schema=oneOf": 0.03, "schema=allOf": 0.03,
	"schema=enum": 0.08, "schema=const or $ref": 0.08, "schema=odd": 0.08, "schema=nullable": 0.1, "schema=description": 0.15, "schema=default": 0.1, "schema=examples": 0.1,
	"schema=more keys": 0.1, "schema=odd name": 0.06, "schema=odd required": 0.06,

	"argument of the template=reasoning_effort": 0.25, "argument of the template=model_identity": 0.1, "argument of the template=builtin_tools": 0.15,
	"argument of the template=allow_missing_thinking": 0.15, "argument of the template=add_generation_prompt": 0.2, "argument of the template=continue_final_message": 0.03,
	"argument of the template=template_kwargs": 0.08, "argument of the template=date": 0.08,
	"effort=misfit": 0.02, "identity=misfit": 0.005, "builtin=misfit": 0.01, "missing=misfit": 0.01,

	"text=words": 0.9, "text=numbers": 0.8, "text=spaces": 0.8, "text=signs": 0.8, "text=syntax": 0.8, "text=near markers": 0.8, "text=marker": 0.7,
	"text=refused": 0.03, "text=long": 0.05, "text=surrogate": 0.05, "text=lines": 0.05,
}

// traitsOf are the traits of a conversation, with what the renderer made of it.
func traitsOf(c *Conversation) []string {
	_, err := beam.Render(c.Request())
	switch {
	case err == nil:
		return append(c.Traits, "accepted")
	case c.Has("careless"):
		return append(c.Traits, "refused")
	}
	return append(c.Traits, "refused", "careful and refused")
}

func TestGeneratorsReach(t *testing.T) {
	var stats fuzz.Stats
	for i := range 4000 {
		stats.Reached(traitsOf(Generate(fuzz.FromSeed(uint64(i)))))
	}
	t.Log(&stats)
	for _, short := range stats.Require(leastShares) {
		t.Error(short)
	}
	if share := stats.Share("careful and refused"); share > 0 {
		t.Errorf("%.2f %% of the conversations are careful, and refused", 100*share)
	}
}

// Each construct alone is reached, and is mostly accepted.
func TestConstructsReach(t *testing.T) {
	stats := map[string]*fuzz.Stats{}
	for _, name := range Constructs() {
		stats["one="+name] = &fuzz.Stats{}
	}
	for i := range 4000 {
		c := GenerateOne(fuzz.FromSeed(uint64(i)))
		for _, trait := range c.Traits {
			if own := stats[trait]; own != nil {
				own.Reached(traitsOf(c))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stats)) {
		own := stats[name]
		t.Logf("%-28s %4d, accepted %3.0f %%", name, own.Inputs, 100*own.Share("accepted"))
		if own.Inputs < 100 || own.Share("accepted") < 0.4 {
			t.Errorf("%s: %d conversations, %.0f %% accepted", name, own.Inputs, 100*own.Share("accepted"))
		}
	}
}
