package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// cause is why an answer changed. Changes of one cause are one finding.
type cause struct {
	// edits are those of the chat template that bring the change about, by number;
	// none where it is not the chat template's.
	edits []int
	// base and cand are the lines that wrote the first byte that differs, or that
	// raised; 0 where nobody did.
	base, cand int
	// field is where messages part, for a change of reading.
	field string
}

// key tells causes apart. A line that wrote the byte counts where it is edited
// itself: an edit elsewhere may show in the text of many lines.
func (r *run) key(ch *change) string {
	c := ch.cause
	switch ch.rule {
	case ruleNativePrompt, ruleNativeReply:
		return ch.rule
	case ruleEngine:
		return ch.rule + " " + string(ch.op)
	}
	if c.field != "" {
		return "reply " + c.field
	}
	if len(c.edits) == 0 {
		return fmt.Sprintf("lines %d %d %s", c.base, c.cand, ch.cand.Class)
	}
	return fmt.Sprintf("edits %v %d", c.edits, r.within(c))
}

// within is the line of the cause in an edit of several lines, counted from 1; 0
// where the edit is of one line, or holds none that wrote the byte.
func (r *run) within(c cause) int {
	for _, i := range c.edits {
		e := r.edits[i]
		switch {
		case e.base.lines() <= 1 && e.cand.lines() <= 1:
		case e.cand.has(c.cand):
			return 1 + c.cand - e.cand.from
		case e.base.has(c.base):
			return 1 + c.base - e.base.from
		}
	}
	return 0
}

// edited are the lines of a cause that its edits hold, else 0. Where an edit has as
// many lines on both sides, a line of one stands for that of the other.
func (r *run) edited(c cause) (base, cand int) {
	for _, i := range c.edits {
		e := r.edits[i]
		if e.base.has(c.base) {
			base = c.base
		}
		if e.cand.has(c.cand) {
			cand = c.cand
		}
		switch alike := e.base.lines() == e.cand.lines(); {
		case alike && base == 0 && e.cand.has(c.cand):
			base = e.base.from + c.cand - e.cand.from
		case alike && cand == 0 && e.base.has(c.base):
			cand = e.cand.from + c.base - e.base.from
		}
	}
	return base, cand
}

// findCauses fills the causes of changes, all of which have the same edits made.
func (r *run) findCauses(ctx context.Context, changes []*change) {
	var prompts []*change
	for _, ch := range changes {
		switch {
		case ch.rule == ruleNativePrompt || ch.rule == ruleNativeReply:
		case ch.rule == ruleEngine: // trying edits might cost as many time-outs
			for i := range r.edits {
				if ch.op != engine.OpParse && i < manyEdits {
					ch.cause.edits = append(ch.cause.edits, i)
				}
			}
		case ch.op == engine.OpParse:
			ch.cause.field = readCause(ch)
		default:
			prompts = append(prompts, ch)
		}
	}
	r.trace(ctx, prompts)
	groups := map[string][]*change{}
	var order []string
	for _, ch := range prompts {
		if (ch.rule == ruleTurn || ch.rule == ruleTurnLossy) && ch.cause.base == 0 && ch.cause.cand == 0 {
			ch.cause.field = readCause(ch) // the prompts are the same: it is the reading
			continue
		}
		key := fmt.Sprintf("%s %d %d", ch.rule, ch.cause.base, ch.cause.cand)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], ch)
	}
	for i, key := range order {
		r.progress("causes", i, len(order))
		r.attribute(ctx, groups[key])
	}
}

// attribute finds the edits behind changes that one line wrote: those of the
// smallest, then those of the smallest that they do not bring about, and so on.
func (r *run) attribute(ctx context.Context, list []*change) {
	for len(list) > 0 {
		edits := r.editsBehind(ctx, smallestOf(list))
		does := make([]bool, len(list))
		if len(edits) > 0 && len(edits) < len(r.edits) && len(r.edits) <= manyEdits {
			does = r.bring(ctx, list, edits)
		}
		smallest := smallestOf(list)
		var left []*change
		for i, ch := range list {
			if ch == smallest || does[i] {
				ch.cause.edits = edits
			} else {
				left = append(left, ch)
			}
		}
		if len(left) == len(list)-1 { // nothing was tried, or nothing is alike
			for _, ch := range left {
				ch.cause.edits = edits
			}
			return
		}
		list = left
	}
}

// readCause is the field in which a reading changed; of errors their classes.
func readCause(ch *change) string {
	if ch.base.Kind != corpus.OK || ch.cand.Kind != corpus.OK {
		return strings.TrimSpace("error " + ch.base.Class + " " + ch.cand.Class)
	}
	return fieldOf(ch.where.Path)
}

// smallestOf is the change with the shortest input, the first of equals.
func smallestOf(list []*change) *change {
	return slices.MinFunc(list, func(a, b *change) int {
		return len(value.Dumps(a.c.Input.Value())) - len(value.Dumps(b.c.Input.Value()))
	})
}

// trace fills the lines of changes, all of which have the same edits made.
func (r *run) trace(ctx context.Context, list []*change) {
	for some := range slices.Chunk(list, batch) {
		cases := make([]corpus.Case, len(some))
		for i, ch := range some {
			cases[i] = corpus.Case{ID: ch.c.ID, Kind: corpus.Render, Input: traceable(ch)}
		}
		before, _ := r.base.answers.Ask(ctx, engine.OpTrace, cases)
		after := r.askMade(ctx, some[0].made, engine.OpTrace, cases)
		for i, ch := range some {
			base, err := engine.ReadTraced(Base, before[i])
			cand, err2 := engine.ReadTraced(Candidate, after[i])
			if err == nil && err2 == nil {
				ch.cause.base, ch.cause.cand = linesOf(ch, base, cand)
				ch.cause.cand = r.lineOfMade(ch.made, ch.cause.cand)
			}
		}
	}
}

// traceable is a case as render takes it: a mask's text has no generation prompt
// where the case does not say.
func traceable(ch *change) *value.Object {
	c := ch.prompt()
	if _, says := c.Input.Get("add_generation_prompt"); says || ch.op != engine.OpMask {
		return c.Input
	}
	in := value.NewObject(c.Input.Len() + 1)
	for name, v := range c.Input.All() {
		in.Set(name, v)
	}
	in.Set("add_generation_prompt", value.Bool(false))
	return in
}

// linesOf are the lines that wrote the first byte in which two prompts differ, or
// that raised. Of prompts that are the same they are those of the first span that
// differs.
func linesOf(ch *change, base, cand engine.Traced) (int, int) {
	line := func(t engine.Traced, at int) int {
		if t.Raised != nil {
			return t.Raised.Line
		}
		return t.LineAt(at)
	}
	at := report.FirstDifference(base.Text, cand.Text)
	if base.Text == cand.Text && ch.op == engine.OpMask {
		at = firstSpan(base.Text, ch.base.Value.Get("spans"), ch.cand.Value.Get("spans"))
	}
	return line(base, at), line(cand, at)
}

// firstSpan is the byte at which two lists of spans, in characters, part.
func firstSpan(text string, a, b value.Value) int {
	bounds := func(v value.Value) (out []int64) {
		list, _ := v.AsArray()
		for _, span := range list.All() {
			pair, _ := span.AsArray()
			for _, x := range pair.All() {
				n, _ := x.AsInt()
				out = append(out, n)
			}
		}
		return out
	}
	x, y := bounds(a), bounds(b)
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	var at int64
	switch {
	case i < len(x) && i < len(y):
		at = min(x[i], y[i])
	case i < len(x):
		at = x[i]
	case i < len(y):
		at = y[i]
	}
	offset, _ := corpus.NewIndex(text).Byte(int(at))
	return offset
}
