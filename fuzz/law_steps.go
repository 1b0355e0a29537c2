package fuzz

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
)

// Stepper is a reader that counts what it does: bytes looked at or copied.
type Stepper interface{ Steps() int64 }

// A reply is repeated to so many bytes, and then to twice, eight and sixteen times
// as many. What a byte costs is taken from the second half of the second and of the
// last: what does not depend on the length (the patterns' own programs, the first
// region) is in neither.
const stepBytes = 1 << 10

// The growth of the steps a byte that is still called linear, and the slack: a
// buffer that doubles copies a byte not at all, once or twice, as the lengths fall.
const (
	stepGrowth = 1.05
	stepSlack  = 2.2 // steps a byte
)

// The steps that a pattern which backtracks may take in this law, for each start;
// all starts together may take 16 times as many, and 64 a byte (response.Limits).
const (
	fewSteps  = 2000
	allSteps  = 16 * fewSteps
	byteSteps = 64
)

// CheckSteps repeats the reply a few times and many times and compares the steps
// a byte, fed whole and a few bytes at a time, with problems and without. Where a
// pattern must be backtracked there is a budget instead: reading keeps to it,
// however the reply is cut, or ends with an error of the limit that tells where.
func CheckSteps(sub Subject, in *Input, _ ...Cut) *Violation {
	if in.Reply == "" {
		return nil
	}
	times := 1 + stepBytes/len(in.Reply)
	for _, problems := range []bool{false, true} {
		for _, size := range []int{0, 3} {
			if why := checkSteps(sub, in, times, size, problems); why != "" {
				return &Violation{Linear, in, Cut{Name: fmt.Sprintf("%d bytes at a time, 0 is whole; problems %v", size, problems)}, why}
			}
		}
	}
	return nil
}

// checkSteps is CheckSteps for one size of feeds; why is "" where the law holds.
func checkSteps(sub Subject, in *Input, times, size int, problems bool) (why string) {
	var steps [4]int64
	for i, n := range []int{times, 2 * times, 8 * times, 16 * times} {
		var ok bool
		if steps[i], ok, why = stepsOf(sub, in, n, size, problems); !ok || why != "" {
			return why
		}
	}
	if !in.Template.Shape.Regular() {
		return ""
	}
	bytes := float64(times * len(in.Reply))
	few, many := float64(steps[1]-steps[0])/bytes, float64(steps[3]-steps[2])/(8*bytes)
	if many <= few*stepGrowth+stepSlack {
		return ""
	}
	return fmt.Sprintf("%.2f steps a byte of the reply %d times, %.2f of %d times", few, 2*times, many, 16*times)
}

// stepsOf gives the steps for the reply repeated n times; ok is false where reading
// fails or nothing counts, and why tells of a budget that was not kept.
func stepsOf(sub Subject, in *Input, n, size int, problems bool) (steps int64, ok bool, why string) {
	o := in.Options()
	o.Problems = problems
	patterns := in.Template.Shape.backtracking()
	if patterns > 0 {
		o.Limits.Steps = fewSteps
	}
	reply := strings.Repeat(in.Reply, n)
	p, err := sub.Open(in.Template, o)
	if err != nil {
		return 0, false, ""
	}
	counter, ok := p.(Stepper)
	if !ok {
		return 0, false, ""
	}
	if size == 0 {
		size = len(reply)
	}
	for at := 0; at < len(reply) && err == nil; at += size {
		_, err = p.Feed(reply[at:min(at+size, len(reply))])
	}
	_, _, again := p.Finalize(harmony.StopUnknown())
	if err == nil {
		err = again
	}
	steps = counter.Steps()
	if class, offset := ErrorOf(err); class == "LimitError" && (offset < int64(-len(in.Prefix)) || offset > int64(len(reply))) {
		return 0, false, fmt.Sprintf("the error of the limit tells of byte %d", offset)
	}
	// Whatever else is done is some tens of steps a byte, for each field.
	most := int64(patterns)*(allSteps+fewSteps) + int64((patterns*byteSteps+100*(1+len(in.Template.Shape.Fields)))*(len(in.Prefix)+len(reply)))
	if problems {
		most *= 3 // values are written and read again, and markers are looked for
	}
	if patterns > 0 && steps > most {
		return 0, false, fmt.Sprintf("%d steps for %d bytes, %d are allowed", steps, len(reply), most)
	}
	return steps, err == nil, ""
}

// backtracking counts the patterns that cannot be searched in linear time.
func (s *Shape) backtracking() (n int) {
	add := func(p *pattern) {
		if !p.regular() {
			n++
		}
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		for _, m := range []*Marker{f.Open, f.Close} {
			if m != nil {
				add(m.Pattern)
			}
		}
		for c := &f.Content; c != nil; c = c.Sub {
			add(c.Tag)
		}
	}
	return n
}
