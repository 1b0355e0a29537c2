package campaign_test

import (
	"context"
	"testing"

	"github.com/beamdiff/beamdiff/ci"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// faulty is the native engine with a fault: in what it is asked, or in what it
// answers. Without one it stands for the reference.
type faulty struct {
	*engine.Native
	name   string
	ask    func(engine.Request) engine.Request
	answer func(engine.Request, corpus.Outcome) corpus.Outcome
}

func (f *faulty) Name() string { return f.name }

func (f *faulty) Do(ctx context.Context, r engine.Request) corpus.Outcome {
	asked := r
	if f.ask != nil {
		asked = f.ask(r)
	}
	o := f.Native.Do(ctx, asked)
	if f.answer != nil {
		o.Value = o.Value.Clone()
		o = f.answer(r, o)
	}
	return o
}

// chained alters an answer twice.
func chained(first, second func(engine.Request, corpus.Outcome) corpus.Outcome) func(engine.Request, corpus.Outcome) corpus.Outcome {
	return func(r engine.Request, o corpus.Outcome) corpus.Outcome { return second(r, first(r, o)) }
}

func newNative() *engine.Native {
	return engine.NewNative(checkpoint.Default(), engine.NativeOptions{})
}

// reference answers as the native engine does.
func reference() engine.Engine { return &faulty{Native: newNative(), name: "reference"} }

// judge is that of every campaign.
func judge() finding.Judge { return (&ci.Runner{Format: "beam", Seed: 1}).Judge() }

// plan is a campaign of a faulty engine against the native one.
func plan(t *testing.T, f *faulty, count int) *campaign.Campaign {
	t.Helper()
	f.Native, f.name = newNative(), engine.NativeName
	generators, err := campaign.Default(checkpoint.Default().ResponseTemplate, "beam")
	if err != nil {
		t.Fatal(err)
	}
	return &campaign.Campaign{Engines: []engine.Engine{f, reference()}, Judge: judge(), Generators: generators, Seed: 1, Count: count, Version: "test"}
}

// run runs a campaign in a folder.
func run(t *testing.T, c *campaign.Campaign, dir string) *campaign.Report {
	t.Helper()
	store, err := campaign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	report, err := c.Run(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// each visits every value in another, outermost first; what visit gives takes
// its place.
func each(v value.Value, visit func(key string, v value.Value) value.Value) value.Value {
	var walk func(key string, v value.Value) value.Value
	walk = func(key string, v value.Value) value.Value {
		v = visit(key, v)
		if list, ok := v.AsArray(); ok {
			for i, item := range list.All() {
				list.Set(i, walk(key, item))
			}
		}
		if o, ok := v.AsObject(); ok {
			for i := range o.Len() {
				m := o.At(i)
				o.Set(m.Name, walk(m.Name, m.Value))
			}
		}
		return v
	}
	return walk("", v)
}
