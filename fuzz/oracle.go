package fuzz

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Law is a promise that holds for every reply.
type Law string

// The laws.
const (
	NoPanic    Law = "no panic"            // nothing panics
	SameCuts   Law = "same for every cut"  // message, events, problems and errors are those of the whole reply
	RightSpans Law = "spans are right"     // spans lie in the reply, in order, and hold the text that was told
	Nothing    Law = "nothing is lost"     // each byte is in a region, in a marker or in a problem
	InTime     Law = "delivered in time"   // what is certain is told at once, and nothing else
	Linear     Law = "linear steps"        // a longer reply costs as much a byte
	RightError Law = "errors have a place" // an error's offset is in the input, and the error stays
)

// Violation is a law that was broken.
type Violation struct {
	Law   Law
	Input *Input
	Cut   Cut
	// Why says in words what came and what should have.
	Why string
}

func (v *Violation) Error() string {
	return fmt.Sprintf("%s: %s\n%s", v.Law, v.Why, v.Input.repro(v.Cut))
}

// repro is all that is needed to try an input again.
func (in *Input) repro(cut Cut) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  template %s\n  reply    %q\n  prefix   %q\n  cut      %s\n", in.Template.Name, in.Reply, in.Prefix, cut)
	if in.Tools != nil {
		fmt.Fprintf(&b, "  tools    %s\n", value.Dumps(value.List(in.Tools...)))
	}
	if token, ok := in.Stop.Token(); ok || in.Stop.Length() {
		fmt.Fprintf(&b, "  stop     length=%v token=%q\n", in.Stop.Length(), token)
	}
	return b.String()
}

// Oracle judges how a subject reads an input; nil where it holds.
type Oracle func(sub Subject, in *Input, cuts ...Cut) *Violation

// Guard turns a panic of the subject into a violation.
func Guard(o Oracle) Oracle {
	return func(sub Subject, in *Input, cuts ...Cut) (v *Violation) {
		defer func() {
			if r := recover(); r != nil {
				v = &Violation{Law: NoPanic, Input: in, Why: fmt.Sprintf("%v\n%s", r, debug.Stack())}
			}
		}()
		return o(sub, in, cuts...)
	}
}

// Cheap are the oracles that every input goes through.
var Cheap = []Oracle{Guard(CheckCuts), Guard(CheckSpans), Guard(CheckLoss), Guard(CheckErrors)}

// Check asks all cheap oracles.
func Check(sub Subject, in *Input, cuts ...Cut) *Violation {
	for _, o := range Cheap {
		if v := o(sub, in, cuts...); v != nil {
			return v
		}
	}
	return nil
}
