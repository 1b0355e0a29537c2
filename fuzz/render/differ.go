package render

import (
	"context"
	"fmt"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/fuzz/conversation"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Differ renders conversations with two engines and compares what they give: the
// prompt, the spans that the model wrote, errors by class and text.
type Differ struct {
	Native, Reference engine.Engine
	// InFlight is the number of conversations that are under way at once; 0 means
	// 32.
	InFlight int
}

// Difference is a conversation that the two engines render differently.
type Difference struct {
	Conversation *conversation.Conversation
	Op           engine.Op
	// Native and Reference are the two answers, as text.
	Native, Reference string
}

// String is a repro to paste: the conversation, both answers, and where they
// part.
func (d *Difference) String() string {
	at := 0
	for at < min(len(d.Native), len(d.Reference)) && d.Native[at] == d.Reference[at] {
		at++
	}
	around := func(text string) string { return text[max(0, at-60):min(len(text), at+60)] }
	return fmt.Sprintf("%s differs at byte %d\n  case      %v\n  native    %q\n  reference %q\n", d.Op, at, d.Conversation, around(d.Native), around(d.Reference))
}

// Report is what a run of a Differ found.
type Report struct {
	Pairs       int // conversations that both sides rendered, as a prompt and as a mask
	Errors      int // answers of the reference that are errors
	Failed      []string
	Differences []*Difference
}

func (r *Report) String() string {
	return fmt.Sprintf("%d conversations, %d reference errors, %d failed, %d differences", r.Pairs, r.Errors, len(r.Failed), len(r.Differences))
}

// Run compares n conversations that next makes, by their number.
func (d *Differ) Run(ctx context.Context, n int, next func(i int) *conversation.Conversation) *Report {
	var report Report
	var mu sync.Mutex
	fuzz.InFlight(n, d.InFlight, func(i int) func() {
		c := next(i)
		return func() {
			var one Report
			d.compare(ctx, c, &one)
			mu.Lock()
			defer mu.Unlock()
			report.Pairs++
			report.Errors += one.Errors
			report.Failed = append(report.Failed, one.Failed...)
			report.Differences = append(report.Differences, one.Differences...)
		}
	})
	return &report
}

func (d *Differ) compare(ctx context.Context, c *conversation.Conversation, r *Report) {
	for _, op := range []engine.Op{engine.OpRender, engine.OpMask} {
		request := engine.Request{Op: op, Case: c.Input}
		want, got := d.Reference.Do(ctx, request), d.Native.Do(ctx, request)
		if want.Kind == corpus.Raised {
			r.Errors++
		}
		for _, o := range []corpus.Outcome{want, got} {
			if o.Kind == corpus.Failed || o.Kind == corpus.Cannot {
				r.Failed = append(r.Failed, fmt.Sprintf("%s of %v: %v, %s", op, c, o.Kind, o.Why))
				return
			}
		}
		if native, reference := answer(got), answer(want); native != reference {
			r.Differences = append(r.Differences, &Difference{c, op, native, reference})
		}
	}
}

// answer is an outcome as text: what is compared of it.
func answer(o corpus.Outcome) string {
	if o.Kind == corpus.Raised {
		return o.Class + ": " + o.Message
	}
	if text, ok := o.Value.AsString(); ok {
		return text
	}
	text, _ := o.Value.Get("text").AsString()
	return value.Dumps(o.Value.Get("spans")) + " " + text
}
