package ci

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// textKeys are the parts of an answer to mask and encode that every engine has;
// tokenKeys those that only one with a tokenizer has.
var (
	textKeys  = []string{"text", "spans"}
	tokenKeys = []string{"input_ids", "offsets", "assistant_masks", "attention_mask"}
)

// textValue is the part of an answer to mask or encode that every engine has.
func textValue(v value.Value) value.Value {
	o, ok := v.AsObject()
	if !ok {
		return v
	}
	out := &value.Object{}
	for name, member := range o.All() {
		if slices.Contains(textKeys, name) {
			out.Set(name, member)
		}
	}
	return out.Value()
}

// sharedTokens are two answers to mask or encode, without what only one of them
// has of the tokens.
func sharedTokens(left, right value.Value) (value.Value, value.Value) {
	l, r := textValue(left), textValue(right)
	for _, key := range tokenKeys {
		a, b := left.Get(key), right.Get(key)
		if a.IsNull() || b.IsNull() {
			continue
		}
		lo, _ := l.AsObject()
		ro, _ := r.AsObject()
		lo.Set(key, a)
		ro.Set(key, b)
	}
	return l, r
}

// hasIDs tells whether an answer has ids.
func hasIDs(o corpus.Outcome) bool {
	return o.Kind == corpus.OK && !o.Value.Get("input_ids").IsNull()
}

// declares tells whether the engine of that name, if it is one, has an ability.
func (j *judging) declares(name, ability string) bool {
	for i, e := range j.runner.Engines {
		if e.Name() == name {
			return slices.Contains(j.runner.infos[i].Abilities, ability)
		}
	}
	return false
}

// withheld tells where a side has ids that the other, an engine that says it
// has them, does not give. That of an engine that does not say so is noted.
func (j *judging) withheld(leftName, rightName string, left, right corpus.Outcome) *Where {
	if left.Kind != corpus.OK || right.Kind != corpus.OK || hasIDs(left) == hasIDs(right) {
		return nil
	}
	name := leftName
	if hasIDs(left) {
		name = rightName
	}
	switch {
	case name == Want:
		return nil
	case !j.declares(name, engine.AbleTokens):
		j.result.IDsNotCompared = name
		return nil
	}
	return &Where{Path: "$.input_ids", Offset: -1, Left: short(left.Value.Get("input_ids")), Right: short(right.Value.Get("input_ids"))}
}

// encodings compares the ids of prompts that are the same: every engine's with
// the last's.
func (j *judging) encodings() {
	last := len(j.runner.Engines) - 1
	var judged corpus.Outcome
	judgeName := j.runner.Engines[last].Name()
	for i, e := range j.runner.Engines[:last] {
		if j.whole(i).Kind != corpus.OK || j.whole(last).Kind != corpus.OK || !j.same(e.Name(), judgeName) {
			continue
		}
		able := [2]bool{j.declares(e.Name(), engine.AbleTokens), j.declares(judgeName, engine.AbleTokens)}
		if able != [2]bool{true, true} {
			switch able {
			case [2]bool{false, true}:
				j.result.IDsNotCompared = e.Name()
			case [2]bool{true, false}:
				j.result.IDsNotCompared = judgeName
			}
			continue
		}
		if judged.Kind == 0 {
			judged = j.encode(last)
		}
		own := j.encode(i)
		kind, where, why := judge(corpus.EncodeIDs, own, judged)
		if kind == corpus.Same {
			where = j.withheld(e.Name(), judgeName, own, judged)
		}
		if kind == corpus.Same && where != nil {
			kind = corpus.ValueDiffers
		}
		j.result.IDsCompared = j.result.IDsCompared || kind == corpus.Same && hasIDs(own)
		if kind != corpus.Same {
			j.add(Verdict{Kind: kind, Left: e.Name(), Right: judgeName, LeftOutcome: own, RightOutcome: judged,
				Where: where, What: orElse(why, "the ids of the prompt"), Fails: true})
		}
	}
}

// encode asks engine i for the ids of the case's prompt.
func (j *judging) encode(i int) corpus.Outcome {
	return j.runner.failures[i].do(j.ctx, j.runner.Engines[i], engine.Request{Op: engine.OpEncode, Case: j.c.Input})
}

// unread is the outcome of a case in ids for an engine that does not read them.
func (j *judging) unread(i int) (corpus.Outcome, bool) {
	if !inIDs(j.c.Input) || slices.Contains(j.runner.infos[i].Abilities, engine.AbleIDs) {
		return corpus.Outcome{}, false
	}
	return corpus.Outcome{Kind: corpus.Cannot, Why: "it reads no token ids", Offset: -1}, true
}

// inIDs tells whether the reply or the prompt of a case's input comes as ids.
func inIDs(in *value.Object) bool {
	_, reply := in.Get("reply_ids")
	_, prefix := in.Get("prefix_ids")
	return reply || prefix
}

// ids tells how many cases had token ids to compare, and once of each engine
// that gave none where another did.
func (r *Report) ids(b *bytes.Buffer) {
	var groups []group
	for _, c := range r.Cases {
		if c.IDsNotCompared != "" {
			groups = under(groups, c.IDsNotCompared, c.Case.ID)
		}
	}
	compared := 0
	for _, c := range r.Cases {
		if c.IDsCompared {
			compared++
		}
	}
	if compared > 0 {
		fmt.Fprintf(b, "\nids: the same in %s\n", count(compared, "case"))
	}
	for _, g := range groups {
		why := "its info does not have the ability " + engine.AbleTokens
		for _, info := range r.Engines {
			if info.Name == g.name && info.NoTokens != "" {
				why = info.NoTokens
			}
		}
		fmt.Fprintf(b, "\nids: not compared in %s, as %s gives none: %s\n", count(len(g.ids), "case"), g.name, why)
	}
}
