package corpus

import "github.com/beamdiff/beamdiff/harmony/value"

// Result is what came of comparing two engines in a case.
type Result struct {
	Case     string // its id
	Engines  [2]string
	Verdict  Verdict
	Outcomes [2]Outcome // in the order of Engines
}

// KnownReport is what a list of known differences says to the results of a run.
type KnownReport struct {
	// Explained gives, for each result, the entry that it is known by, or nil.
	Explained []*KnownDifference
	// Changed are the cases that an entry lists and that no longer differ in that
	// way: not at all, or otherwise.
	Changed []KnownChange
	// Absent are the cases that an entry lists and that a full run does not have.
	Absent []KnownChange
	// Expired are the entries whose last day has passed, also those that
	// explain a result.
	Expired []*KnownDifference
}

// KnownChange is a case that an entry lists in vain.
type KnownChange struct {
	Entry *KnownDifference
	Case  string
	// Got is what the run has for the case and the two engines; nil where it has
	// nothing.
	Got *Result
}

// MatchKnown holds a list against the results of a run. full tells that the run
// had all cases, so that an entry for another one is a mistake. Entries for
// engines that the run did not compare are left alone.
func MatchKnown(list []KnownDifference, results []Result, full bool, today Date) KnownReport {
	report := KnownReport{Explained: make([]*KnownDifference, len(results))}
	type place struct {
		id      string
		engines [2]string
	}
	at := make(map[place]int, len(results))
	compared := map[[2]string]bool{}
	for i, r := range results {
		at[place{r.Case, sorted(r.Engines)}] = i
		compared[sorted(r.Engines)] = true
	}
	for i := range list {
		entry := &list[i]
		if today.After(entry.Expires) {
			report.Expired = append(report.Expired, entry)
		}
		engines := sorted(entry.Engines)
		if !compared[engines] {
			continue
		}
		for n, id := range entry.Cases {
			j, has := at[place{id, engines}]
			switch {
			case has && entry.holds(n, &results[j]):
				report.Explained[j] = entry
			case has:
				report.Changed = append(report.Changed, KnownChange{entry, id, &results[j]})
			case full:
				report.Absent = append(report.Absent, KnownChange{Entry: entry, Case: id})
			}
		}
	}
	return report
}

// holds tells whether case n of the entry differs as the entry says.
func (k *KnownDifference) holds(n int, r *Result) bool {
	pinned := k.Outcomes[min(n, len(k.Outcomes)-1)]
	if k.Engines != r.Engines {
		pinned[0], pinned[1] = pinned[1], pinned[0]
	}
	return r.Verdict == k.Verdict && pinned[0].pins(&r.Outcomes[0]) && pinned[1].pins(&r.Outcomes[1])
}

// pins tells whether an outcome is the pinned one: the same value, or an error
// of the same class and, where one is pinned, the same text.
func (o *Outcome) pins(got *Outcome) bool {
	if o.Kind != got.Kind {
		return false
	}
	switch o.Kind {
	case OK:
		return value.Equal(o.Value, got.Value)
	case Raised:
		return o.Class == got.Class && (o.Message == "" || o.Message == got.Message)
	}
	return true // why an engine cannot, or failed, is for people
}

func sorted(pair [2]string) [2]string {
	if pair[0] > pair[1] {
		pair[0], pair[1] = pair[1], pair[0]
	}
	return pair
}
