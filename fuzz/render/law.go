package render

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/beam"
)

// Law is a promise that holds for every conversation.
type Law string

// The laws.
const (
	NoPanic   Law = "no panic"                                  // nothing panics
	Pure      Law = "the same twice"                            // rendering changes nothing and gives the same again
	RightPath Law = "errors have a place"                       // an error's path names something in the request
	RightMask Law = "spans are the model's turns"               // the spans are what follows each turn's prompt
	Grows     Law = "the next prompt begins with the last"      // exact append over all prefixes
	ReadsBack Law = "what is rendered reads back"               // render, then parse, gives the turn
	Stays     Law = "what is read, rendered and read is stable" // parse, render, parse
	Alike     Law = "what means the same renders the same"      // metamorphic laws
)

// Violation is a law that was broken.
type Violation struct {
	Law          Law
	Conversation *conversation.Conversation
	// Why says in words what came and what should have.
	Why string
}

func (v *Violation) Error() string {
	return fmt.Sprintf("%s: %s\n  case %v", v.Law, v.Why, v.Conversation)
}

// Tally is told of each class that an oracle puts something into.
type Tally func(class string)

// Oracle judges how a subject renders a conversation; nil where it holds.
type Oracle func(sub Subject, c *conversation.Conversation, tally Tally) *Violation

// Oracles are those that every conversation goes through.
var Oracles = []Oracle{CheckPure, CheckMask, CheckGrows, CheckKeeps, CheckReadsBack, CheckAlike}

// Check asks all oracles, and turns a panic of the subject into a violation.
// tally may be nil.
func Check(sub Subject, c *conversation.Conversation, tally Tally, oracles ...Oracle) (v *Violation) {
	defer func() {
		if r := recover(); r != nil {
			v = &Violation{NoPanic, c, fmt.Sprintf("%v\n%s", r, debug.Stack())}
		}
	}()
	if tally == nil {
		tally = func(string) {}
	}
	if len(oracles) == 0 {
		oracles = Oracles
	}
	for _, o := range oracles {
		if v := o(sub, c, tally); v != nil {
			return v
		}
	}
	return nil
}

// decode gives the request of a conversation, nil where the subject cannot take it.
func (sub Subject) decode(c *conversation.Conversation) *beam.Request {
	req, err := sub.Decode(c.Input.Value())
	if err != nil {
		return nil
	}
	return req
}

// classOf names an error: its class, "" for none.
func classOf(err error) string {
	var rendering *beam.Error
	var text *harmony.UTF8Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &rendering):
		return rendering.Class
	case errors.As(err, &text):
		return "UTF8Error"
	}
	return fmt.Sprintf("%T", err)
}
