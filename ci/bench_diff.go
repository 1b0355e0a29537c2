package ci

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/beamdiff/beamdiff/bench"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// withOwn is a comparison with the time of this process, which works beside its
// worker.
const withOwn = "native/with=own"

// DiffCases measure a whole comparison of both engines on the corpus' cases of a
// kind, with one worker, against a plain Python loop over the calls that the worker
// is asked for meanwhile, in processor time. The aim is that the worker takes 1.25
// times the loop's at most: as a multiple of the worker's, the loop takes 0.8 or
// more.
func DiffCases() (s bench.Suite) {
	for _, kind := range []corpus.Kind{corpus.Render, corpus.Parse} {
		for _, impl := range []string{bench.Native, withOwn, bench.InProcess} {
			s = append(s, bench.Case{
				Family: "Diff", Impl: impl, Labels: []bench.Label{{Key: "kind", Value: string(kind)}},
				Why: "the corpus through both engines, the processor time of the one worker; the same calls in a plain Python loop (where=inproc) take 0.8 of it or more",
				Prepare: func(env *bench.Env) (*bench.Body, error) {
					python, err := env.Python()
					if err != nil {
						return nil, err
					}
					d, err := newDiff(env.Context, kind, python)
					if err != nil {
						return nil, err
					}
					return &bench.Body{Time: d.timer(env.Context, impl)}, nil
				},
			})
		}
	}
	return s
}

// diff is a comparison, and the calls that it asks of the reference.
type diff struct {
	python engine.Engine
	cases  []corpus.Case
	asked  []engine.Request
	loop   string // their loop in Python
}

// newDiff runs the comparison once to see what is asked. It finds no difference.
func newDiff(ctx context.Context, kind corpus.Kind, python engine.Engine) (*diff, error) {
	d := &diff{python: python}
	for _, c := range corpus.Embedded() {
		own := slices.ContainsFunc([]string{"chat_template", "response_template", "reply_ids", "prefix_ids", "sanitize_control_tokens"}, func(key string) bool {
			_, has := c.Input.Get(key)
			return has
		})
		if c.Kind == kind && c.Checkpoint == "" && (c.Format == "" || c.Format == "beam") && !own {
			d.cases = append(d.cases, c)
		}
	}
	listener := &listener{Engine: python}
	if err := d.run(ctx, listener); err != nil {
		return nil, err
	}
	d.asked = listener.asked
	d.loop = d.program()
	return d, nil
}

// listener notes what an engine is asked.
type listener struct {
	engine.Engine
	mu    sync.Mutex
	asked []engine.Request
}

func (l *listener) Do(ctx context.Context, r engine.Request) corpus.Outcome {
	l.mu.Lock()
	l.asked = append(l.asked, r)
	l.mu.Unlock()
	return l.Engine.Do(ctx, r)
}

// run compares.
func (d *diff) run(ctx context.Context, python engine.Engine) error {
	native := engine.NewNative(checkpoint.Default(), engine.NativeOptions{})
	defer native.Close()
	res, err := (&Runner{Engines: []engine.Engine{native, python}, Cases: d.cases, Known: corpus.ShippedKnown(), Format: "beam", Jobs: 4}).Run(ctx)
	if err != nil {
		return err
	}
	if code := res.ExitCode(); code != 0 || len(res.Cases) != len(d.cases) || len(d.cases) < 100 {
		return fmt.Errorf("%d of %d cases compared, exit code %d", len(res.Cases), len(d.cases), code)
	}
	return nil
}

// timer gives the processor time of the comparison, or that of the loop.
func (d *diff) timer(ctx context.Context, impl string) func(n int) (time.Duration, error) {
	return func(n int) (took time.Duration, err error) {
		for range n {
			worker, own, err := time.Duration(0), time.Duration(0), error(nil)
			if impl == bench.InProcess {
				worker, err = d.plain(ctx)
			} else {
				worker, own, err = d.cost(ctx, d.python)
			}
			if err != nil {
				return 0, err
			}
			if took += worker; impl == withOwn {
				took += own
			}
		}
		return took, nil
	}
}

// cost compares, and gives the processor time that the worker took, and this
// process.
func (d *diff) cost(ctx context.Context, python engine.Engine) (worker, own time.Duration, err error) {
	before, err := d.processor(ctx)
	if err != nil {
		return 0, 0, err
	}
	start := bench.ProcessorTime()
	if err := d.run(ctx, python); err != nil {
		return 0, 0, err
	}
	own = bench.ProcessorTime() - start
	worker, err = d.processor(ctx)
	return worker - before, own, err
}

// processor is the worker's processor time so far.
func (d *diff) processor(ctx context.Context) (time.Duration, error) {
	text, err := d.exec(ctx, "import time; print(time.process_time_ns())", "")
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseInt(strings.TrimSuffix(text, "\n"), 10, 64)
	return time.Duration(ns), err
}

// plainLoop makes the calls as a Python program would, and prints how many there
// were and the nanoseconds of processor time that they took.
const plainLoop = `
import json, os, time
if "asked" not in globals():
    from transformers import AutoTokenizer
    tokenizer = AutoTokenizer.from_pretrained(os.environ["BEAM_MODEL_ID"])
    asked = json.loads(ASKED)
    for op, case in asked:
        case.pop("date", None)
        case.update(case.pop("template_kwargs", {}))
        if "messages" in case:
            case["conversation"] = case.pop("messages")
            case["add_generation_prompt"] = case.get("add_generation_prompt", not case.get("continue_final_message"))
            case.update({"tokenize": True, "return_dict": True} if op == "encode" else {"tokenize": False})
def pieces(reply, chunks):
    if not isinstance(chunks, list):
        return [reply] if chunks is None else [reply[at:at + chunks] for at in range(0, len(reply), chunks)]
    return [reply[a:b] for a, b in zip([0, *chunks], [*chunks, len(reply)])]
def call(op, case):
    try:
        if op in ("render", "encode"):
            return tokenizer.apply_chat_template(**case)
        if op == "parse":
            return tokenizer.parse_response(case["reply"], prefix=case.get("prefix"), tools=case.get("tools"))
        parser = tokenizer.get_response_parser(prefix=case.get("prefix"), tools=case.get("tools"))
        events = [parser.feed(piece) for piece in pieces(case["reply"], case.get("chunks"))]
        return events, parser.finalize()
    except Exception as error:
        return str(error)
start = time.process_time_ns()
for op, case in asked:
    call(op, case)
print(len(asked), time.process_time_ns() - start)
`

func (d *diff) program() string {
	var list []value.Value
	for _, r := range d.asked {
		list = append(list, value.List(value.String(string(r.Op)), r.Case.Value()))
	}
	return strings.Replace(plainLoop, "ASKED", value.Dumps(value.String(value.Dumps(value.List(list...)))), 1)
}

// plain runs the loop in a session of its own.
func (d *diff) plain(ctx context.Context) (took time.Duration, err error) {
	text, err := d.exec(ctx, d.loop, fmt.Sprintf("diff %d", len(d.asked)))
	if err != nil {
		return 0, err
	}
	var calls int
	if _, err := fmt.Sscan(text, &calls, (*int64)(&took)); err != nil || calls != len(d.asked) {
		return 0, fmt.Errorf("the loop of %d calls: %s", len(d.asked), text)
	}
	return took, nil
}

// exec gives what a program prints in the worker.
func (d *diff) exec(ctx context.Context, code, session string) (string, error) {
	in := value.NewObject(2)
	in.Set("code", value.String(code))
	in.Set("session", value.String(session))
	out := d.python.Do(ctx, engine.Request{Op: worker.OpExec, Case: in})
	text, ok := out.Value.Get("output").AsString()
	if !ok {
		return "", errors.New(out.Class + out.Message + out.Why)
	}
	return text, nil
}
