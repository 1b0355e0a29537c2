package chat

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

func compile(t testing.TB, template value.Value) *response.Template {
	t.Helper()
	tpl, err := response.Compile(template)
	if err != nil {
		t.Fatal(err)
	}
	return tpl
}

func beam(t testing.TB) *response.Template { return compile(t, checkpoint.Default().ResponseTemplate) }

// ids counts up, from 1 for each reply.
func ids() func() string {
	n := 0
	return func() string { n++; return fmt.Sprintf("id%d", n) }
}

// viewOf is a view whose IDs count up.
func viewOf(tpl *response.Template) *View {
	return NewView(tpl.MessageFields(), Options{NewID: ids()})
}

// streamed is what a client has of a reply.
type streamed struct {
	Completion
	differences []Difference
	err         error
}

// read gives a reply to a stream and puts the deltas together; tamper, for
// planted faults, may change them.
func read(tpl *response.Template, o response.Options, chunks iter.Seq[string], tamper func([]Delta) []Delta) (got streamed) {
	p, err := tpl.NewParser(o)
	if err != nil {
		return streamed{err: err}
	}
	s := viewOf(tpl).Stream()
	take := func(deltas []Delta) {
		if tamper != nil {
			deltas = tamper(slices.Clone(deltas))
		}
		for _, d := range deltas {
			m := &got.Message
			m.Role += d.Role
			m.Content += d.Content
			m.Reasoning += d.Reasoning
			if d.Call != nil {
				m.Calls = append(m.Calls, *d.Call)
			}
			got.FinishReason += d.FinishReason
		}
	}
	take(s.Add(p.InitialEvents()))
	for chunk := range chunks {
		events, err := p.Feed(chunk)
		take(s.Add(events))
		if err != nil {
			got.err = err
			return got
		}
	}
	events, reply, err := p.Finalize(o.Stop)
	if err != nil {
		got.err = err
		return got
	}
	take(s.Finish(events, reply, o.Stop))
	got.Withheld, got.differences = s.Withheld, s.Differences
	return got
}

// law compares a streamed reply with the whole one: the same message, reason and
// calls, except for a text that is told as a difference, and that only where a
// problem tells of a region that was overwritten.
func law(tpl *response.Template, o response.Options, reply string, got streamed) error {
	o.Problems = true
	r, err := tpl.Parse(reply, o)
	if (err == nil) != (got.err == nil) || err != nil && err.Error() != got.err.Error() {
		return fmt.Errorf("whole: error %v, streamed: %v", err, got.err)
	}
	if err != nil {
		return nil
	}
	want := viewOf(tpl).Completion(r, o.Stop)
	have := got.Completion
	for _, d := range got.differences {
		text, whole := &have.Message.Content, &want.Message.Content
		if d.Use == Reasoning {
			text, whole = &have.Message.Reasoning, &want.Message.Reasoning
		}
		if len(*text) != d.Sent || *whole != d.Text || *text == *whole {
			return fmt.Errorf("a difference of %d bytes sent and the text %q, but sent was %q and the text is %q", d.Sent, d.Text, *text, *whole)
		}
		if !slices.ContainsFunc(r.Problems, func(p harmony.Problem) bool { return p.Kind == harmony.RegionOverwritten }) {
			return fmt.Errorf("%v differs, but nothing was overwritten: sent %q, the message has %q", d.Use, *text, *whole)
		}
		*text = *whole
	}
	if !reflect.DeepEqual(have.Message, want.Message) || have.FinishReason != want.FinishReason || len(have.Withheld) != len(want.Withheld) {
		return fmt.Errorf("streamed %+v\nwhole    %+v", have, want)
	}
	if have.FinishReason == ToolCalls && len(have.Message.Calls) == 0 {
		return errors.New("tool_calls without a call")
	}
	return nil
}

// pieces cuts text into pieces of next() bytes.
func pieces(text string, next func() int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := min(next(), len(text))
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// cuts are ways to cut a reply, by name.
func cuts(reply string) iter.Seq2[string, iter.Seq[string]] {
	return func(yield func(string, iter.Seq[string]) bool) {
		for _, size := range []int{len(reply) + 1, 1, 2, 3, 5, 8, 64} {
			if !yield(fmt.Sprint(size, " bytes"), pieces(reply, func() int { return size })) {
				return
			}
		}
		for seed := range uint64(6) {
			rng := rand.New(rand.NewPCG(seed, 1))
			if !yield(fmt.Sprint("random, seed ", seed), pieces(reply, func() int { return 1 + rng.IntN(12) })) {
				return
			}
		}
	}
}

// Streamed at any cut and for any stop, a reply of the corpus is what it is
// whole.
func TestCorpus(t *testing.T) {
	calls, reasons, differences := 0, map[string]int{}, 0
	for _, c := range parseCases(t) {
		stops := []harmony.Stop{c.o.Stop}
		for _, stop := range []harmony.Stop{harmony.StopUnknown(), harmony.StopLength(), harmony.StopToken("<|call|>")} {
			if stop != c.o.Stop {
				stops = append(stops, stop)
			}
		}
		for _, o := range stops {
			c.o.Stop = o
			var first *streamed
			for name, chunks := range cuts(c.reply) {
				got := read(c.tpl, c.o, chunks, nil)
				if err := law(c.tpl, c.o, c.reply, got); err != nil {
					t.Fatalf("%s, %v, cut by %s: %v", c.id, o, name, err)
				}
				if first == nil {
					first = &got
				} else if got.err == nil && !reflect.DeepEqual(got.Message, first.Message) {
					t.Fatalf("%s, cut by %s: %+v\nelse %+v", c.id, name, got.Message, first.Message)
				}
			}
			calls += len(first.Message.Calls)
			differences += len(first.differences)
			reasons[first.FinishReason]++
		}
	}
	t.Logf("%d calls, %v, %d texts that differ", calls, reasons, differences)
	if calls == 0 || reasons[Stop] == 0 || reasons[Length] == 0 || reasons[ToolCalls] == 0 || differences == 0 {
		t.Error("the cases do not reach every outcome")
	}
}

// Faults that a stream may have are found by the law.
func TestPlantedFaults(t *testing.T) {
	faults := map[string]func([]Delta) []Delta{
		"a text is sent twice": func(ds []Delta) (out []Delta) {
			for _, d := range ds {
				if out = append(out, d); d.Content != "" {
					out = append(out, Delta{Content: d.Content})
				}
			}
			return out
		},
		"white space is lost": func(ds []Delta) []Delta {
			for i := range ds {
				ds[i].Content = strings.ReplaceAll(ds[i].Content, " ", "")
			}
			return ds
		},
		"reasoning is content": func(ds []Delta) []Delta {
			for i := range ds {
				ds[i].Content, ds[i].Reasoning = ds[i].Content+ds[i].Reasoning, ""
			}
			return ds
		},
		"a call is sent twice": func(ds []Delta) (out []Delta) {
			for _, d := range ds {
				if out = append(out, d); d.Call != nil {
					out = append(out, Delta{Call: d.Call})
				}
			}
			return out
		},
		"calls are lost": func(ds []Delta) []Delta {
			return slices.DeleteFunc(ds, func(d Delta) bool { return d.Call != nil })
		},
		"arguments are changed": func(ds []Delta) []Delta {
			for i := range ds {
				if c := ds[i].Call; c != nil {
					changed := *c
					changed.Arguments = strings.ReplaceAll(c.Arguments, " ", "")
					ds[i].Call = &changed
				}
			}
			return ds
		},
		"always tool_calls": func(ds []Delta) []Delta {
			for i := range ds {
				if ds[i].FinishReason != "" {
					ds[i].FinishReason = ToolCalls
				}
			}
			return ds
		},
		"no role": func(ds []Delta) []Delta {
			for i := range ds {
				ds[i].Role = ""
			}
			return ds
		},
	}
	cases := parseCases(t)
	for name, fault := range faults {
		found := 0
		for _, c := range cases {
			got := read(c.tpl, c.o, pieces(c.reply, func() int { return 3 }), fault)
			if law(c.tpl, c.o, c.reply, got) != nil {
				found++
			}
		}
		if t.Logf("%s: found in %d cases", name, found); found == 0 {
			t.Errorf("%s: no case notices", name)
		}
	}
}
