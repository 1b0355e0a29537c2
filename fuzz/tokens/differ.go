package tokens

import (
	"context"
	"fmt"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Differ compares an encoder with the reference, whose checkpoint has the same
// tokenizer.
type Differ struct {
	Reference engine.Engine
	Encoder   token.Encoder
}

// Difference is a case whose text the two sides encode differently.
type Difference struct {
	Case *value.Object
	// What differs first: ids, offsets or mask; number where one side has more
	// of them, error where the native side has none.
	What string
	// Index of the id that differs.
	Index int
	// Native and Reference are the two answers there, offsets in bytes.
	Native, Reference string
}

// String is the case, to try it again, and both answers.
func (d *Difference) String() string {
	return fmt.Sprintf("the %s differs at id %d\n%s\n  native    %s\n  reference %s\n", d.What, d.Index, value.Dumps(d.Case.Value()), d.Native, d.Reference)
}

// Report is what a run compared and found.
type Report struct {
	Same, IDs   int // cases that agree, and their ids
	Masked      int // of the ids, those in the mask
	Raised      int // cases that the reference raises for
	NoIDs       int // cases whose text has no ids: it holds a lone surrogate
	Failed      []string
	Differences []*Difference
}

func (r *Report) String() string {
	return fmt.Sprintf("%d same with %d ids, %d of them masked; %d raised, %d without ids, %d failed, %d different",
		r.Same, r.IDs, r.Masked, r.Raised, r.NoIDs, len(r.Failed), len(r.Differences))
}

// Run compares n cases that next makes, by their number. An op is [engine.OpMask]
// or [engine.OpEncode], which has no mask.
func (d *Differ) Run(ctx context.Context, op engine.Op, n int, next func(i int) *value.Object) *Report {
	var report Report
	var mu sync.Mutex
	fuzz.InFlight(n, 0, func(i int) func() {
		c := next(i)
		return func() {
			out := d.Reference.Do(ctx, engine.Request{Op: op, Case: c})
			mu.Lock()
			defer mu.Unlock()
			d.judge(&report, c, out)
		}
	})
	return &report
}

// judge compares the reference's outcome of a case.
func (d *Differ) judge(r *Report, c *value.Object, out corpus.Outcome) {
	switch {
	case out.Kind == corpus.Raised:
		r.Raised++
		return
	case out.Kind != corpus.OK:
		r.Failed = append(r.Failed, fmt.Sprintf("%s: %s\n%s", out.Kind, out.Why, value.Dumps(c.Value())))
		return
	case out.Value.Get("input_ids").IsNull():
		r.NoIDs++
		return
	}
	want := readAnswer(out.Value)
	got, err := d.Encoder.Encode(want.text)
	if err != nil {
		r.Differences = append(r.Differences, &Difference{c, "error", 0, err.Error(), fmt.Sprintf("%d ids", len(want.IDs))})
		return
	}
	if diff := want.compare(got); diff != nil {
		diff.Case = c
		r.Differences = append(r.Differences, diff)
		return
	}
	r.Same++
	r.IDs += len(got.IDs)
	for _, in := range want.mask {
		if in {
			r.Masked++
		}
	}
}

// answer is what the reference says of a text, its positions in bytes.
type answer struct {
	token.Encoding
	text  string
	spans []harmony.Span
	mask  []bool // nil where none was asked for
}

func readAnswer(v value.Value) answer {
	var a answer
	a.text, _ = v.Get("text").AsString()
	for _, id := range list(v.Get("input_ids")) {
		n, _ := id.AsInt()
		a.IDs = append(a.IDs, token.ID(n))
	}
	a.Offsets = spans(a.text, v.Get("offsets"))
	a.spans = spans(a.text, v.Get("spans"))
	for _, in := range list(v.Get("assistant_masks")) {
		n, _ := in.AsInt()
		a.mask = append(a.mask, n == 1)
	}
	return a
}

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

// spans reads pairs of positions in characters.
func spans(text string, v value.Value) []harmony.Span {
	index := corpus.NewIndex(text)
	at := func(v value.Value) int64 {
		char, _ := v.AsInt()
		offset, _ := index.Byte(int(char))
		return int64(offset)
	}
	var out []harmony.Span
	for _, pair := range list(v) {
		p := list(pair)
		out = append(out, harmony.Span{Start: at(p[0]), End: at(p[1])})
	}
	return out
}

// compare gives the first difference to an encoding, nil where there is none.
func (a *answer) compare(got token.Encoding) *Difference {
	for i := range min(len(got.IDs), len(a.IDs)) {
		if got.IDs[i] != a.IDs[i] {
			return &Difference{What: "ids", Index: i, Native: fmt.Sprint(got.IDs[i]), Reference: fmt.Sprint(a.IDs[i])}
		}
		if got.Offsets[i] != a.Offsets[i] {
			return &Difference{What: "offsets", Index: i, Native: fmt.Sprint(got.Offsets[i]), Reference: fmt.Sprint(a.Offsets[i])}
		}
	}
	if g, w := len(got.IDs), len(a.IDs); g != w {
		return &Difference{What: "number", Index: min(g, w), Native: fmt.Sprint(g), Reference: fmt.Sprint(w)}
	}
	if a.mask == nil {
		return nil
	}
	for i, in := range token.Mask(got, a.spans) {
		if in != a.mask[i] {
			return &Difference{What: "mask", Index: i, Native: fmt.Sprint(in), Reference: fmt.Sprint(a.mask[i])}
		}
	}
	return nil
}
