package ci

import (
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
)

// KnownResult says what became of one known difference.
type KnownResult struct {
	ID string
	// Cases are those whose difference it explained.
	Cases []string
	// Messages say what is wrong with the entry; none where nothing is.
	Messages []string
	// Fails tells whether that fails the run.
	Fails bool
}

// loadKnown reads the lists of known differences: the shipped one, then files.
func loadKnown(files []string) ([]corpus.KnownDifference, error) {
	known := corpus.ShippedKnown()
	for _, name := range files {
		more, err := corpus.LoadKnown(name)
		if err != nil {
			return nil, usage(err)
		}
		for _, k := range more {
			if slices.ContainsFunc(known, func(other corpus.KnownDifference) bool { return other.ID == k.ID }) {
				return nil, usagef("%s: the known difference %q stands in another list too", name, k.ID)
			}
			known = append(known, k)
		}
	}
	return known, nil
}

// applyKnown turns the differences that an entry explains into known ones, and
// says which entries no longer hold.
func (r *Runner) applyKnown(res *Result, today corpus.Date) {
	var results []corpus.Result
	var of []*CaseResult
	for i := range res.Cases {
		c := &res.Cases[i]
		for _, p := range r.pairs(c) {
			results = append(results, r.summary(c, p))
			of = append(of, c)
		}
	}
	entries := slices.DeleteFunc(slices.Clone(r.Known), res.leftOut)
	report := corpus.MatchKnown(entries, results, r.Full && !res.Interrupted, today)

	at := map[string]*KnownResult{}
	res.Known = make([]KnownResult, len(entries))
	for i, k := range entries {
		res.Known[i].ID = k.ID
		at[k.ID] = &res.Known[i]
	}
	for i, k := range report.Explained {
		if k != nil {
			at[k.ID].Cases = append(at[k.ID].Cases, results[i].Case)
			r.explain(of[i], results[i], k.ID)
		}
	}
	for _, change := range report.Changed {
		at[change.Entry.ID].fail("%s no longer differs in that way (%s/%s: %s): take it out of the entry",
			change.Case, change.Entry.Engines[0], change.Entry.Engines[1], change.Got.Verdict)
	}
	for _, change := range report.Absent {
		at[change.Entry.ID].fail("no case is named %s", change.Case)
	}
	for _, k := range report.Expired {
		out := at[k.ID]
		out.Messages = append(out.Messages, fmt.Sprintf("expired on %s: look at it again (%s)", k.Expires, k.Reason))
		out.Fails = out.Fails || r.ExpiredFails
	}
}

// leftOut tells whether an entry is about cases that were not run, and no other.
func (res *Result) leftOut(k corpus.KnownDifference) bool {
	return !slices.ContainsFunc(k.Cases, func(id string) bool {
		return !slices.ContainsFunc(res.NotRun, func(n NotRun) bool { return n.ID == id })
	})
}

func (k *KnownResult) fail(format string, args ...any) {
	k.Messages = append(k.Messages, fmt.Sprintf(format, args...))
	k.Fails = true
}

// pairs are the pairs of different sides that were compared in a case.
func (r *Runner) pairs(c *CaseResult) [][2]string {
	var out [][2]string
	for _, v := range c.Verdicts {
		if p := [2]string{v.Left, v.Right}; v.Left != v.Right && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// belongs tells whether a verdict is about a pair: one on it, or an unstable
// engine of it, beside the engine that it is judged with.
func (r *Runner) belongs(v Verdict, pair [2]string) bool {
	if v.Left != v.Right {
		return pair == [2]string{v.Left, v.Right}
	}
	alone := len(r.Engines) == 1
	return slices.Contains(pair[:], v.Left) && (pair[0] == Want) == alone
}

// summary is the worst verdict on a pair, with what each side gives for the
// whole input.
func (r *Runner) summary(c *CaseResult, pair [2]string) corpus.Result {
	out := corpus.Result{Case: c.Case.ID, Engines: pair, Verdict: corpus.Same}
	for _, v := range c.Verdicts {
		if r.belongs(v, pair) && worse(v.Kind, out.Verdict) {
			out.Verdict = v.Kind
		}
	}
	for i, name := range pair {
		for _, a := range c.Outcomes {
			if a.Engine == name {
				out.Outcomes[i] = a.Outcome
			}
		}
		if name == Want {
			out.Outcomes[i] = *c.Case.Want
		}
		if o := &out.Outcomes[i]; (c.Case.Kind == corpus.Mask || c.Case.Kind == corpus.EncodeIDs) && o.Kind == corpus.OK {
			o.Value = textValue(o.Value)
		}
	}
	return out
}

// explain marks the verdicts of a case that a known difference is.
func (r *Runner) explain(c *CaseResult, known corpus.Result, id string) {
	for i := range c.Verdicts {
		if v := &c.Verdicts[i]; v.Kind == known.Verdict && r.belongs(*v, known.Engines) {
			v.Kind, v.KnownID, v.Fails = corpus.Known, id, false
		}
	}
}
