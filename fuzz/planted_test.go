package fuzz

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// faulty is the native reader with a bug in what it takes in or gives out.
type faulty struct {
	Reader
	feed   func(r Reader, chunk string) ([]harmony.Event, error)
	events func([]harmony.Event) []harmony.Event
	end    func(harmony.Reply, error) (harmony.Reply, error)
	late   []harmony.Event // kept back
}

func (f *faulty) Feed(chunk string) ([]harmony.Event, error) {
	if f.feed == nil {
		events, err := f.Reader.Feed(chunk)
		return f.change(events), err
	}
	events, err := f.feed(f.Reader, chunk)
	return f.change(events), err
}

func (f *faulty) Finalize(stop harmony.Stop) ([]harmony.Event, harmony.Reply, error) {
	events, reply, err := f.Reader.Finalize(stop)
	events = append(f.late, f.change(events)...)
	if f.end != nil {
		reply, err = f.end(reply, err)
	}
	return events, reply, err
}

func (f *faulty) change(events []harmony.Event) []harmony.Event {
	if f.events != nil {
		return f.events(events)
	}
	return events
}

// Steps of a reader that reads all it was fed again at each feed.
type quadratic struct {
	Reader
	fed, steps int64
}

func (q *quadratic) Feed(chunk string) ([]harmony.Event, error) {
	q.fed += int64(len(chunk))
	q.steps += q.fed
	return q.Reader.Feed(chunk)
}

func (q *quadratic) Steps() int64 { return q.steps }

// Steps of a reader that looks each byte up in a tree of all before it.
type logarithmic struct {
	Reader
	fed int
}

func (l *logarithmic) Feed(chunk string) ([]harmony.Event, error) {
	l.fed += len(chunk)
	return l.Reader.Feed(chunk)
}

func (l *logarithmic) Steps() int64 { return int64(l.fed * bits.Len(uint(l.fed))) }

// Steps of a reader that tries many paths for each byte, beyond its budget. They
// grow with the reply, so that only the budget tells.
type overspent struct {
	Reader
	fed int64
}

func (s *overspent) Feed(chunk string) ([]harmony.Event, error) {
	s.fed += int64(len(chunk))
	return s.Reader.Feed(chunk)
}

func (s *overspent) Steps() int64 { return 1000 * s.fed }

// misplaced ends with an error of a limit that tells of a byte behind the reply.
type misplaced struct{ Reader }

func (m misplaced) Finalize(stop harmony.Stop) ([]harmony.Event, harmony.Reply, error) {
	events, reply, _ := m.Reader.Finalize(stop)
	return events, reply, &response.Error{Kind: response.KindLimit, Msg: "x", Offset: 1 << 40}
}

func (misplaced) Steps() int64 { return 0 }

// plant makes a subject of the native reader with a fault. What a subject reads
// in one piece goes through the same reader.
func plant(wrap func(Reader) Reader) Subject {
	open := func(t *Template, o response.Options) (Reader, error) {
		r, err := Native.Open(t, o)
		if err != nil {
			return nil, err
		}
		return wrap(r), nil
	}
	return Subject{Open: open, Whole: func(t *Template, reply string, o response.Options) (harmony.Reply, error) {
		r, err := open(t, o)
		if err != nil {
			return harmony.Reply{}, err
		}
		r.Feed(reply)
		_, out, err := r.Finalize(o.Stop)
		return out, err
	}}
}

// faults are bugs that readers of replies have, with the oracle that must see
// each.
var faults = []struct {
	name   string
	oracle Oracle
	law    Law
	wrap   func(Reader) Reader
}{
	{"a close at the edge of a chunk is dropped", CheckCuts, SameCuts, func(r Reader) Reader {
		return &faulty{Reader: r, feed: func(r Reader, chunk string) ([]harmony.Event, error) {
			if strings.HasSuffix(chunk, "|>") && !strings.HasSuffix(chunk, "message|>") {
				chunk = chunk[:len(chunk)-1]
			}
			return r.Feed(chunk)
		}}
	}},
	{"a brace at the start of a chunk is lost", CheckCuts, SameCuts, func(r Reader) Reader {
		return &faulty{Reader: r, feed: func(r Reader, chunk string) ([]harmony.Event, error) {
			return r.Feed(strings.TrimPrefix(chunk, "<"))
		}}
	}},
	{"a chunk that splits a character is replaced", CheckCuts, SameCuts, func(r Reader) Reader {
		return &faulty{Reader: r, feed: func(r Reader, chunk string) ([]harmony.Event, error) {
			return r.Feed(strings.ToValidUTF8(chunk, "\ufffd"))
		}}
	}},
	{"two regions are swapped", CheckSpans, RightSpans, func(r Reader) Reader {
		return &faulty{Reader: r, end: func(reply harmony.Reply, err error) (harmony.Reply, error) {
			if g := reply.Regions; len(g) > 1 {
				g[0], g[1] = g[1], g[0]
			}
			return reply, err
		}}
	}},
	{"an offset is one too high", CheckSpans, RightSpans, func(r Reader) Reader {
		return &faulty{Reader: r, end: func(reply harmony.Reply, err error) (harmony.Reply, error) {
			for i := range reply.Regions {
				reply.Regions[i].Body.Start++
				reply.Regions[i].Body.End++
			}
			return reply, err
		}}
	}},
	{"a problem is left out", CheckLoss, Nothing, func(r Reader) Reader {
		return &faulty{Reader: r, end: func(reply harmony.Reply, err error) (harmony.Reply, error) {
			reply.Problems = nil
			return reply, err
		}}
	}},
	{"text comes a feed late", CheckDelivery, InTime, func(r Reader) Reader {
		f := &faulty{Reader: r}
		f.events = func(events []harmony.Event) []harmony.Event {
			out := f.late
			f.late = append([]harmony.Event(nil), events...)
			return out
		}
		return f
	}},
	{"text comes before it is certain", CheckDelivery, InTime, func(r Reader) Reader {
		return &faulty{Reader: r, feed: func(r Reader, chunk string) ([]harmony.Event, error) {
			events, err := r.Feed(chunk)
			if len(events) == 0 && err == nil {
				events = []harmony.Event{{Type: harmony.RegionChunk, Field: "content", Text: chunk}}
			}
			return events, err
		}}
	}},
	{"all is kept to the end", CheckDelivery, InTime, func(r Reader) Reader {
		f := &faulty{Reader: r}
		f.events = func(events []harmony.Event) []harmony.Event {
			f.late = append(f.late, events...)
			return nil
		}
		return f
	}},
	{"an error is forgotten", CheckErrors, RightError, func(r Reader) Reader {
		return &faulty{Reader: r, end: func(reply harmony.Reply, err error) (harmony.Reply, error) { return reply, nil }}
	}},
	{"an offset is from the wrong place", CheckErrors, RightError, func(r Reader) Reader {
		return &faulty{Reader: r, end: func(reply harmony.Reply, err error) (harmony.Reply, error) {
			return reply, &response.Error{Kind: response.KindValue, Msg: "x", Offset: 1 << 40}
		}}
	}},
	{"each feed reads all again", CheckSteps, Linear, func(r Reader) Reader { return &quadratic{Reader: r} }},
	{"each byte costs a little more", CheckSteps, Linear, func(r Reader) Reader { return &logarithmic{Reader: r} }},
	{"a budget is not kept", CheckSteps, Linear, func(r Reader) Reader { return &overspent{Reader: r} }},
	{"a limit is told of the wrong place", CheckSteps, Linear, func(r Reader) Reader { return misplaced{r} }},
	{"a panic", CheckErrors, NoPanic, func(r Reader) Reader {
		return &faulty{Reader: r, feed: func(Reader, string) ([]harmony.Event, error) { panic("index out of range") }}
	}},
}

// Each fault must be seen, within a few inputs, by the oracle it is for; and that
// oracle must be quiet about the reader without it.
func TestPlantedFaults(t *testing.T) {
	const inputs = 60
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			subject, oracle := plant(fault.wrap), Guard(fault.oracle)
			for _, name := range []string{"each", "plain", "channels", "looks"} {
				for i := range inputs {
					in := makeInput(FindTemplate(name), i)
					cuts := []Cut{in.Cut, ByteCut(FromSeed(uint64(i)), in)}
					if fault.law == InTime && len(in.Reply) > 150 {
						continue
					}
					if v := oracle(Native, in, cuts...); v != nil {
						t.Fatalf("without the fault: %v", v)
					}
					if v := oracle(subject, in, cuts...); v != nil {
						if v.Law != fault.law {
							t.Fatalf("seen as %q, not as %q", v.Law, fault.law)
						}
						t.Logf("seen at input %d of %s", i, name)
						return
					}
				}
			}
			t.Errorf("not seen in %d inputs", 4*inputs)
		})
	}
}

// A difference from the reference must be told with all that is needed to try it
// again.
func TestDifferenceSaysAll(t *testing.T) {
	in := makeInput(FindTemplate("beam"), 1)
	in.Tools = []value.Value{value.Members(value.Member{Name: "name", Value: value.String("f")})}
	d := &Difference{in, "message", `{"a": 1}`, `{"a": 2}`}
	for _, part := range []string{"the message differs", "beam", in.Cut.Name, `"name": "f"`, `{"a": 1}`, `{"a": 2}`} {
		if !strings.Contains(d.String(), part) {
			t.Errorf("%q is missing in\n%s", part, d)
		}
	}
}
