package ci

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// KnownResult says what became of one known difference.
type KnownResult struct {
	ID string
	// Cases are those whose difference it explained.
	Cases []string
	// Message says what is wrong with the entry; "" where nothing is.
	Message string
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
// says which entries no longer hold. An entry is judged by the cases of it that
// ran; without any, only a full run can tell that it names none.
func (r *Runner) applyKnown(res *Result) {
	at := make(map[string]*CaseResult, len(res.Cases))
	for i := range res.Cases {
		at[res.Cases[i].Case.ID] = &res.Cases[i]
	}
	for _, k := range r.Known {
		out := KnownResult{ID: k.ID}
		var gone, absent []string
		for i, id := range k.Cases {
			c, ran := at[id]
			switch {
			case !ran:
				absent = append(absent, id)
			case explain(c, k, i):
				out.Cases = append(out.Cases, id)
			default:
				gone = append(gone, id)
			}
		}
		switch {
		case len(gone) > 0:
			out.Message = fmt.Sprintf("%s no longer %s in that way (%s, %s): remove the entry, or the case from it",
				strings.Join(gone, ", "), plural(len(gone), "differs", "differ"), k.Engines[0]+"/"+k.Engines[1], k.Verdict)
			out.Fails = true
		case len(absent) > 0 && r.Full && !res.Interrupted:
			out.Message = fmt.Sprintf("no case is named %s", strings.Join(absent, ", "))
			out.Fails = true
		case r.expired(k) && len(out.Cases) > 0:
			out.Message = fmt.Sprintf("expired on %s (%s): look at it again", k.Expires, k.Reason)
			out.Fails = r.ExpiredFails
		}
		res.Known = append(res.Known, out)
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (r *Runner) expired(k corpus.KnownDifference) bool {
	today, err := corpus.ParseDate(r.Today)
	return err == nil && today.After(k.Expires)
}

// explain marks the verdicts of case c that entry k explains, its case i, and
// tells whether there are any.
func explain(c *CaseResult, k corpus.KnownDifference, i int) bool {
	pinned := k.Outcomes[0]
	if len(k.Outcomes) > 1 {
		pinned = k.Outcomes[i]
	}
	found := false
	for j := range c.Verdicts {
		v := &c.Verdicts[j]
		if v.Kind != k.Verdict {
			continue
		}
		// The two sides may be named in either order. An unstable engine is paired
		// with itself; the entry names it and the one that is compared with it.
		ok := false
		switch {
		case v.Left == k.Engines[0] && v.Right == k.Engines[1], v.Left == v.Right && slices.Contains(k.Engines[:], v.Left):
			ok = pins(c.Case.Kind, pinned[0], v.LeftOutcome) && pins(c.Case.Kind, pinned[1], v.RightOutcome)
		case v.Left == k.Engines[1] && v.Right == k.Engines[0]:
			ok = pins(c.Case.Kind, pinned[1], v.LeftOutcome) && pins(c.Case.Kind, pinned[0], v.RightOutcome)
		}
		if ok {
			v.Kind, v.KnownID, v.Fails = corpus.Known, k.ID, false
			found = true
		}
	}
	return found
}

// pins tells whether an outcome is the pinned one. A class without a text pins
// the class; the words of a "cannot" and of a failure are for people.
func pins(kind corpus.Kind, pinned, got corpus.Outcome) bool {
	if pinned.Kind != got.Kind {
		return false
	}
	switch got.Kind {
	case corpus.OK:
		p, g := pinned.Value, got.Value
		if kind == corpus.Mask {
			p, g = maskValue(p), maskValue(g)
		}
		return value.Equal(p, g)
	case corpus.Raised:
		return pinned.Class == got.Class && (pinned.Message == "" || pinned.Message == got.Message)
	}
	return true
}
