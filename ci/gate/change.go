package gate

import (
	"context"
	"strings"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// change is one case whose answers differ.
type change struct {
	c    corpus.Case
	op   engine.Op
	rule string
	// base and cand are the answers; native is that of native Go in place of the
	// base's, where the rule is of native Go.
	base, cand corpus.Outcome
	where      *report.Where
	// lost is the text or the value that is gone, where the rule is of such.
	lost string
	// known is the entry that explains the change, "" where none does.
	known string
	cause cause
	// written is the case of which the prompts show the change, where that is not c.
	written *corpus.Case
	// made are the edits of which the candidate consists for this change, by number:
	// in the whole one others hide what they do. nil is the whole candidate.
	made []int
}

// asked counts a case for rules, and whether it held.
func (r *run) asked(held bool, broken string, ids ...string) {
	for _, id := range ids {
		u := r.rules[id]
		if u == nil {
			u = &report.Rule{}
			r.rules[id] = u
		}
		u.Asked++
		if held || id != broken {
			u.Held++
		}
	}
}

// prompts asks for the prompts and the masks of all conversations.
func (r *run) prompts(ctx context.Context, cases []corpus.Case) error {
	for _, kind := range []corpus.Kind{corpus.Render, corpus.Mask} {
		list := only(cases, kind)
		err := r.both(ctx, map[corpus.Kind]string{corpus.Render: "prompts", corpus.Mask: "masks"}[kind], engine.Op(kind), list, true,
			func(c corpus.Case, base, cand corpus.Outcome, native *corpus.Outcome) {
				if native != nil {
					r.nativeAgrees(c, base, cand, *native)
				}
				ch := &change{c: c, op: engine.Op(kind), base: base, cand: cand}
				ch.rule, ch.where = r.promptRule(ch)
				ids := []string{ruleEngine, ruleRaises, ruleTextLost, ruleAccepted, ruleRefusal, rulePrompt}
				if c.Want != nil {
					ids = append(ids, ruleDocumented)
				}
				if kind == corpus.Mask {
					ids = append(ids, ruleMaskGone, ruleMask)
				}
				r.asked(ch.rule == "", ch.rule, ids...)
				if ch.rule != "" {
					r.changes = append(r.changes, ch)
				}
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// only are the cases of a kind.
func only(cases []corpus.Case, kind corpus.Kind) (list []corpus.Case) {
	for _, c := range cases {
		if c.Kind == kind {
			list = append(list, c)
		}
	}
	return list
}

// textOf is the prompt in an answer to render or mask.
func textOf(o corpus.Outcome) string {
	if s, ok := o.Value.AsString(); ok {
		return s
	}
	s, _ := o.Value.Get("text").AsString()
	return s
}

// common is what two answers are compared by: of a mask the text and the spans.
func common(o corpus.Outcome) value.Value {
	if o.Kind == corpus.OK && o.Value.Kind() == value.KindObject && !o.Value.Get("spans").IsNull() {
		return value.Members(value.Member{Name: "text", Value: o.Value.Get("text")}, value.Member{Name: "spans", Value: o.Value.Get("spans")})
	}
	return o.Value
}

// promptRule is the gravest rule that a change of a prompt breaks, "" where there is
// no change.
func (r *run) promptRule(ch *change) (string, *report.Where) {
	base, cand := ch.base, ch.cand
	if rule, where, done := failures(base, cand, ruleRaises, ruleAccepted, ruleRefusal, true); done {
		return rule, where
	}
	before, after := textOf(base), textOf(cand)
	if before == after {
		where := report.Locate("$", common(base), common(cand))
		if where == nil {
			return "", nil
		}
		if spans, _ := cand.Value.Get("spans").AsArray(); spans.Len() == 0 {
			return ruleMaskGone, where
		}
		return ruleMask, where
	}
	where := report.WhereText("$", before, after)
	if w := ch.c.Want; w != nil && w.Kind == corpus.OK && value.Equal(common(*w), common(base)) {
		return ruleDocumented, where
	}
	for _, text := range texts(ch.c.Input) {
		if strings.Contains(before, text) && !strings.Contains(after, text) {
			ch.lost = text
			return ruleTextLost, where
		}
	}
	return rulePrompt, where
}

// failures is the rule of two answers of which one at least is no value; done is
// false where both are. Texts of errors count where they are the template's.
func failures(base, cand corpus.Outcome, raises, accepted, refusal string, texts bool) (rule string, where *report.Where, done bool) {
	told := &report.Where{Path: "$error", Offset: -1, Left: toldOf(base), Right: toldOf(cand)}
	switch {
	case base.Kind == corpus.OK && cand.Kind == corpus.OK:
		return "", nil, false
	case base.Kind == corpus.Failed || base.Kind == corpus.Cannot:
		return "", nil, true // there is nothing to hold the candidate against
	case cand.Kind == corpus.Failed || cand.Kind == corpus.Cannot:
		return ruleEngine, told, true
	case base.Kind == corpus.OK:
		return raises, told, true
	case cand.Kind == corpus.OK:
		return accepted, told, true
	case base.Class != cand.Class || texts && base.Message != cand.Message:
		return refusal, told, true
	}
	return "", nil, true
}

// toldOf is an answer in one line.
func toldOf(o corpus.Outcome) string {
	switch o.Kind {
	case corpus.OK:
		return report.Short(o.Value)
	case corpus.Raised:
		return report.Visible(o.Class + ": " + o.Message)
	}
	return o.Kind.String() + ": " + o.Why
}

// texts are those of a conversation's messages that a prompt may hold, without the
// white space around them, which many templates trim.
func texts(input *value.Object) (out []string) {
	var walk func(v value.Value)
	walk = func(v value.Value) {
		switch v.Kind() {
		case value.KindString:
			s, _ := v.AsString()
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		case value.KindArray:
			a, _ := v.AsArray()
			for _, item := range a.All() {
				walk(item)
			}
		case value.KindObject:
			o, _ := v.AsObject()
			for _, item := range o.All() {
				walk(item)
			}
		}
	}
	messages, _ := input.Get("messages")
	list, _ := messages.AsArray()
	for _, m := range list.All() {
		for _, name := range []string{"content", "reasoning_content", "thinking", "reasoning"} {
			walk(m.Get(name))
		}
		calls, _ := m.Get("tool_calls").AsArray()
		for _, call := range calls.All() {
			walk(call.Get("function").Get("name"))
			walk(call.Get("function").Get("arguments"))
		}
	}
	return out
}
