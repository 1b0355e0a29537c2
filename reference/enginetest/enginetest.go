// Package enginetest is the contract of an engine as one test suite, for this
// project's engines and for anyone else's.
//
//  1. [Run] asks an engine what it is and then holds it to that: each ability is
//     answered in its shape, each other operation with "cannot".
//  2. Many requests at once come back to the right askers, whatever the text.
//  3. A wrong request is an error with a class, and the engine lives on.
//  4. Each [Fault], a request that the engine does not survive, costs that
//     request and no other.
//  5. A context that has ended is obeyed; a closed engine answers Failed.
package enginetest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Fault is a request that breaks the engine, and what must come of it.
type Fault struct {
	Request engine.Request
	Want    corpus.OutcomeKind
	Why     string // part of Outcome.Why
}

// patience bounds each test; an engine may have to start several times within it.
const patience = 2 * time.Minute

// Render is a render request of one user message, and further keys of the case.
func Render(content string, more ...value.Member) engine.Request {
	message := value.Members(value.Member{Name: "role", Value: value.String("user")}, value.Member{Name: "content", Value: value.String(content)})
	return ask(engine.OpRender, append([]value.Member{{Name: "messages", Value: value.List(message)}}, more...)...)
}

func ask(op engine.Op, members ...value.Member) engine.Request {
	o, _ := value.Members(members...).AsObject()
	return engine.Request{Op: op, Case: o}
}

// Run tests e and closes it.
func Run(t *testing.T, e engine.Engine, faults ...Fault) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	t.Cleanup(func() { e.Close() })

	info, err := e.Info(ctx)
	if err != nil {
		t.Fatalf("Info: %v", err)
	}
	t.Run("info", func(t *testing.T) { testInfo(t, e, info) })
	t.Run("abilities", func(t *testing.T) { testAbilities(ctx, t, e, info) })
	if slices.Contains(info.Abilities, "render") {
		t.Run("concurrent", func(t *testing.T) { testConcurrent(ctx, t, e) })
		t.Run("text", func(t *testing.T) { testText(ctx, t, e) })
		t.Run("wrong request", func(t *testing.T) { testWrong(ctx, t, e) })
		for i, f := range faults {
			t.Run(fmt.Sprintf("fault %d", i), func(t *testing.T) { testFault(ctx, t, e, f) })
		}
		t.Run("cancel", func(t *testing.T) { testCancel(t, e) })
	}
	t.Run("close", func(t *testing.T) { testClose(ctx, t, e) })
}

func testInfo(t *testing.T, e engine.Engine, info engine.Info) {
	if e.Name() == "" || info.Name == "" {
		t.Errorf("the engine has no name: %q, info %q", e.Name(), info.Name)
	}
	if info.CheckpointHash != "" && !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(info.CheckpointHash) {
		t.Errorf("the checkpoint's hash is not a sha256: %q", info.CheckpointHash)
	}
	if slices.Contains(info.Abilities, "render") && len(info.Formats) == 0 {
		t.Error("the engine renders but names no format")
	}
}

// plain are requests that an engine with the ability must answer with a value.
var plain = []engine.Request{
	Render("Hello!"),
	ask(engine.OpParse, value.Member{Name: "reply", Value: value.String("Hello!")}, value.Member{Name: "prefix", Value: value.String("")}),
	ask(engine.OpStream, value.Member{Name: "reply", Value: value.String("Hello!")}, value.Member{Name: "prefix", Value: value.String("")}, value.Member{Name: "chunks", Value: value.Int(2)}),
	{Op: engine.OpMask, Case: Render("Hello!").Case},
	{Op: engine.OpEncode, Case: Render("Hello!").Case},
}

func testAbilities(ctx context.Context, t *testing.T, e engine.Engine, info engine.Info) {
	for _, r := range plain {
		out := e.Do(ctx, r)
		if !slices.Contains(info.Abilities, string(r.Op)) {
			if out.Kind != corpus.Cannot {
				t.Errorf("%s is not among the abilities, yet answered %s", r.Op, show(out))
			}
			continue
		}
		if out.Kind != corpus.OK {
			t.Errorf("%s: %s", r.Op, show(out))
			continue
		}
		if again := e.Do(ctx, r); !value.Equal(out.Value, again.Value) {
			t.Errorf("%s answers differently the second time: %s, then %s", r.Op, show(out), show(again))
		}
		switch r.Op {
		case engine.OpRender:
			if s, ok := out.Value.AsString(); !ok || !strings.Contains(s, "Hello!") {
				t.Errorf("render: the text of the message is missing: %s", show(out))
			}
		case engine.OpStream:
			if feeds, _ := out.Value.Get("feeds").AsArray(); feeds.Len() != 3 {
				t.Errorf("stream: %d feeds for a reply of 6 characters, 2 at a time", feeds.Len())
			}
		}
	}
	testTokens(ctx, t, e, info)
	if out := e.Do(ctx, ask("no-such-operation")); out.Kind != corpus.Cannot {
		t.Errorf("an operation that does not exist: %s", show(out))
	}
}

func testConcurrent(ctx context.Context, t *testing.T, e engine.Engine) {
	askAll(ctx, t, e, 100, nil)
}

// askAll asks n renders at once, and more in their midst, and checks that each
// comes back to its asker.
func askAll(ctx context.Context, t *testing.T, e engine.Engine, n int, midst func()) {
	var wg sync.WaitGroup
	for i := range n {
		if i == n/2 && midst != nil {
			wg.Go(midst)
		}
		wg.Go(func() {
			content := fmt.Sprintf("text <%d>", i)
			out := e.Do(ctx, Render(content))
			if s, _ := out.Value.AsString(); out.Kind != corpus.OK || !strings.Contains(s, content) {
				t.Errorf("%q: %s", content, show(out))
			}
		})
	}
	wg.Wait()
}

// texts are what hurts on a wire.
var texts = []string{
	"", " ", "\n", "a\r\nb", "\x00\x01\x7f", `"\/`, "é ü ß", "\u2028\u2029\ufeff\ufffd", "\U0001f600\U000e0041", "\xed\xa0\x80 \xed\xb0\x80",
	`{"id": 1, "ok": "no"}` + "\n", strings.Repeat("long ", 100_000),
}

func testText(ctx context.Context, t *testing.T, e engine.Engine) {
	for _, text := range texts {
		out := e.Do(ctx, Render("["+text+"]"))
		if s, _ := out.Value.AsString(); out.Kind != corpus.OK || !strings.Contains(s, "["+text+"]") {
			t.Errorf("%.60q: %s", text, show(out))
		}
	}
}

func testWrong(ctx context.Context, t *testing.T, e engine.Engine) {
	for _, r := range []engine.Request{
		ask(engine.OpRender),
		ask(engine.OpRender, value.Member{Name: "messages", Value: value.Int(7)}),
		ask(engine.OpRender, value.Member{Name: "messages", Value: value.List(value.String("x"))}),
	} {
		if out := e.Do(ctx, r); out.Kind != corpus.Raised || out.Class == "" {
			t.Errorf("%s: %s", value.Dumps(r.Case.Value()), show(out))
		}
	}
	askAll(ctx, t, e, 4, nil)
}

func testFault(ctx context.Context, t *testing.T, e engine.Engine, f Fault) {
	askAll(ctx, t, e, 30, func() {
		out := e.Do(ctx, f.Request)
		if out.Kind != f.Want || !strings.Contains(out.Why, f.Why) {
			t.Errorf("the fault: %s, want %s with %q", show(out), f.Want, f.Why)
		}
	})
}

func testCancel(t *testing.T, e engine.Engine) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if out := e.Do(ctx, Render("late")); out.Kind != corpus.Failed {
		t.Errorf("a context that has ended: %s", show(out))
	}
}

func testClose(ctx context.Context, t *testing.T, e engine.Engine) {
	for range 2 {
		if err := e.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if out := e.Do(ctx, Render("after")); out.Kind != corpus.Failed {
		t.Errorf("after Close: %s", show(out))
	}
}

func show(o corpus.Outcome) string {
	s := value.Dumps(o.Value)
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return fmt.Sprintf("%s value %s class %q message %q why %q", o.Kind, s, o.Class, o.Message, o.Why)
}
