package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/enginetest"
)

// Each fault costs the request that it strikes, and no other.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault string
		want  corpus.OutcomeKind
		why   string
	}{
		{"none", corpus.OK, ""},
		{"answers backwards", corpus.OK, ""},
		{"exits 3", corpus.Failed, "crashed: exit status 3; its standard error ends: Traceback: it broke (tried twice"},
		{"exits 3 once", corpus.OK, ""},
		{"exits 0", corpus.Failed, "crashed: exit status 0, before its work was done"},
		{"hangs", corpus.Failed, "timed out: no answer within 1s"},
		{"hangs once", corpus.OK, ""},
		{"prints", corpus.Failed, `broken protocol: a line is not JSON: Expecting value: line 1 column 1 (char 0): "DEBUG: here I am"`},
		{"wrong id", corpus.Failed, "broken protocol: an answer to 987654"},
		{"answers twice", corpus.OK, ""},
		{"half a line", corpus.Failed, "broken protocol: the last line has no newline"},
		{"half a line, then exits 3", corpus.Failed, "crashed: exit status 3"},
		{"invalid UTF-8", corpus.Failed, "broken protocol: a line is not JSON: Invalid UTF-8"},
		{"no answer in it", corpus.Failed, "broken protocol: an answer has 0 of ok, error and cannot"},
		{"two answers in it", corpus.Failed, "broken protocol: an answer has 2 of ok, error and cannot"},
		{"wrong shape", corpus.Failed, "broken protocol: the value is not what render answers"},
		{"huge line", corpus.Failed, "broken protocol: a line is longer than 4194304 bytes"},
		{"closes its output", corpus.Failed, "broken protocol: it closed its standard input or output and went on running"},
		{"ignores the end", corpus.OK, ""},
	} {
		for _, workers := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s/workers=%d", c.fault, workers), func(t *testing.T) {
				t.Parallel()
				e := pool(t, c.fault, func(o *engine.Options) { o.Workers = workers })
				enginetest.Run(t, e, enginetest.Fault{Request: enginetest.Render("bad"), Want: c.want, Why: c.why})
			})
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Fatal("NOT RUN: there is no memory limit on Windows")
	}
	e := pool(t, "eats memory", func(o *engine.Options) { o.MemoryLimit = 512 << 20; o.CaseTimeout = 20 * time.Second })
	enginetest.Run(t, e, enginetest.Fault{Request: enginetest.Render("bad"), Want: corpus.Failed, Why: "out of memory, with a limit of 512 MiB"})
}

// An engine that does not start says why, at once and for every request.
func TestStartErrors(t *testing.T) {
	for _, c := range []struct{ fault, reason, stderr string }{
		{"dies at start", "crashed: exit status 3", "no luck today\n"},
		{"killed at start", "crashed: signal: killed", ""},
		{"never ready", "timed out: no answer within 300ms", ""},
		{"greets", `broken protocol: a line is not JSON: Expecting value: line 1 column 1 (char 0): "Welcome to the engine!"`, ""},
	} {
		t.Run(c.fault, func(t *testing.T) {
			e := pool(t, c.fault, func(o *engine.Options) {
				o.Workers = 2
				if c.fault == "never ready" {
					o.StartTimeout = 300 * time.Millisecond
				}
			})
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() {
					if out := e.Do(t.Context(), enginetest.Render("x")); out.Kind != corpus.Failed || !strings.Contains(out.Why, c.reason) {
						t.Errorf("Do: %v %q, want Failed with %q", out.Kind, out.Why, c.reason)
					}
				})
			}
			wg.Wait()
			_, err := e.Info(t.Context())
			var start *engine.StartError
			if !errors.As(err, &start) {
				t.Fatalf("Info: %v, want a *StartError", err)
			}
			if start.Reason != c.reason || start.Stderr != c.stderr {
				t.Errorf("reason %q, stderr %q; want %q, %q", start.Reason, start.Stderr, c.reason, c.stderr)
			}
		})
	}
	t.Run("no such program", func(t *testing.T) {
		p := pool(t, "", func(o *engine.Options) {
			o.Command = func(context.Context) *exec.Cmd { return exec.Command("no-such-program") }
		})
		if _, err := p.Info(t.Context()); err == nil || !strings.Contains(err.Error(), "no-such-program") {
			t.Errorf("Info: %v", err)
		}
	})
}

// The first process may be killed, by the system say: another one is started, once.
func TestKilledAtFirstStart(t *testing.T) {
	for _, c := range []struct {
		fault  string
		starts int32
		fails  bool
	}{{"killed at start once", 2, false}, {"killed at start", 2, true}, {"dies at start", 2, true}, {"greets", 1, true}} {
		var starts atomic.Int32
		e := pool(t, c.fault, func(o *engine.Options) {
			start := o.Command
			o.Command = func(ctx context.Context) *exec.Cmd {
				starts.Add(1)
				return start(ctx)
			}
		})
		_, err := e.Info(t.Context())
		var start *engine.StartError
		if c.fails != errors.As(err, &start) || !c.fails && err != nil || starts.Load() != c.starts {
			t.Errorf("%s: %d starts, %v", c.fault, starts.Load(), err)
		}
		e.Close()
	}
}

// A process that answers for another checkpoint than the first one is refused.
func TestCheckpointChanges(t *testing.T) {
	e := pool(t, "other checkpoint") // its hash is its process number; "bad" ends it
	out := e.Do(t.Context(), enginetest.Render("bad"))
	if out.Kind != corpus.Failed || !strings.Contains(out.Why, "the checkpoint has changed since the first process started") {
		t.Errorf("%v %q", out.Kind, out.Why)
	}
}

// A context that ends while the engine hangs is obeyed, and so is Close: neither
// waits for the hour that the case may take.
func TestPrompt(t *testing.T) {
	e := pool(t, "hangs", func(o *engine.Options) { o.CaseTimeout = time.Hour })
	if _, err := e.Info(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if out := e.Do(ctx, enginetest.Render("bad")); out.Kind != corpus.Failed || out.Why != context.DeadlineExceeded.Error() {
		t.Errorf("Do: %v %q", out.Kind, out.Why)
	}
	waiting := make(chan corpus.Outcome)
	go func() { waiting <- e.Do(context.Background(), enginetest.Render("behind it")) }()
	time.Sleep(20 * time.Millisecond)
	e.Close()
	if out := <-waiting; out.Kind != corpus.Failed || out.Why != engine.ErrClosed.Error() {
		t.Errorf("a request that Close met: %v %q", out.Kind, out.Why)
	}
}

// A request that nobody waits for is not tried again.
func TestAbandoned(t *testing.T) {
	state := t.TempDir() + "/state"
	e := pool(t, "hangs once", func(o *engine.Options) { o.Command = command("hangs once", state) })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := e.Info(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.Do(ctx, enginetest.Render("bad"))
	if out := e.Do(t.Context(), enginetest.Render("next")); out.Kind != corpus.OK {
		t.Errorf("the next request: %v %q", out.Kind, out.Why)
	}
}

// Processes that somebody kills cost nothing: each request is answered.
func TestKilled(t *testing.T) {
	var started atomic.Int32
	e := pool(t, "none", func(o *engine.Options) {
		o.Workers = 2
		o.Command = func(ctx context.Context) *exec.Cmd {
			fault := "is killed"
			if started.Add(1) > 2 {
				fault = "none"
			}
			return command(fault, "")(ctx)
		}
	})
	// On a busy machine it takes a while until the first one is killed.
	for start := time.Now(); time.Since(start) < 300*time.Millisecond || started.Load() < 3 && time.Since(start) < 30*time.Second; {
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				text := fmt.Sprint("number ", i)
				if out := e.Do(t.Context(), enginetest.Render(text)); out.Kind != corpus.OK || out.Value != value.String("user: "+text) {
					t.Errorf("%s: %v %q %s", text, out.Kind, out.Why, value.Dumps(out.Value))
				}
			})
		}
		wg.Wait()
	}
	if started.Load() < 3 {
		t.Errorf("only %d processes were started: none was killed", started.Load())
	}
}

// Processes start only where there is work for them.
func TestStartsOnDemand(t *testing.T) {
	var started atomic.Int32
	e := pool(t, "none", func(o *engine.Options) {
		o.Workers = 4
		run := o.Command
		o.Command = func(ctx context.Context) *exec.Cmd {
			started.Add(1)
			return run(ctx)
		}
	})
	for range 5 {
		e.Do(t.Context(), enginetest.Render("one at a time"))
	}
	if n := started.Load(); n != 1 {
		t.Errorf("%d processes for requests one at a time", n)
	}
}

func ExamplePool() {
	p := engine.NewPool(engine.Options{Name: "mine", Command: command("none", ""), Workers: 2})
	defer p.Close()
	out := p.Do(context.Background(), enginetest.Render("Hello!"))
	fmt.Println(out.Kind, value.Dumps(out.Value))
	// Output: ok "user: Hello!"
}
