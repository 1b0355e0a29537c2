package gate

import (
	"context"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// tries is how many smaller cases are asked about for one finding.
const tries = 400

// shrink gives the smallest case of the same rule and cause, by the minimiser of
// package finding.
func (r *run) shrink(ctx context.Context, ch *change) *change {
	if ch.rule == ruleEngine || ctx.Err() != nil || r.report.Interrupted {
		return ch // each smaller case of the first may cost a time-out
	}
	best := ch
	judge := func(ctx context.Context, _ []engine.Engine, c corpus.Case) ([]finding.Verdict, error) {
		if r.failures >= manyFailures {
			return nil, nil // each try may cost a time-out
		}
		again := r.again(ctx, ch, c)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if again != nil && (again.base.Kind == corpus.Failed || again.cand.Kind == corpus.Failed) {
			r.failures++
		}
		if again == nil || !shows(again, ch) || r.key(again) != r.key(ch) {
			return nil, nil
		}
		best = again
		return []finding.Verdict{{Kind: corpus.CannotSay, What: ch.rule, Fails: true}}, nil
	}
	f := &finding.Finding{Case: ch.c}
	f.Case.Want = nil
	v, signature, err := f.Ask(ctx, judge, nil)
	if err != nil || signature == "" {
		return ch
	}
	f.Verdict, f.Signature = v, signature
	if f.Shrink(ctx, judge, nil, tries) != nil {
		return ch
	}
	best.c = finding.Name(f.Case)
	best.c.Source = ch.c.Source
	best.rule, best.known = ch.rule, ch.known
	return best
}

// shows tells whether a smaller case shows a change: by the same rule, but that it is
// not in the documentation.
func shows(again, ch *change) bool {
	switch ch.rule {
	case ruleDocumented:
		return again.rule == rulePrompt || again.rule == ruleTextLost
	case ruleReplyDocumented:
		return again.rule == ruleReply || again.rule == ruleValueLost || again.rule == ruleTypeLost
	}
	return again.rule == ch.rule
}

// again is a change in another case, nil where there is none.
func (r *run) again(ctx context.Context, like *change, c corpus.Case) *change {
	switch like.rule {
	case ruleTurn, ruleTurnLossy:
		return r.turnAgain(ctx, like, c)
	case ruleNativePrompt, ruleNativeReply:
		return r.nativeAgain(ctx, like, c)
	}
	again := &change{c: c, op: like.op, base: r.ask(ctx, r.base, like.op, c), made: like.made}
	again.cand = r.askMade(ctx, like.made, like.op, []corpus.Case{c})[0]
	if like.op == engine.OpParse {
		if again.rule, again.where = replyRule(again); again.rule != "" {
			again.cause.field = readCause(again)
		}
		return again
	}
	if again.rule, again.where = r.promptRule(again); shows(again, like) {
		r.trace(ctx, []*change{again})
		again.cause.edits = like.cause.edits
		if again.cause.base != like.cause.base || again.cause.cand != like.cause.cand {
			return nil // the edits behind it were not tried
		}
	}
	return again
}

func (r *run) turnAgain(ctx context.Context, like *change, c corpus.Case) *change {
	t, ok := turnOf(c)
	if !ok {
		return nil
	}
	base, err := r.base.readBack(ctx, []turn{t})
	if err != nil {
		return nil
	}
	cand, err := r.cand.readBack(ctx, []turn{t})
	if err != nil {
		return nil
	}
	again := turnChange(t, base[0], cand[0])
	if again.rule != like.rule || again.lost != like.lost || (again.written == nil) != (like.written == nil) {
		return nil
	}
	again.c = c
	again.cause = like.cause
	return again
}

func (r *run) nativeAgain(ctx context.Context, like *change, c corpus.Case) *change {
	base, cand := r.ask(ctx, r.base, like.op, c), r.ask(ctx, r.cand, like.op, c)
	native := r.Native.Do(ctx, engine.Request{Op: like.op, Case: c.Input})
	return nativeChange(c, base, cand, native)
}
