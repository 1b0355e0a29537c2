package finding

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// saying is an engine that answers a stream with its chunks, and all else with
// its name.
type saying struct {
	name  string
	asked int
	turns int // after so many questions it answers otherwise; 0 is never
}

func (s *saying) Name() string { return s.name }
func (s *saying) Close() error { return nil }
func (s *saying) Info(context.Context) (engine.Info, error) {
	return engine.Info{Name: s.name, Versions: []engine.Version{{Name: "v", Version: "1"}}, CheckpointHash: strings.Repeat("0", 64), Abilities: []string{"parse"}}, nil
}

func (s *saying) Do(_ context.Context, r engine.Request) corpus.Outcome {
	s.asked++
	o := corpus.Outcome{Kind: corpus.OK, Value: value.String(s.name), Offset: -1}
	if s.turns > 0 && s.asked > s.turns {
		o.Value = value.String("native")
	}
	if r.Op == engine.OpStream {
		o.Value, _ = r.Case.Get("chunks")
	}
	return o
}

// byValue is a judge that compares what two engines say, whole and fed.
func byValue(ctx context.Context, engines []engine.Engine, c corpus.Case) ([]Verdict, error) {
	var o [2]corpus.Outcome
	for i, e := range engines {
		o[i] = e.Do(ctx, engine.Request{Op: engine.OpParse, Case: c.Input})
		fed, _ := c.Input.Value().Clone().AsObject()
		fed.Set("chunks", value.Int(2))
		if e.Do(ctx, engine.Request{Op: engine.OpStream, Case: fed}).Kind == corpus.Failed {
			o[i].Kind, o[i].Why = corpus.Failed, "no such answer"
		}
	}
	if o[0].Kind == corpus.OK && value.Equal(o[0].Value, o[1].Value) {
		return nil, nil
	}
	kind := corpus.ValueDiffers
	if o[0].Kind == corpus.Failed || o[1].Kind == corpus.Failed {
		kind = corpus.EngineFailed
	}
	return []Verdict{{Kind: kind, Left: engines[0].Name(), Right: engines[1].Name(), LeftOutcome: o[0], RightOutcome: o[1], Path: "$", Fails: true}}, nil
}

func found(t *testing.T, engines ...engine.Engine) *Finding {
	t.Helper()
	c := Name(caseOf(t, `{"id": "x", "reply": "é\ud800<|end|>", "prefix": ""}`))
	f := &Finding{Case: c, Found: c, Met: 3, Origin: Origin{Beamdiff: "test", Seed: math.MaxUint64, Number: 7, Generator: "mutation"}}
	var err error
	if f.Verdict, f.Signature, err = f.Ask(t.Context(), byValue, engines); err != nil {
		t.Fatal(err)
	}
	return f
}

// A finding that is written and read is the same, and is judged from what it
// holds as it was.
func TestEncode(t *testing.T) {
	f := found(t, &saying{name: "native"}, &saying{name: "reference"})
	f.Stable, f.Shrunk, f.Tries = true, true, 12
	f.Also = []Signature{"other"}
	f.Answers = append(f.Answers, Answer{Engine: "native", Op: "mask", Outcome: corpus.Outcome{Kind: corpus.Raised, Class: "E", Message: "m\n", Offset: 5}},
		Answer{Engine: "native", Op: "render", Outcome: corpus.Outcome{Kind: corpus.Cannot, Why: "w", Offset: -1}},
		Answer{Engine: "native", Op: "exec", Outcome: corpus.Outcome{Kind: corpus.OK, Value: value.Float(math.NaN()), Offset: -1}})
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(data, "f.json")
	if err != nil {
		t.Fatal(err)
	}
	second, err := again.Encode()
	if err != nil || !bytes.Equal(data, second) {
		t.Errorf("%v\n%s\n%s", err, data, second)
	}
	if again.Signature != f.Signature || again.Seed != f.Seed || !value.Equal(again.Case.Input.Value(), f.Case.Input.Value()) || !IsFinding(data) {
		t.Errorf("%+v", again)
	}
	v, signature, err := again.Ask(t.Context(), byValue, again.Playback())
	if err != nil || signature != f.Signature || v.Kind != corpus.ValueDiffers {
		t.Errorf("offline: %s %v", signature, err)
	}
}

// What was not asked cannot be judged offline, and says so.
func TestPlaybackLacks(t *testing.T) {
	f := found(t, &saying{name: "native"}, &saying{name: "reference"})
	f.Answers = f.Answers[:1]
	if v, _, _ := f.Ask(t.Context(), byValue, f.Playback()); v.Kind != corpus.EngineFailed {
		t.Errorf("%+v", v)
	}
	o := f.Playback()[0].Do(t.Context(), engine.Request{Op: engine.OpMask, Case: f.Case.Input})
	if o.Kind != corpus.Failed || o.Why != notStored {
		t.Errorf("%+v", o)
	}
}

// An infinity in a case survives, which JSON has no word for.
func TestEncodeInfinity(t *testing.T) {
	f := found(t, &saying{name: "native"}, &saying{name: "reference"})
	f.Found = caseOf(t, `{"id": "x", "messages": [{"role": "tool", "content": [1e999, -1e999, {"a": 1.5}]}]}`)
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(data, "f.json")
	if err != nil || !value.Equal(again.Found.Input.Value(), f.Found.Input.Value()) {
		t.Errorf("%v\n%s", err, data)
	}
}

func TestDecodeErrors(t *testing.T) {
	f := found(t, &saying{name: "native"}, &saying{name: "reference"})
	data, _ := f.Encode()
	for old, path := range map[string]string{
		`"finding": 1`:        "finding",
		`"stable": false`:     "stable",
		`"kind": "value`:      "verdict.kind",
		`"seed": "18446744`:   "origin.seed",
		`"op": "parse"`:       "answers[0].op",
		`"ok": "native"`:      "answers[0].outcome",
		`"reply": "`:          "case",
		`"versions": {`:       "engines[0].versions",
		`"abilities": [`:      "engines[0].abilities",
		`"generator": "mutat`: "origin.generator",
	} {
		name, _, _ := strings.Cut(old, ":")
		text := strings.Replace(string(data), name+":", `"other": 1, `+name+`: 7, "gone":`, 1)
		_, err := Decode([]byte(text), "f.json")
		var bad *FileError
		if !errors.As(err, &bad) || !strings.HasPrefix(bad.Path, path) {
			t.Errorf("%s: %v, want a fault at %s", old, err, path)
		}
	}
	if _, err := Decode([]byte("{"), "f.json"); err == nil || IsFinding([]byte("{")) || IsFinding([]byte(`{"messages": []}`)) {
		t.Error("what is no finding is taken for one")
	}
}

// An engine that answers otherwise when it is asked again makes the finding a
// flaky one.
func TestConfirm(t *testing.T) {
	for turns, stable := range map[int]bool{0: true, 2: false, 4: false} {
		engines := []engine.Engine{&saying{name: "native"}, &saying{name: "reference", turns: turns}}
		f := found(t, engines...)
		first := f.Signature
		if err := f.Confirm(t.Context(), byValue, engines); err != nil || f.Stable != stable || f.Signature != first {
			t.Errorf("turns after %d: stable %v, %s, %v", turns, f.Stable, f.Signature, err)
		}
	}
}
