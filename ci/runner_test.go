package ci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

const renderHello = `{"id": "hello", "kind": "render", "messages": [{"role": "user", "content": "Hello!"}]`

// verdictsOf writes the verdicts that are not the same, one a line.
func verdictsOf(c CaseResult) string {
	var lines []string
	for _, v := range c.Verdicts {
		if v.Kind == corpus.Same {
			continue
		}
		line := v.Pair() + ": " + string(v.Kind)
		if v.Where != nil {
			line += fmt.Sprintf(" at %s %d", v.Where.Path, v.Where.Offset)
		}
		if !v.Fails {
			line += " (passes)"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Every kind of verdict, by what two engines and the want say.
func TestVerdicts(t *testing.T) {
	failed := corpus.Outcome{Kind: corpus.Failed, Why: "crashed"}
	cannot := corpus.Outcome{Kind: corpus.Cannot, Why: "no such thing"}
	tests := []struct {
		name, want  string // want: the case's, as JSON
		left, right corpus.Outcome
		verdicts    string
		exit        int
	}{
		{"all the same", `{"value": "ab"}`, okText("ab"), okText("ab"), "", 0},
		{"native differs", `{"value": "ab"}`, okText("ax"), okText("ab"),
			"want/a: value differs at $ 1\na/b: value differs at $ 1", 1},
		{"the judge differs", `{"value": "ab"}`, okText("ab"), okText("abc"),
			"want/b: value differs at $ 2\na/b: value differs at $ 2", 1},
		{"both differ from the want", `{"value": "ab"}`, okText("x"), okText("x"),
			"want/a: value differs at $ 0\nwant/b: value differs at $ 0", 1},
		{"no want", ``, okText("a"), okText("b"), "a/b: value differs at $ 0", 1},
		{"class", ``, raising("KeyError", "x"), raising("ValueError", "x"), "a/b: error differs at $error.class 0", 1},
		{"text", ``, raising("ValueError", "xy"), raising("ValueError", "xz"), "a/b: error differs at $error.message 1", 1},
		{"one raises", ``, raising("ValueError", "x"), okText("a"), "a/b: error differs at $error -1", 1},
		{"same error", `{"error": {"class": "ValueError", "message": "x"}}`, raising("ValueError", "x"), raising("ValueError", "x"), "", 0},
		{"failed", ``, okText("a"), failed, "a/b: engine failed", 3},
		{"failed beside a difference", `{"value": "z"}`, okText("a"), failed, "want/a: value differs at $ 0\nwant/b: engine failed\na/b: engine failed", 3},
		{"undeclared cannot", ``, cannot, okText("a"), "a/b: cannot", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := renderHello
			if tt.want != "" {
				text += `, "want": ` + tt.want
			}
			r := &Runner{Engines: []engine.Engine{saying("a", tt.left), saying("b", tt.right)}, Cases: casesOf(t, text+"}")}
			res, err := r.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := verdictsOf(res.Cases[0]); got != tt.verdicts {
				t.Errorf("got\n%s\nwant\n%s", got, tt.verdicts)
			}
			if got := res.ExitCode(); got != tt.exit {
				t.Errorf("exit %d, want %d", got, tt.exit)
			}
		})
	}
}

// A "cannot" that the engine announces is counted and passes, unless answers are
// required.
func TestDeclaredCannot(t *testing.T) {
	lame := saying("a", corpus.Outcome{Kind: corpus.Cannot, Why: "renders beam only"})
	lame.info.Formats = []string{"beam"}
	c := casesOf(t, renderHello+`, "format": "other"}`)
	for _, require := range []bool{false, true} {
		r := &Runner{Engines: []engine.Engine{lame, saying("b", okText("x"))}, Cases: c, RequireAnswers: require}
		res, err := r.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := res.Total(); n.Cannot != 1 || (res.ExitCode() == ExitDifferences) != require {
			t.Errorf("require %v: %+v, exit %d", require, n, res.ExitCode())
		}
	}
}

const parseAnswer = `{"id": "answer", "kind": "parse", "prefix": "", "reply": "<|channel|>analysis<|message|>Sum.<|end|><|start|>assistant<|channel|>final<|message|>The answer is 4<|return|>"}`

// unstable is an engine that loses a character of a field where a reply comes in
// pieces.
func unstable(name string) *fake {
	return likeNative(name, func(r engine.Request, o corpus.Outcome) corpus.Outcome {
		if chunks, _ := r.Case.Get("chunks"); r.Op == engine.OpStream && chunks.Kind() == value.KindInt {
			o.Value = o.Value.Clone()
			message, _ := o.Value.Get("message").AsObject()
			message.Set("content", value.String("The answer is "))
		}
		return o
	})
}

func TestUnstable(t *testing.T) {
	cases := casesOf(t, parseAnswer)
	tests := []struct {
		name     string
		engines  []engine.Engine
		verdicts string
		exit     int
	}{
		{"nobody", []engine.Engine{native(), likeNative("reference", same)}, "", 0},
		{"the reference is shown", []engine.Engine{native(), unstable("reference")},
			"reference/reference: unstable at $.message.content 14 (passes)", 0},
		{"native fails", []engine.Engine{unstable("native"), likeNative("reference", same)},
			"native/native: unstable at $.message.content 14", 1},
		{"a third fails", []engine.Engine{unstable("mine"), likeNative("reference", same)},
			"mine/mine: unstable at $.message.content 14", 1},
		{"one alone fails", []engine.Engine{unstable("mine")}, "mine/mine: unstable at $.message.content 14", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := (&Runner{Engines: tt.engines, Cases: cases}).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := verdictsOf(res.Cases[0]); got != tt.verdicts {
				t.Errorf("got\n%s\nwant\n%s", got, tt.verdicts)
			}
			if res.ExitCode() != tt.exit {
				t.Errorf("exit %d, want %d", res.ExitCode(), tt.exit)
			}
		})
	}
}

// The native engine's error stands at one place, whatever the cut.
func TestOffsetOfErrors(t *testing.T) {
	moving := func(name string) *fake {
		return &fake{name, able, func(r engine.Request) corpus.Outcome {
			o := raising("ValueError", "bad")
			o.Offset = 10
			if chunks, _ := r.Case.Get("chunks"); chunks.Kind() == value.KindInt {
				o.Offset = 11
			}
			return o
		}}
	}
	for name, want := range map[string]string{
		"native": "native/native: unstable at $error.offset -1",
		"other":  "", // a reply that fails whole is not cut
	} {
		res, err := (&Runner{Engines: []engine.Engine{moving(name)}, Cases: casesOf(t, parseAnswer)}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := verdictsOf(res.Cases[0]); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// Two engines that agree on the message may still differ on the events.
func TestEvents(t *testing.T) {
	other := likeNative("reference", func(r engine.Request, o corpus.Outcome) corpus.Outcome {
		if r.Op != engine.OpStream {
			return o
		}
		text := strings.Replace(value.Dumps(o.Value), `"region_chunk", "field": "thinking"`, `"region_chunk", "field": "content"`, 1)
		v, _ := value.Loads(text)
		return okValue(v)
	})
	res, err := (&Runner{Engines: []engine.Engine{native(), other}, Cases: casesOf(t, parseAnswer)}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := verdictsOf(res.Cases[0]); !strings.Contains(got, "native/reference: value differs at $.events[1].field 0") {
		t.Errorf("got\n%s", got)
	}
}

// An answer that changes between two tries makes the engine unstable, and the
// second one counts.
func TestSecondTry(t *testing.T) {
	var asked atomic.Int32
	flaky := likeNative("reference", func(_ engine.Request, o corpus.Outcome) corpus.Outcome {
		if asked.Add(1) == 1 {
			return okText("once")
		}
		return o
	})
	res, err := (&Runner{Engines: []engine.Engine{native(), flaky}, Cases: casesOf(t, renderHello+"}")}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := verdictsOf(res.Cases[0]); got != "reference/reference: unstable at $ 0 (passes)" {
		t.Errorf("got\n%s", got)
	}
	if n := res.Total(); n.Unstable != 1 || n.Differ != 0 {
		t.Errorf("%+v", n)
	}
}

// A mask's spans are held against the tokens of the judge.
func TestMask(t *testing.T) {
	const text = `{"id": "mask", "kind": "mask", "messages": [{"role": "user", "content": "é"}, {"role": "assistant", "content": "4"}]}`
	spansAlone := func(_ engine.Request, o corpus.Outcome) corpus.Outcome { return okValue(textValue(o.Value)) }
	reference := func(mask ...int64) *fake {
		return likeNative("reference", func(_ engine.Request, o corpus.Outcome) corpus.Outcome {
			v := textValue(o.Value)
			all, _ := v.Get("text").AsString()
			spans, _ := pairs(v.Get("spans"))
			object, _ := v.AsObject()
			n := int64(value.Len(all))
			offsets := [][2]int64{{0, spans[0][0]}, {spans[0][0], spans[0][1]}, {spans[0][1], n}}
			object.Set("offsets", list(offsets, func(p [2]int64) value.Value { return value.List(value.Int(p[0]), value.Int(p[1])) }))
			object.Set("assistant_masks", list(mask, value.Int))
			return okValue(v)
		})
	}
	for _, tt := range []struct {
		mask []int64
		want string
	}{
		{[]int64{0, 1, 0}, ""},
		{[]int64{1, 1, 0}, "native/reference: value differs at $.assistant_masks, in characters[0][0] 0"}, // the prompt
		{[]int64{0, 0, 0}, "native/reference: value differs at $.assistant_masks, in characters[0] -1"},
		{[]int64{0, 1, 1}, "native/reference: value differs at $.assistant_masks[2] 0"}, // a token without width
		{[]int64{0, 1}, "native/reference: value differs at $.assistant_masks -1"},
	} {
		res, err := (&Runner{Engines: []engine.Engine{likeNative("native", spansAlone), reference(tt.mask...)}, Cases: casesOf(t, text)}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := verdictsOf(res.Cases[0]); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.mask, got, tt.want)
		}
	}
}

// A want of tokens is held against an engine that has them, and against no other.
func TestMaskWantsTokens(t *testing.T) {
	const text = `{"id": "mask", "kind": "mask", "messages": [{"role": "user", "content": "x"}], "want": {"value": {"text": "x", "spans": [], "input_ids": [7, 8]}}}`
	with := func(ids string) corpus.Outcome {
		return okValue(jsonOf(t, `{"text": "x", "spans": []`+ids+`}`))
	}
	for ids, want := range map[string]string{
		``:                      "",
		`, "input_ids": [7, 8]`: "",
		`, "input_ids": [7, 9]`: "want/a: value differs at $.input_ids[1] 0",
	} {
		res, err := (&Runner{Engines: []engine.Engine{saying("a", with(ids))}, Cases: casesOf(t, text)}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := verdictsOf(res.Cases[0]); got != want {
			t.Errorf("%s: got %q, want %q", ids, got, want)
		}
	}
}

// A want of the undocumented domain holds for its checkpoint alone.
func TestUndocumentedWant(t *testing.T) {
	text := renderHello + `, "domain": "undocumented", "checkpoint_hash": "` + strings.Repeat("a", 64) + `", "want": {"value": "x"}}`
	for hash, compared := range map[string]bool{strings.Repeat("a", 64): true, strings.Repeat("b", 64): false} {
		r := &Runner{Engines: []engine.Engine{saying("a", okText("y"))}, Cases: casesOf(t, text), CheckpointHash: hash}
		res, err := r.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Total().Differ == 1; got != compared || (res.Cases[0].WantNotCompared == "") != compared {
			t.Errorf("%.1s: compared %v", hash, got)
		}
	}
}

// Differences that an open decision explains come with the choice that settles
// them.
func TestDecisions(t *testing.T) {
	const parts = `[{"id": "parts", "kind": "render", "domain": "undocumented", "decision": "content-parts",
		"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]}]`
	other, err := native().Decide("content-parts", "lines")
	if err != nil {
		t.Fatal(err)
	}
	judge := &fake{"reference", able, func(r engine.Request) corpus.Outcome { return other.Do(context.Background(), r) }}
	res, err := (&Runner{Engines: []engine.Engine{native(), judge}, Cases: casesOf(t, parts)}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Decisions) != 1 || strings.Join(res.Decisions[0].Settings, " ") != "content-parts=lines" || res.Decisions[0].Settles != 1 {
		t.Errorf("%+v", res.Decisions)
	}
	if res.ExitCode() != ExitDifferences {
		t.Error("a difference passes because a decision explains it")
	}
}

func TestFormats(t *testing.T) {
	cases := casesOf(t, `[{"id": "beam", "format": "beam", "messages": [{"role": "user"}]}, {"id": "any", "messages": [{"role": "user"}]},
		{"id": "own", "format": "beam", "chat_template": "x", "messages": [{"role": "user"}]}]`)
	r := &Runner{Engines: []engine.Engine{saying("a", okText("y"))}, Cases: cases, Format: "other"}
	res, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Cases) != 2 || len(res.NotRun) != 1 || res.NotRun[0].ID != "beam" {
		t.Errorf("%d cases, not run %+v", len(res.Cases), res.NotRun)
	}
}

// A run that is not about its checkpoint says so.
func TestUntouchedCheckpoint(t *testing.T) {
	const left = `{"id": "beam", "format": "beam", "messages": []}, {"id": "own", "chat_template": "x", "messages": []},
		{"id": "own-reply", "response_template": {}, "reply": "", "prefix": ""}, {"id": "there", "checkpoint": "gpt-oss", "messages": []}`
	for more, touched := range map[string]bool{
		"":                                   false,
		`, {"id": "prompt", "messages": []}`: true,
		`, {"id": "r", "reply": "", "prefix": ""}`: true,
	} {
		engines := []engine.Engine{saying("a", okText("y"))}
		r := &Runner{Engines: engines, Cases: casesOf(t, "["+left+more+"]"), Format: "other",
			OpenCheckpoint: func(context.Context, string, int) ([]engine.Engine, string, error) { return engines, "gpt-oss", nil }}
		res, err := r.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := (&Report{Result: res}).WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.String(), "NOT COMPARED: the templates of this checkpoint") == touched {
			t.Errorf("with%s:\n%s", more, &text)
		}
	}
}

// An interrupted run tells of what was judged before.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked atomic.Int32
	slow := &fake{"a", able, func(engine.Request) corpus.Outcome {
		if asked.Add(1) == 2 {
			cancel()
		}
		return okText("x")
	}}
	var cases []corpus.Case
	for i := range 50 {
		c := casesOf(t, renderHello+"}")[0]
		c.ID = fmt.Sprint("case", i)
		cases = append(cases, c)
	}
	res, err := (&Runner{Engines: []engine.Engine{slow}, Cases: cases, Jobs: 1}).Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Interrupted || len(res.Cases) != 1 || res.ExitCode() != ExitEngine {
		t.Errorf("interrupted %v after %d cases, exit %d", res.Interrupted, len(res.Cases), res.ExitCode())
	}
}

type brokenEngine struct{ fake }

var errStart = errors.New("no such program")

func (*brokenEngine) Info(context.Context) (engine.Info, error) { return engine.Info{}, errStart }

func TestStart(t *testing.T) {
	var failed *EngineError
	_, err := (&Runner{Engines: []engine.Engine{&brokenEngine{fake{name: "b"}}}}).Run(t.Context())
	if !errors.As(err, &failed) || failed.Engine != "b" || !errors.Is(err, errStart) {
		t.Errorf("error %v", err)
	}
	if _, err := (&Runner{}).Run(t.Context()); !errors.Is(err, ErrNoEngine) {
		t.Errorf("error %v", err)
	}
}

// That an engine did not start is said once.
func TestEngineError(t *testing.T) {
	start := &engine.StartError{Engine: "mine", Command: "./mine", Reason: "crashed: exit status 3"}
	for err, want := range map[error]string{
		start:            "engine mine did not start (./mine): crashed: exit status 3",
		context.Canceled: "engine mine cannot start: context canceled",
		engine.ErrClosed: "engine mine cannot start: the engine is closed",
	} {
		if got := (&EngineError{Engine: "mine", Err: err}).Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
