package gate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
)

// collect turns the changes into findings, a cause each.
func (r *run) collect(ctx context.Context) {
	r.applyKnown()
	r.findCauses(ctx, r.changes)
	r.hidden(ctx)
	groups := map[string][]*change{}
	var order []string
	for _, ch := range r.changes {
		key := ch.known + " " + r.key(ch)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], ch)
	}
	var found []report.Finding
	for i, key := range order {
		r.progress("smallest cases", i, len(order))
		found = append(found, r.finding(ctx, groups[key]))
	}
	slices.SortStableFunc(found, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(rank(a.Rule), rank(b.Rule)), cmp.Compare(len(b.Cases), len(a.Cases)))
	})
	r.report.Findings = append(found, r.report.Findings...)
	r.report.Rules = append(r.askedRules(), r.report.Rules...)
}

// askedRules are the rules that were asked, with their numbers.
func (r *run) askedRules() (out []report.Rule) {
	for _, u := range Rules() {
		if n := r.rules[u.ID]; n != nil {
			u.Asked, u.Held = n.Asked, n.Held
			out = append(out, u)
		}
	}
	return out
}

// finding is one cause. The gravest of its changes names it, and is shown.
func (r *run) finding(ctx context.Context, group []*change) report.Finding {
	slices.SortStableFunc(group, func(a, b *change) int { return cmp.Compare(rank(a.rule), rank(b.rule)) })
	gravest := group
	if n := slices.IndexFunc(group, func(ch *change) bool { return ch.rule != group[0].rule }); n >= 0 {
		gravest = group[:n]
	}
	show := r.shrink(ctx, smallestOf(gravest))
	f := report.Finding{
		Subject: Candidate, Rule: show.rule, Level: levelOf(show.rule), Signature: r.signature(show),
		Message: r.message(show, len(gravest), len(group)), Advice: advice[show.rule],
		Places: r.places(show), Smallest: r.witness(show), Status: report.New,
	}
	if show.known != "" {
		f.Status, f.Known = report.Known, show.known
	}
	for _, ch := range group {
		if !slices.Contains(f.Cases, ch.c.ID) {
			f.Cases = append(f.Cases, ch.c.ID)
		}
	}
	return f
}

// applyKnown marks the changes that an entry of the list explains, and tells of
// entries that no longer hold.
func (r *run) applyKnown() {
	var results []corpus.Result
	for _, ch := range r.changes {
		res := corpus.Result{Case: ch.c.ID, Engines: [2]string{Base, Candidate}, Verdict: corpus.ValueDiffers, Outcomes: [2]corpus.Outcome{ch.base, ch.cand}}
		switch {
		case ch.rule == ruleNativePrompt || ch.rule == ruleNativeReply:
			res.Engines = [2]string{"native", "reference"}
		case ch.cand.Kind == corpus.Failed:
			res.Verdict = corpus.EngineFailed
		case ch.base.Kind != corpus.OK || ch.cand.Kind != corpus.OK:
			res.Verdict = corpus.ErrorDiffers
		}
		results = append(results, res)
	}
	told := corpus.MatchKnown(r.Known, results, false, r.Today)
	for i, k := range told.Explained {
		if k != nil && !slices.Contains(told.Expired, k) {
			r.changes[i].known = k.ID + ": " + k.Reason
		}
	}
	wrong := func(k *corpus.KnownDifference, format string, args ...any) {
		r.report.Findings = append(r.report.Findings, report.Finding{Subject: Candidate, Rule: report.ListRule, Level: report.Error, Status: report.New,
			Signature: report.ListRule + " " + k.ID, Message: fmt.Sprintf("the known difference "+k.ID+" "+format, args...)})
	}
	for _, k := range told.Expired {
		if k.Engines == [2]string{Base, Candidate} {
			wrong(k, "expired on %s: look at it again (%s)", k.Expires, k.Reason)
		}
	}
	for _, change := range told.Changed {
		wrong(change.Entry, "no longer differs in that way in %s: take the case out of the entry", change.Case)
	}
}
