package pattern

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// clock answers how long a reply takes, in nanoseconds, from its length and whether
// the template is the plain one: 0 raises, less is no answer in time. nth counts the
// questions.
type clock func(bytes float64, plain bool, nth int) float64

// stopwatch is a reference that takes as long as a clock says.
type stopwatch struct {
	clock
	asked int
}

func (s *stopwatch) Ask(_ context.Context, op engine.Op, cases []corpus.Case) (out []corpus.Outcome, err error) {
	for _, c := range cases {
		in, _ := c.Input.Get("case")
		reply, _ := in.Get("reply").AsString()
		s.asked++
		ns := s.clock(float64(len(reply)), value.Equal(in.Get("response_template"), plainTemplate()), s.asked)
		switch {
		case op != opTime:
			out = append(out, corpus.Outcome{Kind: corpus.Cannot})
		case ns < 0:
			out = append(out, corpus.Outcome{Kind: corpus.Failed, Why: "timed out"})
		case ns == 0:
			out = append(out, corpus.Outcome{Kind: corpus.OK, Value: value.Members()})
		default:
			ns := value.List(value.Int(int64(2*ns)), value.Int(int64(ns)))
			out = append(out, corpus.Outcome{Kind: corpus.OK, Value: value.Members(value.Member{Name: "ns", Value: ns})})
		}
	}
	return out, nil
}

// Growth is confirmed by how times grow, and by nothing else.
func TestTimes(t *testing.T) {
	power := func(e float64) clock {
		return func(n float64, _ bool, _ int) float64 { return 2e5 + 20*math.Pow(n, e) }
	}
	template := one(openThen + `"<x>"`)
	for _, c := range []struct {
		name      string
		clock     clock
		predicted float64
		stream    bool
		confirmed bool
		growth    float64
	}{
		{"in proportion", power(1), 2, false, false, 2},
		{"a little more", power(1.2), 2, false, false, 2},
		{"squared", power(2), 2, false, true, 2},
		{"cubed", power(3), 3, false, true, 3},
		{"a disturbance", func(n float64, _ bool, nth int) float64 {
			if n > 30000 && nth < 15 {
				return 1e9
			}
			return power(1)(n, false, nth)
		}, 2, false, false, 2},
		{"raises", func(float64, bool, int) float64 { return 0 }, 2, false, false, 2},
		{"squared, then no answer", func(n float64, plain bool, nth int) float64 {
			if n > 1000 {
				return -1
			}
			return power(2)(n, plain, nth)
		}, 2, false, true, 2},
		{"no answer at all", func(float64, bool, int) float64 { return -1 }, 2, false, false, 2},
		{"doubled by each character", func(n float64, _ bool, _ int) float64 { return 1e4 + 50*math.Pow(2, n) }, math.Inf(1), false, true, math.Inf(1)},
		{"doubled, then no answer", func(n float64, _ bool, _ int) float64 {
			if n > 10 {
				return -1
			}
			return 1e4 + 50*math.Pow(2, n)
		}, math.Inf(1), false, true, math.Inf(1)},
		{"squared only", power(2), math.Inf(1), false, true, 2},
		{"in proportion after all", power(1), math.Inf(1), false, false, math.Inf(1)},
		{"a stream, as a plain one", power(2), 2, true, false, 2},
		{"a stream, slower than a plain one", func(n float64, plain bool, nth int) float64 {
			if plain {
				return power(1)(n, plain, nth)
			}
			return power(2)(n, plain, nth)
		}, 2, true, true, 2},
	} {
		p := &Prediction{Kind: Slow, Part: template.Parts[0], Cause: retried, Engine: "reference", Growth: c.predicted, stream: c.stream,
			sizes: func(n int) string { return strings.Repeat("a", n) }}
		if err := template.Confirm(t.Context(), &stopwatch{clock: c.clock}, []*Prediction{p}); err != nil {
			t.Fatal(err)
		}
		if p.Confirmed != c.confirmed || p.Growth != c.growth || p.Confirmed && len(p.Shown) < 4 {
			t.Errorf("%s: confirmed %v, growth %v, %v", c.name, p.Confirmed, p.Growth, p.Shown)
		}
	}
}

// A template of many patterns that may take long is not timed for ever, and it is
// said of which that is so.
func TestTimesOfMany(t *testing.T) {
	template := one(openThen + `"<x>"`)
	var all []*Prediction
	for range maxTimed + 2 {
		all = append(all, &Prediction{Kind: Slow, Part: template.Parts[0], Cause: retried, Engine: "reference", Growth: 2,
			sizes: func(n int) string { return strings.Repeat("a", n) }})
	}
	if err := template.Confirm(t.Context(), &stopwatch{clock: func(n float64, _ bool, _ int) float64 { return 1e5 + n*n }}, all); err != nil {
		t.Fatal(err)
	}
	for i, p := range all {
		if p.Confirmed != (i < maxTimed) || p.Confirmed == strings.Contains(p.Reason, "not timed") {
			t.Errorf("%d: confirmed %v, %s", i, p.Confirmed, p.Reason)
		}
	}
}

// A template of many patterns that take long to look at ends, and names those that
// were not looked at.
func TestTooLong(t *testing.T) {
	var fields []value.Member
	for _, name := range []string{"a", "b", "c"} {
		fields = append(fields, value.Member{Name: name, Value: value.Members(
			value.Member{Name: "open_pattern", Value: value.String("<" + name + ">[^>]*>")}, value.Member{Name: "close", Value: value.String(";")})})
	}
	template := Read(value.Members(value.Member{Name: "fields", Value: value.Members(fields...)}))
	template.spent, template.walked = allSpent+1, allWalked+1
	for _, p := range template.Predict() {
		if p.Kind != Withheld && p.Cause != heldRate {
			t.Errorf("%s %s is predicted", p.Part.Path, p.Cause)
		}
	}
	if len(template.Unread) != 6 || !strings.HasPrefix(template.Unread[0], "fields.a.open_pattern: ") {
		t.Errorf("%q", template.Unread)
	}
}
