package finding

import (
	"context"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// DefaultTries is how many cases [Finding.Shrink] asks about at most; of an
// engine that fails, where each may cost two time-outs, a fortieth.
const DefaultTries = 4000

// Shrink makes the finding's case smaller: messages, tools, keys and cuts are
// left out, schemas and values made simpler, names and texts shorter, one pass
// after the other until none gets any further or tries cases were asked about
// (0 is [DefaultTries]). Smaller is a shorter JSON, then one with fewer characters
// other than "a".
//
// First the signature of the verdict stays, so that the case cannot slip to
// another fault that it shows as well. When nothing is left to take away, the
// family alone stays: what made the signature a particular one may go. If it
// does, the finding has the signature of the smallest case and keeps the others
// as Also.
//
// The result depends on the case and the engines alone. The error is that of the
// judge or of the context; the finding holds the smallest case so far also then.
func (f *Finding) Shrink(ctx context.Context, judge Judge, engines []engine.Engine, tries int) error {
	if tries <= 0 {
		tries = DefaultTries
		if f.Verdict.Kind == corpus.EngineFailed {
			tries /= 40
		}
	}
	s := &shrinker{f: f, left: tries}
	same := func(v Verdict, signature Signature) bool { return signature == f.Signature }
	family := Family(f.Case.Kind, f.Verdict)
	kin := func(v Verdict, _ Signature) bool { return Family(f.Case.Kind, v) == family }
	for _, stays := range []func(Verdict, Signature) bool{same, kin} {
		s.seen = map[string]bool{}
		s.ask = func(c corpus.Case) (bool, error) {
			again := &Finding{Case: c}
			v, signature, err := again.Ask(ctx, judge, engines)
			if err == nil {
				err = ctx.Err() // what an ended context answered is no verdict
			}
			if err != nil || signature == "" || !stays(v, signature) {
				return false, err
			}
			f.Case, f.Verdict, f.Answers, f.Engines = c, v, again.Answers, again.Engines
			f.sign(signature)
			return true, nil
		}
		s.run()
	}
	f.Tries += tries - s.left
	f.Shrunk = s.err == nil && s.left > 0
	return s.err
}

// sign gives the finding another signature, and keeps the one it had.
func (f *Finding) sign(signature Signature) {
	if signature == f.Signature {
		return
	}
	f.Also = slices.DeleteFunc(f.Also, func(s Signature) bool { return s == signature || s == f.Signature })
	f.Also = append(f.Also, f.Signature)
	f.Signature = signature
}

// run does all passes until none gets any further.
func (s *shrinker) run() {
	s.pinCuts()
	s.propose(smallest(s.f.Case.Kind))
	for progress := true; progress && s.more(); {
		progress = false
		for _, pass := range passes {
			progress = pass(s) || progress
		}
	}
}

// smallest is the input that says nothing. A difference that it shows as well
// does not depend on the input.
func smallest(kind corpus.Kind) value.Value {
	if kind == corpus.Parse {
		return object("reply", "", "prefix", "")
	}
	return object("messages", value.List())
}

// passes in the order in which they remove most.
var passes = []func(*shrinker) bool{(*shrinker).leaveOut, (*shrinker).hoist, (*shrinker).simplify, (*shrinker).shorten, (*shrinker).rename, (*shrinker).plain}

// shrinker is one case on its way to its smallest.
type shrinker struct {
	f    *Finding
	ask  func(corpus.Case) (bool, error)
	left int // cases that may still be asked about
	seen map[string]bool
	err  error
}

func (s *shrinker) more() bool { return s.err == nil && s.left > 0 }

// input is that of the smallest case so far.
func (s *shrinker) input() value.Value { return s.f.Case.Input.Value() }

// pinCuts gives an unstable case the cut that showed it, so that no pass depends
// on which cuts the judge chooses.
func (s *shrinker) pinCuts() {
	if v := s.f.Verdict; v.Kind == corpus.Unstable && !v.Chunks.IsNull() {
		in := s.input().Clone()
		o, _ := in.AsObject()
		o.Set("chunks", v.Chunks.Clone())
		s.try(in)
	}
}

// propose tries an input that must be smaller than the best, and tells whether
// it takes its place.
func (s *shrinker) propose(in value.Value) bool {
	return s.more() && smaller(in, s.input()) && s.try(in)
}

// try asks about an input, once.
func (s *shrinker) try(in value.Value) bool {
	text := value.Dumps(in)
	if s.seen[text] {
		return false
	}
	s.seen[text] = true
	c := s.f.Case
	c.Input, _ = in.AsObject()
	c = Name(c)
	if !Valid(c) {
		return false
	}
	s.left--
	var ok bool
	ok, s.err = s.ask(c)
	return ok
}

// Valid tells whether a case can be written and read back: only such a case can be
// kept.
func Valid(c corpus.Case) bool {
	text, err := corpus.EncodeOne(c)
	if err != nil {
		return false
	}
	_, err = corpus.Decode(text, "case.json")
	return err == nil
}

// smaller is the order in which cases are better.
func smaller(a, b value.Value) bool {
	x, y := value.Dumps(a), value.Dumps(b)
	if len(x) != len(y) {
		return len(x) < len(y)
	}
	return fancy(x) < fancy(y)
}

// fancy counts the characters that are not the plainest one.
func fancy(text string) (n int) {
	for i := range len(text) {
		if text[i] != 'a' {
			n++
		}
	}
	return n
}

// halves offers ranges of n things to leave out: halves first, then quarters,
// down to single ones. gone tells whether a range was left out, and then there
// are fewer.
func halves(n int, gone func(from, to int) bool) (progress bool) {
	for size := n; size > 0; size /= 2 {
		for from := 0; from < n; {
			to := min(from+size, n)
			if gone(from, to) {
				n -= to - from
				progress = true
			} else {
				from = to
			}
		}
	}
	return progress
}

// leaveOut leaves out members of objects and items of lists: messages, tools,
// keys, properties, cuts.
func (s *shrinker) leaveOut() (progress bool) {
	for i := 0; i < len(nodes(s.input())) && s.more(); i++ {
		at := nodes(s.input())[i]
		n := size(at.of(s.input()))
		if halves(n, func(from, to int) bool {
			return s.propose(at.edit(s.input(), func(v value.Value) value.Value { return without(v, from, to) }))
		}) {
			progress = true
		}
	}
	return progress
}

// hoist puts one of the things in a list or an object in its place, or one of its
// kind farther inside: one schema of an anyOf, the inner of two lists.
func (s *shrinker) hoist() (progress bool) {
	for i := 1; i < len(nodes(s.input())) && s.more(); i++ {
		at := nodes(s.input())[i]
		v := at.of(s.input())
		for _, inner := range nodes(v)[1:] {
			if len(inner) > 1 && inner.of(v).Kind() != v.Kind() || len(inner) > 4 {
				continue
			}
			if s.propose(at.edit(s.input(), func(value.Value) value.Value { return inner.of(v) })) {
				progress = true
				break
			}
		}
	}
	return progress
}

// simplify puts the simplest values in the place of others.
func (s *shrinker) simplify() (progress bool) {
	plain := []value.Value{value.String(""), value.List(), value.Members(), value.Int(0), value.Null(), value.Bool(true), value.String("a"), value.String("user")}
	for i := 1; i < len(nodes(s.input())) && s.more(); i++ {
		at := nodes(s.input())[i]
		for _, v := range plain {
			if s.propose(at.edit(s.input(), func(value.Value) value.Value { return v })) {
				progress = true
				break
			}
		}
	}
	return progress
}

// rename makes names shorter wherever they stand: a tool's in its definition and
// in the call.
func (s *shrinker) rename() (progress bool) {
	for _, name := range words(s.input()) {
		for _, short := range []string{"a", "b", "c", "d"} {
			if len(short) < len(name) && s.propose(replaced(s.input(), name, short)) {
				progress = true
				break
			}
		}
	}
	return progress
}

// nodes are the places of all values, outermost first.
func nodes(root value.Value) (found []place) {
	var walk func(v value.Value, at place)
	walk = func(v value.Value, at place) {
		found = append(found, slices.Clone(at))
		for i := range size(v) {
			walk(child(v, i), append(at, i))
		}
	}
	walk(root, nil)
	return found
}
