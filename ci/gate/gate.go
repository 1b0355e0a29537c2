package gate

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Gate compares two sides.
type Gate struct {
	Base, Candidate Side
	// Native is this project's Go over the candidate; nil leaves it out.
	Native engine.Engine
	// Format is the candidate's: cases of the corpus of another one keep their
	// conversations and lose their wants.
	Format string
	// Cases are the conversations and replies to begin with; nil are those of the
	// corpus and of the shapes of package law.
	Cases []corpus.Case
	// Count is how many generated cases are asked, 0 none; Seed chooses them. After
	// Time no more cases of a kind are asked, and a note says how many were: those of
	// Cases come first. 0 is no limit.
	Count int
	Time  time.Duration
	Seed  uint64
	// Laws are asked of both sides. What the base breaks already is not told, unless
	// Old is set: then it is a finding, with the status Old.
	Laws []law.Law
	Old  bool
	// Known are differences between base and candidate, or native and reference,
	// that are explained; Today is the day by which they expire.
	Known []corpus.KnownDifference
	Today corpus.Date
	// Progress, if set, hears how far the run is, from one goroutine at a time.
	Progress func(phase string, done, total int)
}

// run is one Gate at work.
type run struct {
	*Gate
	base, cand *side
	edits      []edit // of the chat template
	rules      map[string]*report.Rule
	changes    []*change
	report     report.Report
	begin      time.Time
	failures   int // how often a side gave no answer
}

// Run asks both sides and reports what changed. The error is that of an engine
// that cannot start. When ctx ends, Run stops and reports what was found so far,
// marked as Interrupted.
func (g *Gate) Run(ctx context.Context) (*report.Report, error) {
	r := &run{Gate: g, base: newSide(Base, g.Base), cand: newSide(Candidate, g.Candidate), rules: map[string]*report.Rule{}}
	r.report.Verb, r.report.Compared, r.begin = "gate", true, time.Now()
	r.report.Subjects = []report.Subject{r.base.subject(), r.cand.subject()}
	r.edits = editsOf(r.base.source, r.cand.source)
	err := r.all(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	r.report.Interrupted = ctx.Err() != nil
	// What was found is grouped also where the time is up, but not made smaller.
	rest, stop := context.WithTimeout(context.WithoutCancel(ctx), afterwards)
	defer stop()
	if ctx.Err() == nil {
		rest = ctx
	}
	r.collect(rest)
	return &r.report, nil
}

// afterwards is how long a run that was interrupted goes on asking for the causes
// of what it has found.
const afterwards = 5 * time.Second

// all asks everything.
func (r *run) all(ctx context.Context) error {
	for _, s := range []*side{r.base, r.cand} {
		if _, err := s.Engine.Info(ctx); err != nil {
			return err
		}
	}
	if ok, err := r.probe(ctx); err != nil || !ok {
		return err
	}
	cases := r.cases()
	for _, part := range []func(context.Context, []corpus.Case) error{r.prompts, r.replies, r.turns} {
		if err := part(ctx, cases); err != nil {
			return err
		}
	}
	return r.laws(ctx)
}

// probe asks both sides for the prompt of one plain message. Where one of them does
// not end, nothing else is asked: each case would cost its limits.
func (r *run) probe(ctx context.Context) (bool, error) {
	in := value.Members(value.Member{Name: "messages", Value: value.List(value.Members(
		value.Member{Name: "role", Value: value.String("user")}, value.Member{Name: "content", Value: value.String("Hello")}))})
	o, _ := in.AsObject()
	c := corpus.Case{ID: "gate/plain", Kind: corpus.Render, Input: o}
	if r.base.source == "" && r.cand.source == "" {
		return true, nil
	}
	base, cand := r.ask(ctx, r.base, engine.OpRender, c), r.ask(ctx, r.cand, engine.OpRender, c)
	if err := ctx.Err(); err != nil {
		return false, err
	}
	ch := &change{c: c, op: engine.OpRender, base: base, cand: cand}
	switch {
	case base.Kind == corpus.Failed:
		r.report.NotChecked = append(r.report.NotChecked, "the base gives no prompt of a plain message: "+firstLine(base.Why))
		return false, nil
	case cand.Kind == corpus.Failed:
		ch.rule, ch.where = r.promptRule(ch)
		r.asked(false, ch.rule, ruleEngine)
		r.changes = append(r.changes, ch)
		r.report.Notes = append(r.report.Notes, "nothing else was asked")
		return false, nil
	}
	return true, nil
}

// batch is how many cases are asked at once, and manyFailures how many of all may
// fail, by their limits of time and memory, before no more are asked: between two
// batches, so that a report does not depend on which answer comes first.
const (
	batch        = 32
	manyFailures = 8
)

// givenUp tells whether no more cases are asked, and says so in the report: it is a
// note where the candidate is at fault, which is a finding by itself.
func (r *run) givenUp(what string) bool {
	if r.failures < manyFailures {
		return false
	}
	text := fmt.Sprintf("not asked: %s, as %d cases had no answer within the limits of time and memory", what, r.failures)
	if slices.ContainsFunc(r.changes, func(ch *change) bool { return ch.rule == ruleEngine }) {
		r.report.Notes = append(r.report.Notes, text)
	} else {
		r.report.NotChecked = append(r.report.NotChecked, text)
	}
	return true
}

// both asks both sides the same, and native Go where native is set, a batch at a
// time; look hears of each case in their order.
func (r *run) both(ctx context.Context, phase string, op engine.Op, cases []corpus.Case, native bool, look func(c corpus.Case, base, cand corpus.Outcome, native *corpus.Outcome)) error {
	done := 0
	for some := range slices.Chunk(cases, batch) {
		if r.Time > 0 && done > 0 && time.Since(r.begin) > r.Time {
			r.report.Notes = append(r.report.Notes, fmt.Sprintf("%s: %d of %d were asked in the time given", phase, done, len(cases)))
			break
		}
		if r.givenUp(fmt.Sprintf("%s: %d of %d", phase, len(cases)-done, len(cases))) {
			break
		}
		r.progress(phase, done, len(cases))
		done += len(some)
		var outs [2][]corpus.Outcome
		var own []*corpus.Outcome
		var wg sync.WaitGroup
		for i, s := range []*side{r.base, r.cand} {
			wg.Go(func() { outs[i], _ = s.answers.Ask(ctx, op, some) }) // the error is the context's
		}
		if native && r.Native != nil {
			own = r.askNative(ctx, op, some)
		}
		wg.Wait()
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, c := range some {
			if outs[0][i].Kind == corpus.Failed || outs[1][i].Kind == corpus.Failed {
				r.failures++
			}
			var n *corpus.Outcome
			if own != nil {
				n = own[i]
			}
			look(c, outs[0][i], outs[1][i], n)
		}
	}
	return nil
}

// askNative asks native Go.
func (r *run) askNative(ctx context.Context, op engine.Op, cases []corpus.Case) []*corpus.Outcome {
	out := make([]*corpus.Outcome, len(cases))
	for i, c := range cases {
		o := r.Native.Do(ctx, engine.Request{Op: op, Case: c.Input})
		out[i] = &o
	}
	return out
}

func (r *run) progress(phase string, done, total int) {
	if r.Progress != nil {
		r.Progress(phase, done, total)
	}
}
