package gate

import (
	"context"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// manyEdits is from how many edits on they are not tried one by one: the template
// was written anew, and the lines that wrote the byte say more.
const manyEdits = 64

// editsBehind are the edits that bring a change about: the base's template with
// them alone does what the candidate's does, up to the first byte that differs.
// None where not even all of them do: then it is not the chat template's.
func (r *run) editsBehind(ctx context.Context, ch *change) []int {
	if len(r.edits) == 0 {
		return nil
	}
	if len(r.edits) > manyEdits {
		return r.holding(ch.cause)
	}
	all := make([]int, len(r.edits))
	var one [][]int
	for i := range all {
		all[i] = i
		one = append(one, []int{i})
	}
	does := r.try(ctx, ch, append(one, all)...)
	for i, ok := range does[:len(one)] {
		if ok {
			return one[i]
		}
	}
	if !does[len(one)] {
		return nil
	}
	least := all
	for i := range all {
		fewer := make([]int, 0, len(least))
		for _, j := range least {
			if j != i {
				fewer = append(fewer, j)
			}
		}
		if r.try(ctx, ch, fewer)[0] {
			least = fewer
		}
	}
	return least
}

// holding are the edits that hold a line of the cause.
func (r *run) holding(c cause) (out []int) {
	for i, e := range r.edits {
		if e.base.has(c.base) || e.cand.has(c.cand) {
			out = append(out, i)
		}
	}
	return out
}

// try tells for each set of edits whether the base does as the candidate with it.
func (r *run) try(ctx context.Context, ch *change, sets ...[]int) []bool {
	cases := make([]corpus.Case, len(sets))
	for i, set := range sets {
		chosen := map[int]bool{}
		for _, n := range set {
			chosen[n] = true
		}
		in := value.NewObject(ch.c.Input.Len() + 1)
		for name, v := range ch.c.Input.All() {
			in.Set(name, v)
		}
		in.Set("chat_template", value.String(with(r.base.source, r.edits, func(n int) bool { return chosen[n] })))
		cases[i] = corpus.Case{Kind: ch.c.Kind, Input: in}
	}
	op := engine.OpRender
	if ch.op == engine.OpMask {
		op = engine.OpMask
	}
	before, after := ch.base, ch.cand
	if ch.rule == ruleTurn || ch.rule == ruleTurnLossy { // the answers are messages
		before, after = r.ask(ctx, r.base, op, ch.c), r.ask(ctx, r.cand, op, ch.c)
	}
	got, _ := r.base.answers.Ask(ctx, op, cases)
	out := make([]bool, len(sets))
	for i, o := range got {
		out[i] = ctx.Err() == nil && follows(o, before, after)
	}
	return out
}

// ask asks one side one case.
func (r *run) ask(ctx context.Context, s *side, op engine.Op, c corpus.Case) corpus.Outcome {
	out, _ := s.answers.Ask(ctx, op, []corpus.Case{c})
	return out[0]
}

// follows tells whether an answer goes with the candidate's where that leaves the
// base's.
func follows(o, base, cand corpus.Outcome) bool {
	switch {
	case o.Kind != cand.Kind:
		return false
	case cand.Kind == corpus.Raised:
		return o.Class == cand.Class && o.Message == cand.Message
	case cand.Kind != corpus.OK:
		return true
	case base.Kind != corpus.OK:
		return true // it renders now
	}
	before, after, text := textOf(base), textOf(cand), textOf(o)
	if before == after {
		return value.Equal(common(o), common(cand))
	}
	return text == after || report.FirstDifference(text, after) > report.FirstDifference(before, after)
}
