package tokens

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Reply makes the parse case of a generated reply: its ids, some of them damaged,
// and cuts between any of them. The prefix comes as ids, too, or as text.
func (p *Speller) Reply(s *fuzz.Source, in *fuzz.Input) (*value.Object, error) {
	ids, err := p.Spell(s, in.Reply)
	if err != nil {
		return nil, err
	}
	if s.OneIn(3) {
		ids = p.Damage(s, ids)
	}
	c := in.Case(nil)
	c.Delete("reply")
	c.Set("reply_ids", each(ids, number[token.ID]))
	if s.OneIn(2) {
		prefix, err := p.Spell(s, in.Prefix)
		if err != nil {
			return nil, err
		}
		c.Delete("prefix")
		c.Set("prefix_ids", each(prefix, number[token.ID]))
	}
	if s.OneIn(3) {
		c.Set("chunks", value.Int(int64(1+s.N(5))))
		return c, nil
	}
	var at []int
	for i := 1; i < len(ids); i++ {
		if s.OneIn(3) {
			at = append(at, i)
		}
	}
	c.Set("chunks", each(at, number[int]))
	return c, nil
}

func number[T token.ID | int](n T) value.Value { return value.Int(int64(n)) }

// ReplyReport is what a run of [Differ.Replies] found.
type ReplyReport struct {
	Same        int // replies that both sides read alike
	Raised      int // replies for which both raise
	Broken      int // replies whose ids are no whole text: it holds U+FFFD
	Unstable    int // replies that the reference reads otherwise when they are cut
	Failed      []string
	Differences []*Difference
}

func (r *ReplyReport) String() string {
	return fmt.Sprintf("%d same and %d raised, %d of them broken, %d unstable in the reference; %d failed, %d different",
		r.Same, r.Raised, r.Broken, r.Unstable, len(r.Failed), len(r.Differences))
}

// Replies compares n replies in ids, as [Speller.Reply] makes them: what the
// native side reads of them, cut and whole, with what the reference reads of the
// whole. What the reference reads of the same cuts is counted where it differs.
func (d *Differ) Replies(ctx context.Context, n int, next func(i int) *value.Object) *ReplyReport {
	var report ReplyReport
	var mu sync.Mutex
	fuzz.InFlight(n, 0, func(i int) func() {
		cut := next(i)
		whole := value.NewObject(cut.Len())
		for name, v := range cut.All() {
			if name != "chunks" {
				whole.Set(name, v)
			}
		}
		return func() {
			ask := func(a Answerer, c *value.Object) reading {
				return readingOf(a.Do(ctx, engine.Request{Op: engine.OpStream, Case: c}))
			}
			want, there := ask(d.Reference, whole), ask(d.Reference, cut)
			here := []reading{ask(d.Native, whole), ask(d.Native, cut)}
			mu.Lock()
			defer mu.Unlock()
			report.add([]*value.Object{whole, cut}, here, want, there)
		}
	})
	return &report
}

// reading is the answer of one side.
type reading struct{ failed, class, message, events string }

func readingOf(o corpus.Outcome) reading {
	switch o.Kind {
	case corpus.OK:
		return reading{message: value.Dumps(o.Value.Get("message")), events: fuzz.MergedStream(o.Value)}
	case corpus.Raised:
		return reading{class: o.Class}
	}
	return reading{failed: say(o)}
}

// add judges the native readings of one reply.
func (r *ReplyReport) add(cases []*value.Object, here []reading, want, there reading) {
	if failed := want.failed + there.failed; failed != "" {
		r.Failed = append(r.Failed, failed+"\n"+value.Dumps(cases[1].Value()))
		return
	}
	if there != want {
		r.Unstable++
	}
	for i, got := range here {
		for _, part := range []struct{ what, native, reference string }{
			{"outcome", got.failed + got.class, want.class}, {"message", got.message, want.message}, {"events", got.events, want.events}} {
			if part.native != part.reference {
				r.Differences = append(r.Differences, &Difference{Op: engine.OpStream, Case: cases[i], What: part.what, Native: part.native, Reference: part.reference})
				return
			}
		}
	}
	if strings.Contains(want.message, `\ufffd`) {
		r.Broken++
	}
	if want.class != "" {
		r.Raised++
		return
	}
	r.Same++
}
