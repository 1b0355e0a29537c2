package response

import (
	"cmp"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/typing"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Options are what a reply is read with.
type Options struct {
	// Prefix is the prompt that the reply follows. nil is refused, as the
	// reference does: pass the prompt, or "" where the reply holds the whole turn.
	Prefix *string
	// Tools type the arguments of calls. nil leaves them as they were written.
	Tools *Tools
	// Typing says how; nil is [typing.Reference], as the reference does.
	Typing typing.Policy
	// Stop says why the reply ended, for [Template.Parse].
	Stop harmony.Stop
	// Problems asks for the reply's regions and problems.
	Problems bool
	// OneCall says that exactly one call is expected: none, or several, is then
	// a problem.
	OneCall bool
	// Reasoning says that reasoning is expected: a reply without is then a problem.
	Reasoning bool
	// Markers are texts that stand for the format's structure wherever they
	// appear, such as the checkpoint's added tokens.
	Markers []string
	// Lenient reads on where the reference would raise: the region's raw text
	// stands for its value, and Finalize gives the first error with the reply.
	Lenient bool
	// Discard keeps no text of regions: a close event has no value, and the reply
	// no message and no calls. What is held is only text that may still become
	// a marker, however long the reply is. It excludes Problems.
	Discard bool
	// Limits bound what a reply may cost.
	Limits Limits
}

// Limits bound a reply. They depend on its text, never on how it is cut. Zero
// fields take the defaults.
type Limits struct {
	Bytes   int // of the reply, and so of the message; default 64 MiB
	Held    int // of text that waits for what follows it; default Bytes. It is looked at every Held bytes
	Regions int // default 1,000,000
	Depth   int // of JSON; default [value.MaxDepth]
	// Steps are of a pattern that backtracks (see [Template.Backtracks]), an anchor's
	// or a tag's, in the prefix too: for each position at which it may begin;
	// default 1,048,576. All positions together may take 16 times as many, and 64
	// more a byte. Whatever else reading does is linear, so that Bytes bounds it.
	Steps int
}

const (
	defaultBytes   = 64 << 20
	defaultRegions = 1_000_000
)

// complete puts the defaults in.
func (o *Options) complete() (err error) {
	if o.Typing == nil {
		o.Typing = typing.Reference{}
	}
	o.Limits, err = o.Limits.complete()
	return err
}

func (l Limits) complete() (Limits, error) {
	for _, f := range [...]struct {
		name  string
		limit int
	}{{"Bytes", l.Bytes}, {"Held", l.Held}, {"Regions", l.Regions}, {"Depth", l.Depth}, {"Steps", l.Steps}} {
		if f.limit < 0 {
			return l, fail(KindValue, "Limits.%s is %d: give a limit above zero, or 0 for the default", f.name, f.limit)
		}
	}
	l.Bytes = cmp.Or(l.Bytes, defaultBytes)
	l.Held = cmp.Or(l.Held, l.Bytes)
	l.Regions = cmp.Or(l.Regions, defaultRegions)
	l.Depth = cmp.Or(l.Depth, value.MaxDepth)
	l.Steps = cmp.Or(l.Steps, rx.DefaultBudget)
	return l, nil
}
