package gate

import (
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// nativeAgrees holds native Go against the candidate.
func (r *run) nativeAgrees(c corpus.Case, base, cand, native corpus.Outcome) {
	if ch := nativeChange(c, base, cand, native); ch != nil {
		r.asked(ch.rule == "", ch.rule, nativeRule(c.Kind))
		if ch.rule != "" {
			r.changes = append(r.changes, ch)
		}
	}
}

func nativeRule(kind corpus.Kind) string {
	if kind == corpus.Parse {
		return ruleNativeReply
	}
	return ruleNativePrompt
}

// nativeChange is where native Go agrees with the base and not with the candidate;
// its rule is "" where it agrees with both, and it is nil where there is nothing to
// say: a difference that both sides have is for `diff`.
func nativeChange(c corpus.Case, base, cand, native corpus.Outcome) *change {
	texts := c.Kind != corpus.Parse
	if native.Kind == corpus.Cannot || base.Kind == corpus.Failed || cand.Kind == corpus.Failed || !alike(native, base, texts) {
		return nil
	}
	ch := &change{c: c, op: engine.Op(c.Kind), base: native, cand: cand}
	if alike(native, cand, texts) {
		return ch
	}
	ch.rule = nativeRule(c.Kind)
	ch.where = &report.Where{Path: "$error", Offset: -1, Left: toldOf(native), Right: toldOf(cand)}
	if native.Kind == corpus.OK && cand.Kind == corpus.OK {
		ch.where = report.Locate("$", common(native), common(cand))
	}
	return ch
}

// alike tells whether two answers are the same, as `diff` compares them.
func alike(a, b corpus.Outcome, texts bool) bool {
	if a.Kind != b.Kind || a.Class != b.Class || texts && a.Message != b.Message {
		return false
	}
	return a.Kind != corpus.OK || report.Locate("$", common(a), common(b)) == nil
}
