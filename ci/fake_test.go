package ci

import (
	"context"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// fake is an engine that answers what its function says.
type fake struct {
	name string
	info engine.Info
	do   func(engine.Request) corpus.Outcome
}

func (f *fake) Name() string { return f.name }

func (f *fake) Info(context.Context) (engine.Info, error) { return f.info, nil }

func (f *fake) Do(_ context.Context, r engine.Request) corpus.Outcome { return f.do(r) }

func (f *fake) Close() error { return nil }

// able is the info of an engine that can do everything.
var able = engine.Info{Formats: []string{"*"}, Abilities: []string{"render", "parse", "stream", "mask"}}

func saying(name string, o corpus.Outcome) *fake {
	return &fake{name, able, func(engine.Request) corpus.Outcome { return o }}
}

func native() *engine.Native {
	return engine.NewNative(checkpoint.Default(), engine.NativeOptions{})
}

// likeNative is an engine that answers as the native one does, with change
// applied to each outcome.
func likeNative(name string, change func(engine.Request, corpus.Outcome) corpus.Outcome) *fake {
	n := native()
	return &fake{name, able, func(r engine.Request) corpus.Outcome {
		return change(r, n.Do(context.Background(), r))
	}}
}

func same(_ engine.Request, o corpus.Outcome) corpus.Outcome { return o }

func okText(s string) corpus.Outcome { return okValue(value.String(s)) }

func okValue(v value.Value) corpus.Outcome {
	return corpus.Outcome{Kind: corpus.OK, Value: v, Offset: -1}
}

func raising(class, message string) corpus.Outcome {
	return corpus.Outcome{Kind: corpus.Raised, Class: class, Message: message, Offset: -1}
}

// cases decodes cases from JSON.
func casesOf(t *testing.T, text string) []corpus.Case {
	t.Helper()
	cases, err := corpus.Decode([]byte(text), "test.json")
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		cases[i].Suite = "test"
	}
	return cases
}

func jsonOf(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.Loads(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
