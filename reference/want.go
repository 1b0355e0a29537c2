package reference

import (
	"context"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Ask asks an engine what a case asks, with input in place of the case's own: the
// whole reply, and where the case wants a stream that besides. What it wants is
// the answer for the whole reply, so that chunks are left out of the first.
func Ask(ctx context.Context, e engine.Engine, c *corpus.Case, input *value.Object) []corpus.Outcome {
	whole := &value.Object{}
	for name, v := range input.All() {
		if name != "chunks" {
			whole.Set(name, v)
		}
	}
	out := []corpus.Outcome{e.Do(ctx, engine.Request{Op: engine.Op(c.Kind), Case: whole})}
	if !c.Stream.IsNull() {
		out = append(out, e.Do(ctx, engine.Request{Op: engine.OpStream, Case: input}))
	}
	return out
}

// Differs says how the answers of [Ask] differ from what a case wants, "" where
// they do not. Of a mask and of ids only the members that the case wants are
// compared, parse errors by class unless the case wants a text.
func Differs(c *corpus.Case, got []corpus.Outcome) string {
	first := got[0]
	if o, ok := first.Value.AsObject(); ok && c.Kind != corpus.Parse && c.Want.Kind == corpus.OK {
		first.Value = only(o, c.Want.Value)
	}
	if c.Kind == corpus.Parse && c.Want.Message == "" {
		first.Message = ""
	}
	if want := Told(*c.Want); Told(first) != want {
		return "got " + Told(first) + "\nwant " + want
	}
	if len(got) > 1 && (got[1].Kind != corpus.OK || !value.Equal(got[1].Value, c.Stream)) {
		return "got stream " + Told(got[1]) + "\nwant " + value.Dumps(c.Stream)
	}
	return ""
}

// only keeps of an object the members that another has.
func only(o *value.Object, other value.Value) value.Value {
	kept := &value.Object{}
	want, _ := other.AsObject()
	for name := range want.All() {
		v, _ := o.Get(name)
		kept.Set(name, v)
	}
	return kept.Value()
}

// Told writes an outcome on one line.
func Told(o corpus.Outcome) string {
	switch o.Kind {
	case corpus.OK:
		return value.Dumps(o.Value)
	case corpus.Raised:
		return o.Class + ": " + o.Message
	}
	return o.Kind.String() + ": " + o.Why
}
