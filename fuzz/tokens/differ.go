package tokens

import (
	"context"
	"fmt"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Answerer answers requests, as an [engine.Engine] does.
type Answerer interface {
	Do(ctx context.Context, r engine.Request) corpus.Outcome
}

// Differ compares the answers of two sides with the same tokenizer.
type Differ struct{ Native, Reference Answerer }

// Difference is a case that the two sides answer differently.
type Difference struct {
	Op   engine.Op
	Case *value.Object
	// What differs first: the key of the answer, or outcome.
	What string
	// Index of the first item that differs, where the answer is a list.
	Index int
	// Native and Reference are the two answers there.
	Native, Reference string
}

// String is the case, to try it again, and both answers.
func (d *Difference) String() string {
	return fmt.Sprintf("%s: %s differs at %d\n%s\n  native    %s\n  reference %s\n", d.Op, d.What, d.Index, value.Dumps(d.Case.Value()), d.Native, d.Reference)
}

// Report is what a run compared and found.
type Report struct {
	Same, IDs   int // cases that agree, and their ids
	Masked      int // of the ids, those in the mask
	Raised      int // cases for which both sides raise
	NoIDs       int // cases that agree and have no ids: their text holds a lone surrogate
	Failed      []string
	Differences []*Difference
}

func (r *Report) String() string {
	return fmt.Sprintf("%d same with %d ids, %d of them masked; %d raised, %d without ids, %d failed, %d different",
		r.Same, r.IDs, r.Masked, r.Raised, r.NoIDs, len(r.Failed), len(r.Differences))
}

// Run compares n cases that next makes, by their number.
func (d *Differ) Run(ctx context.Context, op engine.Op, n int, next func(i int) *value.Object) *Report {
	var report Report
	var mu sync.Mutex
	fuzz.InFlight(n, 0, func(i int) func() {
		c := next(i)
		return func() {
			r := engine.Request{Op: op, Case: c}
			native, reference := d.Native.Do(ctx, r), d.Reference.Do(ctx, r)
			mu.Lock()
			defer mu.Unlock()
			report.add(r, native, reference)
		}
	})
	return &report
}

// add judges two outcomes.
func (r *Report) add(asked engine.Request, native, reference corpus.Outcome) {
	d := compare(native, reference)
	switch {
	case reference.Kind == corpus.Failed || reference.Kind == corpus.Cannot:
		r.Failed = append(r.Failed, fmt.Sprintf("%s: %s\n%s", reference.Kind, reference.Why, value.Dumps(asked.Case.Value())))
	case d != nil:
		d.Op, d.Case = asked.Op, asked.Case
		r.Differences = append(r.Differences, d)
	case reference.Kind == corpus.Raised:
		r.Raised++
	default:
		ids := list(reference.Value.Get("input_ids"))
		if ids == nil {
			r.NoIDs++
			return
		}
		r.Same++
		r.IDs += len(ids)
		for _, in := range list(reference.Value.Get("assistant_masks")) {
			if n, _ := in.AsInt(); n == 1 {
				r.Masked++
			}
		}
	}
}

// keys are those of the answers to encode and mask; each depends on those before it.
var keys = []string{"text", "spans", "input_ids", "attention_mask", "offsets", "assistant_masks"}

// compare gives the first difference of two outcomes, nil where there is none.
func compare(native, reference corpus.Outcome) *Difference {
	if native.Kind != reference.Kind || native.Class != reference.Class || native.Message != reference.Message {
		return &Difference{What: "outcome", Native: say(native), Reference: say(reference)}
	}
	for _, key := range keys {
		n, r := native.Value.Get(key), reference.Value.Get(key)
		if value.Equal(n, r) {
			continue
		}
		d := &Difference{What: key, Native: value.Dumps(n), Reference: value.Dumps(r)}
		ns, rs := list(n), list(r)
		for d.Index < min(len(ns), len(rs)) && value.Equal(ns[d.Index], rs[d.Index]) {
			d.Index++
		}
		if d.Index < min(len(ns), len(rs)) {
			d.Native, d.Reference = value.Dumps(ns[d.Index]), value.Dumps(rs[d.Index])
		} else if ns != nil && rs != nil {
			d.Native, d.Reference = fmt.Sprintf("%d in all", len(ns)), fmt.Sprintf("%d in all", len(rs))
		}
		return d
	}
	return nil
}

func say(o corpus.Outcome) string {
	return fmt.Sprintf("%s %s%s%s", o.Kind, o.Class, o.Message, o.Why)
}

// list gives the items of an array, nil where a value is none.
func list(v value.Value) []value.Value {
	items, ok := v.AsArray()
	if !ok {
		return nil
	}
	out := make([]value.Value, 0, items.Len())
	for _, item := range items.All() {
		out = append(out, item)
	}
	return out
}
