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

// CheckSteps repeats the reply eight and sixty-four times and compares the steps
// a byte, fed whole and a few bytes at a time. Patterns that must be backtracked
// are bounded by a budget instead and not judged here.
func CheckSteps(sub Subject, in *Input, _ ...Cut) *Violation {
	if !in.Template.Shape.Regular() {
		return nil
	}
	for _, size := range []int{0, 3} {
		few, ok := stepsOf(sub, in, 8, size)
		if !ok {
			return nil
		}
		many, ok := stepsOf(sub, in, 64, size)
		if ok && many > few*stepGrowth+stepSlack {
			return &Violation{Linear, in, Cut{Name: fmt.Sprintf("%d bytes at a time, 0 is whole", size)},
				fmt.Sprintf("%.1f steps a byte for the reply eight times, %.1f for sixty-four times", few, many)}
		}
	}
	return nil
}

// stepsOf gives the steps for each byte of the reply repeated n times; ok is
// false where reading fails or nothing counts.
func stepsOf(sub Subject, in *Input, n, size int) (perByte float64, ok bool) {
	o := in.Options()
	o.Problems = false
	reply := strings.Repeat(in.Reply, n)
	p, err := sub.Open(in.Template, o)
	if err != nil || reply == "" {
		return 0, false
	}
	counter, ok := p.(Stepper)
	if !ok {
		return 0, false
	}
	if size == 0 {
		size = len(reply)
	}
	for at := 0; at < len(reply) && err == nil; at += size {
		_, err = p.Feed(reply[at:min(at+size, len(reply))])
	}
	if err == nil {
		_, _, err = p.Finalize(harmony.StopUnknown())
	}
	return float64(counter.Steps()) / float64(len(reply)), err == nil
}
