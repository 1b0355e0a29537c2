package law

import (
	"context"

	"github.com/beamdiff/beamdiff/ci/law/pattern"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// likeWhole reads each turn whole and in another way, and tells of those that are
// not read alike.
func likeWhole(ctx context.Context, s *Subject, law string, found Found, ways func(t *turn) []way) error {
	written, err := s.turns(ctx)
	if err != nil {
		return err
	}
	var cases, wholes []corpus.Case
	var of []way
	for i := range written.turns {
		t := &written.turns[i]
		if t.quotes {
			continue
		}
		for _, w := range ways(t) {
			wholes = append(wholes, t.read("read", t.prompt, t.text))
			cases, of = append(cases, w.Case), append(of, w)
		}
	}
	want, err := parse(ctx, s, law, wholes)
	if err != nil {
		return err
	}
	got, err := parse(ctx, s, law, cases)
	if err != nil {
		return err
	}
	for i, w := range of {
		one, other := pattern.Told(want[i]), pattern.Told(got[i])
		if one == other {
			found(cases[i])
			continue
		}
		found(cases[i], Trouble{Level: w.level(want[i], got[i]), Cause: w.cause, Message: w.message + ", the turn is read otherwise", Advice: w.advice, Places: templatePlace,
			Witness: report.Witness{At: "the message", Sides: []report.Side{{Name: w.whole, Text: one}, {Name: w.other, Text: other}}}})
	}
	return nil
}

// way is another way in which a turn can come.
type way struct {
	corpus.Case
	cause, message, advice string
	whole, other           string       // names of the sides
	most                   report.Level // the gravest that it can be, "" for an error
}

// level makes less of what is lost in white space.
func (w *way) level(want, got corpus.Outcome) report.Level {
	if want.Kind != corpus.OK {
		return report.Warning // the whole turn cannot be read either
	}
	if got.Kind == corpus.OK && sameButSpace(want.Value, got.Value) {
		return report.Warning
	}
	return w.most
}

// sameButSpace tells whether two messages differ at most in white space at the ends
// of their texts.
func sameButSpace(a, b value.Value) bool {
	x, ok := a.AsObject()
	y, ok2 := b.AsObject()
	if !ok || !ok2 {
		s, ok := a.AsString()
		t, ok2 := b.AsString()
		return ok && ok2 && value.Strip(s) == value.Strip(t) || value.Dumps(a) == value.Dumps(b)
	}
	for _, o := range []*value.Object{x, y} {
		for key := range o.All() {
			v, _ := x.Get(key)
			w, _ := y.Get(key)
			if v.IsNull() {
				v = value.String("")
			}
			if w.IsNull() {
				w = value.String("")
			}
			if !sameButSpace(v, w) {
				return false
			}
		}
	}
	return true
}
