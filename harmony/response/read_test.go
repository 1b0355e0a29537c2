package response

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// answer is all that reading a reply gives, as text to compare.
type answer struct{ events, message, problems, err string }

// classOf is the class of an error, with the offset.
func classOf(err error) string {
	var e *Error
	var u *harmony.UTF8Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return fmt.Sprintf("%s at %d", e.Class(), e.Offset)
	case errors.As(err, &u):
		return fmt.Sprintf("UTF8Error at %d", u.Offset)
	}
	return err.Error()
}

// merged writes events with adjacent chunks of a region put together.
func merged(events []harmony.Event) string {
	var out []value.Value
	for i := 0; i < len(events); i++ {
		e := events[i]
		for e.Type == harmony.RegionChunk && i+1 < len(events) && events[i+1].Type == harmony.RegionChunk {
			i++
			e.Text += events[i].Text
		}
		out = append(out, e.Object())
	}
	return value.Dumps(value.List(out...))
}

func describe(r harmony.Reply) string {
	var b strings.Builder
	for _, r := range r.Regions {
		fmt.Fprintf(&b, "%s %v %v closed=%v; ", r.Field, r.Span, r.Body, r.Closed)
	}
	for _, c := range r.Calls {
		fmt.Fprintf(&b, "call %s %v closed=%v runnable=%v; ", value.Dumps(c.Value), c.Span, c.Closed, c.Runnable)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%v call=%d field=%s; ", p, p.Call, p.Field)
	}
	return b.String()
}

// readWhole parses a reply in one piece. It gives no events.
func readWhole(tpl *Template, o Options, reply string) answer {
	r, err := tpl.Parse(reply, o)
	return answer{"", value.Dumps(r.Message), describe(r), classOf(err)}
}

// readCut feeds a reply in chunks; next gives the length of each.
func readCut(tpl *Template, o Options, reply string, next func(at int) int) answer {
	p, err := tpl.NewParser(o)
	if err != nil {
		return answer{"", "null", "", classOf(err)}
	}
	var events []harmony.Event
	take := func(more []harmony.Event) {
		for _, e := range more {
			e.Value = e.Value.Clone() // later events may change what it shares
			events = append(events, e)
		}
	}
	take(p.InitialEvents())
	for at := 0; at < len(reply) && err == nil; {
		n := max(1, min(next(at), len(reply)-at))
		var more []harmony.Event
		more, err = p.Feed(reply[at : at+n])
		take(more)
		at += n
	}
	more, r, err := p.Finalize(o.Stop)
	take(more)
	return answer{merged(events), value.Dumps(r.Message), describe(r), classOf(err)}
}

// sameForCuts reads a reply whole, in one feed, and in feeds of one to three
// bytes, and requires one answer. It returns that answer, with the events.
func sameForCuts(t *testing.T, tpl *Template, o Options, reply string) answer {
	t.Helper()
	one := readCut(tpl, o, reply, func(int) int { return len(reply) })
	whole := readWhole(tpl, o, reply)
	whole.events = one.events
	if one != whole {
		t.Fatalf("reply %q\none feed %+v\nwhole    %+v", reply, one, whole)
	}
	for size := 1; size <= 3; size++ {
		if cut := readCut(tpl, o, reply, func(int) int { return size }); cut != whole {
			t.Fatalf("reply %q, feeds of %d bytes\n%+v\nwhole\n%+v", reply, size, cut, whole)
		}
	}
	return whole
}
