package ci

import (
	"context"
	"fmt"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// judgeCase asks every engine and judges every pair.
func (r *Runner) judgeCase(ctx context.Context, c corpus.Case) CaseResult {
	j := &judging{runner: r, ctx: ctx, c: c, result: CaseResult{Case: c}}
	for i, e := range r.Engines {
		o, unread := j.unread(i)
		if !unread {
			o = r.failures[i].do(ctx, e, engine.Request{Op: engine.Op(c.Kind), Case: uncut(c.Input)})
		}
		j.result.Outcomes = append(j.result.Outcomes, Answer{Engine: e.Name(), Outcome: o})
	}
	j.wants()
	j.engines()
	switch c.Kind {
	case corpus.Parse:
		j.streams()
	case corpus.Render:
		j.encodings()
	}
	j.laws(ctx)
	return j.result
}

// judging is one case on its way to its result.
type judging struct {
	runner *Runner
	ctx    context.Context
	c      corpus.Case
	result CaseResult
}

func (j *judging) whole(i int) corpus.Outcome { return j.result.Outcomes[i].Outcome }

func (j *judging) add(v Verdict) {
	v.Was = v.Kind
	j.result.Verdicts = append(j.result.Verdicts, v)
}

// pair adds the verdict of comparing two answers.
func (j *judging) pair(leftName, rightName string, left, right corpus.Outcome, what string) {
	kind, where, why := judge(j.c.Kind, left, right)
	if w := j.withheld(leftName, rightName, left, right); kind == corpus.Same && w != nil {
		kind, where = corpus.ValueDiffers, w
	}
	j.result.IDsCompared = j.result.IDsCompared || kind == corpus.Same && leftName != Want && hasIDs(left) && hasIDs(right)
	v := Verdict{Kind: kind, Left: leftName, Right: rightName, LeftOutcome: left, RightOutcome: right, Where: where, What: what, Fails: kind != corpus.Same}
	if why != "" {
		v.What = why
	}
	if kind == corpus.CannotSay && !j.runner.RequireAnswers {
		v.Fails = j.undeclared(leftName, left) || j.undeclared(rightName, right)
	}
	j.add(v)
}

// undeclared tells whether a "cannot" is one that the engine's Info does not
// announce.
func (j *judging) undeclared(name string, o corpus.Outcome) bool {
	if o.Kind != corpus.Cannot {
		return false
	}
	for i, e := range j.runner.Engines {
		if e.Name() == name {
			return j.able(i, engine.Op(j.c.Kind))
		}
	}
	return true
}

// able tells whether the engine announces the operation for the case's format.
func (j *judging) able(i int, op engine.Op) bool {
	info := j.runner.infos[i]
	if !slices.Contains(info.Abilities, string(op)) {
		return false
	}
	if op == engine.OpParse || op == engine.OpStream { // a response template is of no format
		_, unread := j.unread(i)
		return !unread
	}
	format := j.c.Format
	if format == "" {
		format = j.runner.Format
	}
	return slices.Contains(info.Formats, "*") || slices.Contains(info.Formats, format)
}

// wants compares the case's want with every engine. An undocumented want holds
// for one checkpoint.
func (j *judging) wants() {
	if j.c.Want == nil {
		return
	}
	if j.c.Domain == corpus.Undocumented && j.c.CheckpointHash != "" && j.c.CheckpointHash != j.runner.hash() {
		j.result.WantNotCompared = "it holds for another checkpoint"
		return
	}
	for i, e := range j.runner.Engines {
		want := *j.c.Want
		if want.Kind == corpus.Raised && want.Message == "" {
			want.Message = j.whole(i).Message // only the class is wanted
		}
		j.pair(Want, e.Name(), want, j.whole(i), "")
	}
}

// engines compares every engine with the last.
func (j *judging) engines() {
	last := len(j.runner.Engines) - 1
	judgeName := j.runner.Engines[last].Name()
	for i, e := range j.runner.Engines[:last] {
		j.pair(e.Name(), judgeName, j.whole(i), j.whole(last), "")
		if j.c.Kind != corpus.Mask {
			continue
		}
		if w := judgeTokens(j.whole(i), j.whole(last)); w != nil {
			j.add(Verdict{Kind: corpus.ValueDiffers, Left: e.Name(), Right: judgeName, LeftOutcome: j.whole(i), RightOutcome: j.whole(last),
				Where: w, What: "the token mask, from the spans by the reference's rule", Fails: true})
		}
	}
}

// streams feeds the reply in pieces to every engine that can stream: each must
// agree with itself, and all with the last on the events.
func (j *judging) streams() {
	last := len(j.runner.Engines) - 1
	events := make([]corpus.Outcome, len(j.runner.Engines))
	for i := range j.runner.Engines {
		events[i] = j.streamed(i)
	}
	judgeName := j.runner.Engines[last].Name()
	for i, e := range j.runner.Engines[:last] {
		if events[i].Kind != 0 && events[last].Kind != 0 {
			kind, where, why := judge(corpus.Parse, events[i], events[last])
			if kind != corpus.Same && j.same(e.Name(), judgeName) {
				j.add(Verdict{Kind: kind, Left: e.Name(), Right: judgeName, LeftOutcome: events[i], RightOutcome: events[last],
					Where: where, What: orElse(why, "the events of the whole reply"), Fails: true})
			}
		}
	}
}

// same tells whether the answers of a pair are already known to be the same.
func (j *judging) same(left, right string) bool {
	return !slices.ContainsFunc(j.result.Verdicts, func(v Verdict) bool {
		return v.Left == left && v.Right == right && v.Kind != corpus.Same
	})
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// streamed asks engine i for the events of the whole reply and then for those
// of each cut, and adds a verdict for each cut that answers otherwise. A zero
// outcome says that the engine cannot stream, or that there is nothing to.
func (j *judging) streamed(i int) corpus.Outcome {
	whole := j.whole(i)
	native := j.runner.Engines[i].Name() == engine.NativeName
	// A reply that the engine refuses whole is not cut, except for the native
	// engine: the place of an error must not depend on the cut.
	if !j.able(i, engine.OpStream) || whole.Kind != corpus.OK && !(native && whole.Kind == corpus.Raised) {
		return corpus.Outcome{}
	}
	base := streamed(j.stream(i, value.Null()))
	if base.Kind == corpus.Cannot { // although it said that it can
		name := j.runner.Engines[i].Name()
		j.add(Verdict{Kind: corpus.CannotSay, Left: name, Right: name, LeftOutcome: whole, RightOutcome: base, What: base.Why, Fails: true})
		return corpus.Outcome{}
	}
	j.compareParse(i, base)
	if base.Kind == corpus.Failed {
		return corpus.Outcome{} // and each cut would cost as much
	}
	if j.runner.wholeJudge && i == len(j.runner.Engines)-1 {
		return base
	}
	for _, cut := range Cuts(j.c, j.runner.Seed) {
		if cut.BytesOnly && !native {
			continue
		}
		if j.ctx.Err() != nil {
			return corpus.Outcome{}
		}
		j.result.Limited = j.result.Limited || cut.Limited
		raw := j.stream(i, cut.Chunks)
		j.wantStream(i, cut, raw)
		o := streamed(raw)
		w := unlike(base, o)
		if w == nil {
			j.result.Feeds++
			continue
		}
		kind := corpus.Unstable
		if o.Kind == corpus.Failed {
			kind, w = corpus.EngineFailed, nil
		}
		name := j.runner.Engines[i].Name()
		j.add(Verdict{Kind: kind, Left: name, Right: name, LeftOutcome: base, RightOutcome: o, Where: w,
			What: orElse(o.Why, "fed "+cut.Name), Chunks: cut.Chunks, Fails: kind == corpus.EngineFailed || j.runner.mustBeStable(name)})
		if kind == corpus.EngineFailed {
			break
		}
	}
	return base
}

// compareParse checks that streaming the whole reply gives the message that
// parsing it gives.
func (j *judging) compareParse(i int, base corpus.Outcome) {
	o := base
	if o.Kind == corpus.OK {
		o.Value = o.Value.Get("message")
	}
	whole := j.whole(i)
	if w := unlike(whole, o); w != nil {
		name := j.runner.Engines[i].Name()
		kind := corpus.Unstable
		if o.Kind == corpus.Failed {
			kind = corpus.EngineFailed
		}
		j.add(Verdict{Kind: kind, Left: name, Right: name, LeftOutcome: whole, RightOutcome: o, Where: w,
			What: "parse against stream, both of the whole reply", Fails: kind == corpus.EngineFailed || j.runner.mustBeStable(name)})
	}
}

// wantStream compares the events of the case's own cut with those it wants.
func (j *judging) wantStream(i int, cut Cut, o corpus.Outcome) {
	if own, _ := j.c.Input.Get("chunks"); j.c.Stream.IsNull() || !value.Equal(own, cut.Chunks) {
		return
	}
	want := corpus.Outcome{Kind: corpus.OK, Value: j.c.Stream, Offset: -1}
	j.pair(Want, j.runner.Engines[i].Name(), want, o, fmt.Sprintf("the events of each feed, %s", cut.Name))
}

// stream asks engine i for the case's events under a cut; null is one feed.
func (j *judging) stream(i int, chunks value.Value) corpus.Outcome {
	in := uncut(j.c.Input)
	if !chunks.IsNull() {
		in.Set("chunks", chunks)
	}
	return j.runner.failures[i].do(j.ctx, j.runner.Engines[i], engine.Request{Op: engine.OpStream, Case: in})
}

// uncut is an input without the case's own cut: the answer for the whole reply is
// what counts, also of an engine whose answer changes with the cut.
func uncut(input *value.Object) *value.Object {
	in := &value.Object{}
	for name, v := range input.All() {
		if name != "chunks" {
			in.Set(name, v)
		}
	}
	return in
}
