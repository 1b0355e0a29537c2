package gate

import (
	"context"
	"slices"
	"strings"

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
	all := ch.made
	if all == nil {
		all = r.allEdits()
	}
	var one [][]int
	for _, i := range all {
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
	for _, i := range all {
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

// allEdits are the numbers of all edits.
func (r *run) allEdits() []int {
	all := make([]int, len(r.edits))
	for i := range all {
		all[i] = i
	}
	return all
}

// try tells for each set of edits whether the base does as the candidate with it.
func (r *run) try(ctx context.Context, ch *change, sets ...[]int) []bool {
	cases := make([]corpus.Case, len(sets))
	for i, set := range sets {
		cases[i] = r.made(ch.prompt(), set)
	}
	got, _ := r.base.answers.Ask(ctx, opOf(ch), cases)
	before, after := r.prompted(ctx, ch)
	out := make([]bool, len(sets))
	for i, o := range got {
		out[i] = ctx.Err() == nil && follows(ch, o, before, after)
	}
	return out
}

// bring tells for each change whether the base does as the candidate with a set of
// edits. The changes are of one rule.
func (r *run) bring(ctx context.Context, list []*change, set []int) []bool {
	cases := make([]corpus.Case, len(list))
	for i, ch := range list {
		cases[i] = ch.prompt()
	}
	got := r.askMade(ctx, set, opOf(list[0]), cases)
	out := make([]bool, len(list))
	for i, ch := range list {
		before, after := r.prompted(ctx, ch)
		out[i] = ctx.Err() == nil && follows(ch, got[i], before, after)
	}
	return out
}

// prompt is the case of which the prompts show the change.
func (ch *change) prompt() corpus.Case {
	if ch.written != nil {
		return *ch.written
	}
	return ch.c
}

// opOf is what a change's prompt is asked by.
func opOf(ch *change) engine.Op {
	if ch.op == engine.OpMask {
		return engine.OpMask
	}
	return engine.OpRender
}

// prompted are the prompts or masks of a change; its answers may be messages.
func (r *run) prompted(ctx context.Context, ch *change) (before, after corpus.Outcome) {
	if ch.rule == ruleTurn || ch.rule == ruleTurnLossy {
		return r.ask(ctx, r.base, opOf(ch), ch.prompt()), r.ask(ctx, r.cand, opOf(ch), ch.prompt())
	}
	return ch.base, ch.cand
}

// made is a case with the base's template in which a set of edits is made.
func (r *run) made(c corpus.Case, set []int) corpus.Case {
	in := value.NewObject(c.Input.Len() + 1)
	for name, v := range c.Input.All() {
		in.Set(name, v)
	}
	in.Set("chat_template", value.String(with(r.base.source, r.edits, func(n int) bool { return slices.Contains(set, n) })))
	return corpus.Case{ID: c.ID, Kind: c.Kind, Input: in}
}

// askMade asks the base with a set of edits made; nil asks the candidate.
func (r *run) askMade(ctx context.Context, set []int, op engine.Op, cases []corpus.Case) []corpus.Outcome {
	if set == nil {
		out, _ := r.cand.answers.Ask(ctx, op, cases)
		return out
	}
	with := make([]corpus.Case, len(cases))
	for i, c := range cases {
		with[i] = r.made(c, set)
	}
	out, _ := r.base.answers.Ask(ctx, op, with)
	return out
}

// ask asks one side one case.
func (r *run) ask(ctx context.Context, s *side, op engine.Op, c corpus.Case) corpus.Outcome {
	out, _ := s.answers.Ask(ctx, op, []corpus.Case{c})
	return out[0]
}

// follows tells whether an answer goes with the candidate's where that leaves the
// base's; of a text that is lost, whether it is lost in this answer.
func follows(ch *change, o, base, cand corpus.Outcome) bool {
	switch {
	case o.Kind != cand.Kind:
		return false
	case ch.rule == ruleTextLost:
		return !strings.Contains(textOf(o), ch.lost)
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
