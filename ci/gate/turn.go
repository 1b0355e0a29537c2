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

// manyTurns is how many conversations are written and read back.
const manyTurns = 400

// turn is a conversation up to an assistant's message, and the two prompts of which
// the second ends with what the model would have written for it.
type turn struct {
	of             corpus.Case
	message        value.Value
	prompt, closed corpus.Case
}

// turns writes the last assistant's message of conversations with each chat
// template and reads it back with the response template beside it.
func (r *run) turns(ctx context.Context, cases []corpus.Case) error {
	if r.base.Checkpoint.ResponseTemplate.IsNull() || r.cand.Checkpoint.ResponseTemplate.IsNull() {
		return nil
	}
	var list []turn
	for _, c := range only(cases, corpus.Render) {
		if t, ok := turnOf(c); ok && len(list) < manyTurns {
			list = append(list, t)
		}
	}
	for some := range slices.Chunk(list, batch) {
		if r.givenUp("turns that are read back") {
			break
		}
		r.progress("turns", 0, len(list))
		base, err := r.base.readBack(ctx, some)
		if err != nil {
			return err
		}
		cand, err := r.cand.readBack(ctx, some)
		if err != nil {
			return err
		}
		for i, t := range some {
			r.turn(t, base[i], cand[i])
		}
	}
	return nil
}

// turnOf cuts a conversation after its last assistant's message.
func turnOf(c corpus.Case) (t turn, ok bool) {
	v, _ := c.Input.Get("messages")
	messages, _ := v.AsArray()
	if _, continued := c.Input.Get("continue_final_message"); continued {
		return t, false
	}
	last := -1
	for i, m := range messages.All() {
		if role, _ := m.Get("role").AsString(); role == "assistant" {
			last = i
		}
	}
	if last < 0 {
		return t, false
	}
	cut := func(n int, prompt bool) corpus.Case {
		var items []value.Value
		for i, m := range messages.All() {
			if i < n {
				items = append(items, m)
			}
		}
		in := value.NewObject(c.Input.Len())
		for name, v := range c.Input.All() {
			in.Set(name, v)
		}
		in.Set("messages", value.List(items...))
		in.Set("add_generation_prompt", value.Bool(prompt))
		return corpus.Case{ID: c.ID, Kind: corpus.Render, Input: in}
	}
	return turn{c, messages.At(last), cut(last, true), cut(last+1, false)}, true
}

// reading is what one side makes of a turn.
type reading struct {
	prompt, closed corpus.Outcome
	reply          string
	follows        bool // the turn follows the prompt that asks for it
	message        corpus.Outcome
}

// readBack writes turns and reads them.
func (s *side) readBack(ctx context.Context, list []turn) ([]reading, error) {
	var prompts, closed []corpus.Case
	for _, t := range list {
		prompts, closed = append(prompts, t.prompt), append(closed, t.closed)
	}
	p, err := s.answers.Ask(ctx, engine.OpRender, prompts)
	if err != nil {
		return nil, err
	}
	f, err := s.answers.Ask(ctx, engine.OpRender, closed)
	if err != nil {
		return nil, err
	}
	out := make([]reading, len(list))
	var replies []corpus.Case
	var of []int
	for i, t := range list {
		out[i] = reading{prompt: p[i], closed: f[i]}
		prefix, okP := p[i].Value.AsString()
		whole, okF := f[i].Value.AsString()
		if !okP || !okF {
			continue
		}
		if out[i].reply, out[i].follows = strings.CutPrefix(whole, prefix); !out[i].follows {
			continue
		}
		in := value.NewObject(3)
		in.Set("reply", value.String(out[i].reply))
		in.Set("prefix", value.String(prefix))
		if tools, ok := t.of.Input.Get("tools"); ok {
			in.Set("tools", tools)
		}
		replies, of = append(replies, corpus.Case{ID: t.of.ID, Kind: corpus.Parse, Input: in}), append(of, i)
	}
	messages, err := s.answers.Ask(ctx, engine.OpParse, replies)
	for j, i := range of {
		out[i].message = messages[j]
	}
	return out, err
}

// turn compares what the sides made of one.
func (r *run) turn(t turn, base, cand reading) {
	for _, o := range []corpus.Outcome{base.closed, base.prompt, cand.closed, cand.prompt} {
		if o.Kind != corpus.OK {
			return // prompts tells
		}
	}
	ch := turnChange(t, base, cand)
	r.asked(ch.rule == "", ch.rule, ruleTurnLossy, ruleTurn)
	if ch.rule != "" {
		r.changes = append(r.changes, ch)
	}
}

// turnChange is how a turn is read otherwise; its rule is "" where it is not.
func turnChange(t turn, base, cand reading) *change {
	ch := &change{c: t.closed, op: engine.OpRender, base: base.message, cand: cand.message}
	if value.Equal(base.closed.Value, cand.closed.Value) {
		ch.written = &t.prompt // it is the prompt before the turn, if anything
	}
	had, has := losses(t.message, base), losses(t.message, cand)
	switch {
	case len(had) == 0 && len(has) > 0:
		ch.rule, ch.lost = ruleTurnLossy, has[0]
		ch.where = &report.Where{Path: "$." + has[0], Offset: -1, Left: toldOf(base.message), Right: toldOf(cand.message)}
		if !cand.follows {
			ch.where.Right = report.Window(textOf(cand.closed), len(textOf(cand.prompt)))
		}
	case base.follows && cand.follows && base.message.Kind == corpus.OK && cand.message.Kind == corpus.OK:
		if ch.where = report.Locate("$", base.message.Value, cand.message.Value); ch.where != nil {
			ch.rule = ruleTurn
		}
	}
	return ch
}

// losses are the parts of an assistant's message that its turn, read back, does not
// have.
func losses(message value.Value, got reading) (lost []string) {
	if !got.follows {
		return []string{"prompt"}
	}
	if got.message.Kind != corpus.OK {
		return []string{"error"}
	}
	read := got.message.Value
	reasoning := func(v value.Value) string {
		for _, name := range []string{"reasoning_content", "thinking", "reasoning"} {
			if s, ok := v.Get(name).AsString(); ok && s != "" {
				return s
			}
		}
		return ""
	}
	if content, ok := message.Get("content").AsString(); ok {
		if again, _ := read.Get("content").AsString(); again != content {
			lost = append(lost, "content")
		}
	}
	if reasoning(read) != reasoning(message) {
		lost = append(lost, "reasoning")
	}
	return append(lost, lostCalls(message.Get("tool_calls"), read.Get("tool_calls"))...)
}

// lostCalls says what of the calls is not read back: how many there are, their names
// or their arguments.
func lostCalls(said, read value.Value) []string {
	calls, _ := said.AsArray()
	again, _ := read.AsArray()
	if calls.Len() != again.Len() {
		return []string{"tool_calls"}
	}
	for i, call := range calls.All() {
		f, g := call.Get("function"), again.At(i).Get("function")
		if f.IsNull() {
			f = call
		}
		if !value.Equal(f.Get("name"), g.Get("name")) {
			return []string{"tool_calls.function.name"}
		}
		if args := f.Get("arguments"); args.Truthy() && report.Locate("$", args, g.Get("arguments")) != nil {
			return []string{"tool_calls.function.arguments"}
		}
	}
	return nil
}
