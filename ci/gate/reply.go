package gate

import (
	"context"
	"regexp"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// replies asks for the messages of all replies. A checkpoint without a response
// template reads none.
func (r *run) replies(ctx context.Context, cases []corpus.Case) error {
	if r.base.Checkpoint.ResponseTemplate.IsNull() && r.cand.Checkpoint.ResponseTemplate.IsNull() {
		return nil
	}
	return r.both(ctx, "replies", engine.OpParse, only(cases, corpus.Parse), true, func(c corpus.Case, base, cand corpus.Outcome, native *corpus.Outcome) {
		if native != nil {
			r.nativeAgrees(c, base, cand, *native)
		}
		ch := &change{c: c, op: engine.OpParse, base: base, cand: cand}
		ch.rule, ch.where = replyRule(ch)
		ids := []string{ruleEngine, ruleUnread, ruleValueLost, ruleTypeLost, ruleRead, ruleReply}
		if c.Want != nil {
			ids = append(ids, ruleReplyDocumented)
		}
		r.asked(ch.rule == "", ch.rule, ids...)
		if ch.rule != "" {
			r.changes = append(r.changes, ch)
		}
	})
}

// replyRule is the gravest rule that a change of a message breaks.
func replyRule(ch *change) (string, *report.Where) {
	base, cand := ch.base, ch.cand
	if rule, where, done := failures(base, cand, ruleUnread, ruleRead, ruleReply, false); done {
		return rule, where
	}
	where := report.Locate("$", base.Value, cand.Value)
	if where == nil {
		return "", nil
	}
	if w := ch.c.Want; w != nil && w.Kind == corpus.OK && value.Equal(w.Value, base.Value) {
		return ruleReplyDocumented, where
	}
	if rule, path, lost := lostIn("$", base.Value, cand.Value); rule != "" {
		ch.lost = lost
		at := *where
		at.Path = path
		return rule, &at
	}
	return ruleReply, where
}

// lostIn looks for what a message no longer has: a member or an item that is gone or
// empty, or a value that has become a text.
func lostIn(path string, base, cand value.Value) (rule, at, lost string) {
	if cand.Kind() == value.KindString && cand.Truthy() && base.Truthy() && base.Kind() != value.KindString {
		return ruleTypeLost, path, report.Short(base)
	}
	switch base.Kind() {
	case value.KindObject:
		o, _ := base.AsObject()
		for name, v := range o.All() {
			if rule, at, lost = lostIn(path+"."+name, v, cand.Get(name)); rule != "" {
				return rule, at, lost
			}
		}
	case value.KindArray:
		a, _ := base.AsArray()
		b, _ := cand.AsArray()
		for i, v := range a.All() {
			item := value.Null()
			if i < b.Len() {
				item = b.At(i)
			}
			if rule, at, lost = lostIn(path+"[]", v, item); rule != "" {
				return rule, at, lost
			}
		}
	}
	switch {
	case !base.Truthy() || value.Equal(base, cand):
		return "", "", ""
	case !cand.Truthy() && cand.Kind() != value.KindBool && !number(cand):
		return ruleValueLost, path, report.Short(base)
	}
	return "", "", ""
}

func number(v value.Value) bool {
	_, whole := v.AsInt()
	_, real := v.AsFloat()
	return whole || real
}

var indices = regexp.MustCompile(`\[\d*\]|\["[^"]*"\]`)

// fieldOf is the place of a change in a message, without what is data: indices and
// the names of arguments.
func fieldOf(path string) string {
	path = indices.ReplaceAllString(path, "")
	if i := regexp.MustCompile(`\.arguments\b`).FindStringIndex(path); i != nil {
		path = path[:i[1]]
	}
	return path
}
