package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// CheckSpans compares the spans of a reading with the events: regions lie one
// after another in the input, each holds its body, and the body's text is what
// the chunks told.
func CheckSpans(sub Subject, in *Input, _ ...Cut) *Violation {
	r := sub.Read(in, in.Options(), Cut{})
	bad := func(format string, args ...any) *Violation {
		return &Violation{Law: RightSpans, Input: in, Why: fmt.Sprintf(format, args...)}
	}
	if r.Err != nil {
		return nil
	}
	low, high := -int64(len(in.Prefix)), int64(len(in.Reply))
	inside := func(s harmony.Span) bool { return low <= s.Start && s.Start <= s.End && s.End <= high }
	bodies := bodiesOf(r.Events)
	if len(bodies) != len(r.Reply.Regions) {
		return bad("%d regions, but the events tell of %d\n%s", len(r.Reply.Regions), len(bodies), told(r.Reply))
	}
	at := low
	for i, g := range r.Reply.Regions {
		switch {
		case !inside(g.Span) || g.Span.Start < at:
			return bad("region %d lies at %v, behind %d, in an input from %d to %d", i, g.Span, at, low, high)
		case g.Body.Start < g.Span.Start || g.Body.End > g.Span.End || g.Body.Start > g.Body.End:
			return bad("region %d at %v has its body at %v", i, g.Span, g.Body)
		}
		if text, want := in.at(g.Body), bodies[i]; text != want.text || g.Field != want.field {
			return bad("region %d, %s, has %q at %v, but the events tell %s %q", i, g.Field, text, g.Body, want.field, want.text)
		}
		at = g.Span.End
	}
	for _, c := range r.Reply.Calls {
		if !inside(c.Span) || !strings.Contains(r.Message, value.Dumps(c.Value)) && !overwritten(c, r.Reply.Problems) {
			return bad("call %s at %v is not in the message %s", value.Dumps(c.Value), c.Span, r.Message)
		}
		if c.Runnable && in.Stop.Length() && !c.Closed {
			return bad("a call without a close is runnable though the limit of tokens ended the reply: %s", value.Dumps(c.Value))
		}
	}
	for _, p := range r.Reply.Problems {
		if !inside(p.Span) || p.Kind.String() == "" || p.Detail == "" || p.Call >= len(r.Reply.Calls) {
			return bad("problem %v, call %d of %d, in an input from %d to %d", p, p.Call, len(r.Reply.Calls), low, high)
		}
	}
	return nil
}

// overwritten tells whether a problem says that a later region replaced the one
// of a call.
func overwritten(c harmony.Call, problems []harmony.Problem) bool {
	return slices.ContainsFunc(problems, func(p harmony.Problem) bool {
		return p.Kind == harmony.RegionOverwritten && p.Span.Start <= c.Span.Start && c.Span.End <= p.Span.End
	})
}

// at is the text of a span, which may begin in the prefix.
func (in *Input) at(s harmony.Span) string {
	n := int64(len(in.Prefix))
	return (in.Prefix + in.Reply)[s.Start+n : s.End+n]
}

// region is what the events tell of one region.
type region struct{ field, text string }

func bodiesOf(events []harmony.Event) (out []region) {
	var now region
	for _, e := range events {
		switch e.Type {
		case harmony.RegionOpen:
			now = region{field: e.Field}
		case harmony.RegionChunk:
			now.text += e.Text
		case harmony.RegionClose:
			out = append(out, now)
		}
	}
	return out
}
