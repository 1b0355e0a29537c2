package gate

import (
	"context"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// hidden looks for what edits do that no cause names so far: where each prompt
// changes in its first line, nothing is seen of what changes in the last. The base
// with these edits alone is compared with the base, in the cases that changed, and
// so on until there is no such edit, or they do nothing.
func (r *run) hidden(ctx context.Context) {
	whole := slices.Clone(r.changes)
	for {
		left := r.unnamed()
		if len(left) == 0 || len(left) == len(r.edits) || len(r.edits) > manyEdits || ctx.Err() != nil {
			return
		}
		var more []*change
		for _, op := range []engine.Op{engine.OpRender, engine.OpMask} {
			var of []*change
			var cases []corpus.Case
			for _, ch := range whole {
				if ch.op == op && ch.rule != ruleTurn && ch.rule != ruleTurnLossy && ch.rule != ruleNativePrompt {
					of, cases = append(of, ch), append(cases, ch.c)
				}
			}
			for i, o := range r.askMade(ctx, left, op, cases) {
				ch := &change{c: of[i].c, op: op, base: of[i].base, cand: o, made: left, known: of[i].known}
				if o.Kind != of[i].cand.Kind {
					continue // they need the others
				}
				if ch.rule, ch.where = r.promptRule(ch); ch.rule != "" {
					more = append(more, ch)
				}
			}
		}
		if len(more) == 0 || ctx.Err() != nil {
			return
		}
		r.findCauses(ctx, more)
		r.changes = append(r.changes, more...)
		if len(r.unnamed()) == len(left) {
			return
		}
	}
}

// unnamed are the edits that are in no cause.
func (r *run) unnamed() []int {
	return slices.DeleteFunc(r.allEdits(), func(i int) bool {
		return slices.ContainsFunc(r.changes, func(ch *change) bool { return slices.Contains(ch.cause.edits, i) })
	})
}

// lineOfMade is the candidate's line that a line of the base with some edits made is;
// 0 where the candidate does not have it.
func (r *run) lineOfMade(set []int, line int) int {
	if set == nil || line == 0 {
		return line
	}
	moved := 0 // how many lines later the candidate is than the text
	for i, e := range r.edits {
		made := slices.Contains(set, i)
		from, lines := e.cand.from-moved, e.base.lines()
		if made {
			lines = e.cand.lines()
		}
		switch {
		case line < from:
			return line + moved
		case line < from+lines && made:
			return line + moved
		case line < from+lines:
			return 0
		}
		moved += e.cand.lines() - lines
	}
	return line + moved
}
