package bench

import (
	"context"
	"slices"
)

// hotPaths are what the gate times unless it is told otherwise: a case or two for
// each path, in a size at which the input outweighs all else. A comparison of them
// takes seconds of processor time, so that it can be made for each change.
var hotPaths = []string{
	"Render/kind=agent/size=64KiB/impl=native",
	"Render/kind=ten-messages/impl=native",
	"Parse/kind=ordinary/size=64KiB/cut=whole/impl=native",
	"Parse/kind=ordinary/size=64KiB/cut=4/impl=native",
	"Parse/kind=calls/size=64KiB/cut=whole/impl=native",
	"Parse/kind=calls/size=64KiB/cut=4/impl=native",
	"Parse/kind=markers-in-prose/size=64KiB/cut=whole/impl=native",
	"Type/kind=json/policy=reference/size=64KiB/impl=native",
	"Decode/kind=stream/size=64KiB/impl=native",
	"Mask/kind=ids/size=64KiB/impl=native",
	"Scan/kind=markers/size=64KiB/impl=native",
	"Judge/kind=end/size=64KiB/impl=native",
}

// Gated are the cases that are held to the budget.
func (s Suite) Gated() (list Suite) {
	for _, c := range s {
		if c.Gated {
			list = append(list, c)
		}
	}
	return list
}

// HotPaths are those that the gate times unless it is told otherwise.
func (s Suite) HotPaths() (list Suite) {
	for _, c := range s {
		if slices.Contains(hotPaths, c.Name()) {
			list = append(list, c)
		}
	}
	return list
}

// Gate says what is slower on the side B than on the side A, in two steps, so that
// a busy machine does not raise alarms:
//
//  1. All cases are measured in rounds that take turns, and each is looked at by
//     itself, with the whole chance of [Judging.Alpha] and half the threshold: the
//     suspects.
//  2. The suspects alone are measured again, in twice as many rounds. Only these
//     measurements judge them, and all together keep Alpha. What was a suspect by
//     chance is let go here.
//
// So the chance of calling a side slower than itself is at most Alpha, and far
// less with the threshold, however many cases there are.
//
// What is counted is compared exactly, of these cases and of [Alternate.Counts].
//
// before and after hold the measurements that judged; with an error, those made
// before it.
func (a *Alternate) Gate(ctx context.Context, j Judging) (c *Comparison, before, after *Results, err error) {
	before, after, err = a.Run(ctx)
	if err != nil {
		return nil, before, after, err
	}
	counted1, counted2, err := a.Count(ctx)
	if err != nil {
		return nil, before, after, err
	}
	suspects := a.suspects(before, after, j)
	if len(suspects) == 0 {
		before, after = before.plus(counted1), after.plus(counted2)
		j.Together = max(1, len(a.Cases))
		return Compare(before, after, j), before, after, nil
	}
	again := *a
	again.Cases, again.Rounds = suspects, 2*max(leastRounds, a.Rounds)
	second1, second2, err := again.Run(ctx)
	if err != nil {
		return nil, before, after, err
	}
	before, after = before.replaced(second1).plus(counted1), after.replaced(second2).plus(counted2)
	j.Together = len(suspects)
	c = Compare(before, after, j)
	for i, change := range c.Changes { // what was no suspect is not judged by the time
		if _, again := suspects.find(change.Name); !again && change.P > 0 && change.Verdict != Unmatched {
			c.Changes[i].Verdict = Alike
		}
	}
	return c, before, after, nil
}

// suspects are the cases whose times differ at first sight.
func (a *Alternate) suspects(before, after *Results, j Judging) (list Suite) {
	if j.Threshold == 0 {
		j.Threshold = DefaultThreshold
	}
	j.Threshold /= 2
	j.Together = 1
	for _, change := range Compare(before, after, j).Changes {
		if change.Verdict == Slower || change.Verdict == Faster {
			if c, ok := a.Cases.find(change.Name); ok {
				list = append(list, c)
			}
		}
	}
	return list
}

// find gives the case of a name.
func (s Suite) find(name string) (Case, bool) {
	for _, c := range s {
		if c.Name() == name {
			return c, true
		}
	}
	return Case{}, false
}

// plus are the results and others.
func (r *Results) plus(more *Results) *Results {
	return &Results{Missing: r.Missing, Records: slices.Concat(r.Records, more.Records)}
}

// replaced are the results with those of another run in place of their own.
func (r *Results) replaced(by *Results) *Results {
	out := &Results{Missing: r.Missing}
	for _, record := range r.Records {
		if len(by.at(string(record.Name))) == 0 {
			out.Records = append(out.Records, record)
		}
	}
	out.Records = append(out.Records, by.Records...)
	return out
}
