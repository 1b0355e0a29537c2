package fuzz

import (
	"fmt"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
)

// Stepper is a reader that counts what it does: bytes looked at or copied.
type Stepper interface{ Steps() int64 }

// The growth of the steps a byte that is still called linear: what does not
// depend on the length (the pattern's own program, the first region) makes the
// short reply a little dearer or cheaper a byte.
const (
	stepGrowth = 1.3
	stepSlack  = 4.0 // steps a byte
)

// The steps that a pattern which backtracks may take in this law, for each start;
// all starts together may take 16 times as many, and 64 a byte (response.Limits).
const (
	fewSteps  = 2000
	allSteps  = 16 * fewSteps
	byteSteps = 64
)

// CheckSteps repeats the reply eight and sixty-four times and compares the steps
// a byte, fed whole and a few bytes at a time, with problems and without. Where a
// pattern must be backtracked there is a budget instead: reading keeps to it,
// however the reply is cut, or ends with an error of the limit that tells where.
func CheckSteps(sub Subject, in *Input, _ ...Cut) *Violation {
	regular := in.Template.Shape.Regular()
	for _, problems := range []bool{false, true} {
		for _, size := range []int{0, 3} {
			cut := Cut{Name: fmt.Sprintf("%d bytes at a time, 0 is whole; problems %v", size, problems)}
			few, ok, why := stepsOf(sub, in, 8, size, problems)
			if why != "" {
				return &Violation{Linear, in, cut, why}
			}
			if !ok {
				break
			}
			many, ok, why := stepsOf(sub, in, 64, size, problems)
			if why != "" {
				return &Violation{Linear, in, cut, why}
			}
			if ok && regular && many > few*stepGrowth+stepSlack {
				return &Violation{Linear, in, cut,
					fmt.Sprintf("%.1f steps a byte for the reply eight times, %.1f for sixty-four times", few, many)}
			}
		}
	}
	return nil
}

// stepsOf gives the steps for each byte of the reply repeated n times; ok is
// false where reading fails or nothing counts, and why tells of a budget that was
// not kept.
func stepsOf(sub Subject, in *Input, n, size int, problems bool) (perByte float64, ok bool, why string) {
	o := in.Options()
	o.Problems = problems
	patterns := in.Template.Shape.backtracking()
	if patterns > 0 {
		o.Limits.Steps = fewSteps
	}
	reply := strings.Repeat(in.Reply, n)
	p, err := sub.Open(in.Template, o)
	if err != nil || reply == "" {
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
	steps := counter.Steps()
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
	return float64(steps) / float64(len(reply)), err == nil, ""
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
