package bench

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Judging says when a difference counts.
type Judging struct {
	// Alpha is the chance that is taken of calling the same two sides different in
	// any of the benchmarks together; 0 is 0.05.
	Alpha float64
	// Threshold is the share of the time below which a difference is let pass,
	// however certain it is; 0 is 0.10.
	Threshold float64
	// Together is the number of benchmarks that the chance is shared by; 0 is those
	// that are compared.
	Together int
	// Budget, if set, says up to which count more than before is let pass: whoever
	// wrote it there has meant it.
	Budget *Results
	// ExactOnly compares no times: they are of another machine.
	ExactOnly bool
}

// Default values of Judging.
const (
	DefaultAlpha     = 0.05
	DefaultThreshold = 0.10
)

// Verdict is what became of a benchmark. It is a closed set.
type Verdict uint8

// The verdicts.
const (
	Alike     Verdict = iota + 1 // no difference that counts
	Slower                       // certain, and more than the threshold
	Faster                       // likewise
	More                         // of something that is counted exactly
	Less                         // likewise
	Allowed                      // more of it, and the budget says so
	Unmatched                    // one side has not measured it
)

func (v Verdict) String() string {
	return [...]string{"", "same", "slower", "faster", "more", "less", "more, as the budget has it", "only on one side"}[v]
}

// Regressed tells whether the verdict fails a gate.
func (v Verdict) Regressed() bool { return v == Slower || v == More }

// Change is one benchmark in one unit on both sides.
type Change struct {
	Name, Unit string
	Old, New   float64 // medians; NaN where a side has none
	// P is the chance of so clear a difference between two samples of the same; 0
	// for what is counted exactly.
	P       float64
	N       [2]int // measurements on each side
	Verdict Verdict
}

// Comparison is two sets of results against each other.
type Comparison struct {
	Changes []Change
	// Geomean is the geometric mean of the ratios of times, new to old; NaN where no
	// time was compared.
	Geomean float64
	Timed   int // times that were compared
}

// Regressed are the changes that fail a gate.
func (c *Comparison) Regressed() (list []Change) {
	for _, change := range c.Changes {
		if change.Verdict.Regressed() {
			list = append(list, change)
		}
	}
	return list
}

// Compare compares benchmark by benchmark: processor time where both sides have
// it, else real time, by the Mann-Whitney U test of benchmath, each at Alpha
// divided by the number of benchmarks (Bonferroni), so that all together keep
// Alpha; and what is counted, exactly.
func Compare(before, after *Results, j Judging) *Comparison {
	if j.Alpha == 0 {
		j.Alpha = DefaultAlpha
	}
	if j.Threshold == 0 {
		j.Threshold = DefaultThreshold
	}
	out := &Comparison{}
	names := before.names()
	for _, name := range after.names() {
		if len(before.at(name)) == 0 {
			names = append(names, name)
		}
	}
	together := j.Together
	if together == 0 {
		together = max(1, len(names))
	}
	logs := 0.0
	for _, name := range names {
		if len(before.at(name)) == 0 || len(after.at(name)) == 0 {
			out.Changes = append(out.Changes, Change{Name: name, Old: math.NaN(), New: math.NaN(), Verdict: Unmatched})
			continue
		}
		if c, ok := compareTime(before, after, name, j, together); ok && !j.ExactOnly {
			out.Changes = append(out.Changes, c)
			logs += math.Log(c.New / c.Old)
			out.Timed++
		}
		for _, unit := range Exact {
			if c, ok := compareExact(before, after, name, unit, j.Budget); ok {
				out.Changes = append(out.Changes, c)
			}
		}
	}
	out.Geomean = math.Exp(logs / float64(out.Timed))
	return out
}

func compareTime(before, after *Results, name string, j Judging, together int) (Change, bool) {
	unit := tidyCPU
	a, b := before.sample(name, unit), after.sample(name, unit)
	if len(a) == 0 || len(b) == 0 {
		unit = tidyTime
		a, b = before.sample(name, unit), after.sample(name, unit)
	}
	if len(a) == 0 || len(b) == 0 {
		return Change{}, false
	}
	limits := benchmath.Thresholds{CompareAlpha: j.Alpha / float64(together)}
	sa, sb := benchmath.NewSample(a, &limits), benchmath.NewSample(b, &limits)
	test := benchmath.AssumeNothing.Compare(sa, sb)
	c := Change{Name: name, Unit: unit, P: test.P, N: [2]int{len(a), len(b)}, Verdict: Alike,
		Old: benchmath.AssumeNothing.Summary(sa, confidence).Center, New: benchmath.AssumeNothing.Summary(sb, confidence).Center}
	switch certain, ratio := test.P < test.Alpha, c.New/c.Old; {
	case certain && ratio > 1+j.Threshold:
		c.Verdict = Slower
	case certain && ratio < 1/(1+j.Threshold):
		c.Verdict = Faster
	}
	return c, true
}

// compareExact compares the least of each side: what is counted can only be
// disturbed upwards.
func compareExact(before, after *Results, name, unit string, budget *Results) (Change, bool) {
	a, b := before.sample(name, unit), after.sample(name, unit)
	if len(a) == 0 || len(b) == 0 {
		return Change{}, false
	}
	c := Change{Name: name, Unit: unit, N: [2]int{len(a), len(b)}, Old: slices.Min(a), New: slices.Min(b), Verdict: Alike}
	switch {
	case c.New > c.Old && budget != nil && slices.Contains(budget.sample(name, unit), c.New):
		c.Verdict = Allowed
	case c.New > c.Old:
		c.Verdict = More
	case c.New < c.Old:
		c.Verdict = Less
	}
	return c, true
}
