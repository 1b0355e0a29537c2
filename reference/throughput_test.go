package reference_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// plainLoop calls the library for each case as a Python program would, and
// prints the nanoseconds of processor time and of real time that it took. It
// reads the cases once.
const plainLoop = `
import json, os, time
if "cases" not in globals():
    from transformers import AutoTokenizer
    tokenizer = AutoTokenizer.from_pretrained(os.environ["BEAM_MODEL_ID"])
    cases = json.loads(CASES)
    for case in cases:
        case["add_generation_prompt"] = case.get("add_generation_prompt", not case.get("continue_final_message"))
        case.pop("date", None)
        case.update(case.pop("template_kwargs", {}))
def call(case):
    try:
        if "messages" in case:
            return tokenizer.apply_chat_template(tokenize=False, conversation=case["messages"], **{k: v for k, v in case.items() if k != "messages"})
        return tokenizer.parse_response(case["reply"], prefix=case.get("prefix"), tools=case.get("tools"))
    except Exception as error:
        return str(error)
start, real = time.process_time_ns(), time.perf_counter_ns()
for case in cases:
    call(case)
print(time.process_time_ns() - start, time.perf_counter_ns() - real)
`

// side is the corpus' cases of a kind, as requests and as a plain loop over the
// same calls.
type side struct {
	requests []engine.Request
	loop     string
}

func newSide(tb testing.TB, kind corpus.Kind) side {
	var s side
	var list []value.Value
	for _, c := range corpus.Embedded() {
		own := slices.ContainsFunc([]string{"chat_template", "response_template", "reply_ids", "prefix_ids", "sanitize_control_tokens"}, func(key string) bool {
			_, has := c.Input.Get(key)
			return has
		})
		if c.Kind != kind || c.Checkpoint != "" || own {
			continue
		}
		whole := &value.Object{}
		for name, v := range c.Input.All() {
			if name != "chunks" && name != "stop" {
				whole.Set(name, v)
			}
		}
		s.requests = append(s.requests, engine.Request{Op: engine.Op(kind), Case: whole})
		list = append(list, whole.Value())
	}
	if len(s.requests) < 100 {
		tb.Fatalf("only %d cases", len(s.requests))
	}
	s.loop = strings.Replace(plainLoop, "CASES", value.Dumps(value.String(value.Dumps(value.List(list...)))), 1)
	return s
}

// ask asks all the cases, several ahead, and gives the processor time of the
// worker and the real time. With coverage every point is new again.
func (s side) ask(tb testing.TB, pool engine.Engine) (cpu, wall float64) {
	pool.(engine.Measurer).Forget()
	before, start := processorTime(tb, pool), time.Now()
	next := make(chan engine.Request)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for r := range next {
				pool.Do(context.Background(), r)
			}
		})
	}
	for _, r := range s.requests {
		next <- r
	}
	close(next)
	wg.Wait()
	wall = float64(time.Since(start).Nanoseconds())
	return processorTime(tb, pool) - before, wall
}

// plain runs the loop, in a session of its own.
func (s side) plain(tb testing.TB, loop engine.Engine, session string) (cpu, wall float64) {
	first, second, _ := strings.Cut(execText(tb, loop, s.loop, session), " ")
	cpu, err1 := strconv.ParseFloat(first, 64)
	wall, err2 := strconv.ParseFloat(second, 64)
	if err1 != nil || err2 != nil {
		tb.Fatal(first, second)
	}
	return cpu, wall
}

// share is the throughput of a pool with one process as a share of the plain
// loop's, by processor time and by real time: the median of rounds that take
// turns.
func share(tb testing.TB, pool, loop engine.Engine, kind corpus.Kind, rounds int) (cpu, wall float64) {
	s := newSide(tb, kind)
	s.ask(tb, pool) // what is compiled once is not measured
	s.plain(tb, loop, string(kind))
	var cpus, walls []float64
	for range rounds {
		loopCPU, loopWall := s.plain(tb, loop, string(kind))
		poolCPU, poolWall := s.ask(tb, pool)
		cpus, walls = append(cpus, loopCPU/poolCPU), append(walls, loopWall/poolWall)
	}
	slices.Sort(cpus)
	slices.Sort(walls)
	return cpus[rounds/2], walls[rounds/2]
}

func openLoop(tb testing.TB) engine.Engine {
	return open(tb, reference.Options{Workers: 1, Timeout: time.Hour})
}

// BenchmarkThroughput compares the cases of the corpus through the protocol with
// a plain Python loop over the same calls, one process each: the pool's
// throughput as a share of the loop's. With coverage on, each round reaches every
// point anew.
func BenchmarkThroughput(b *testing.B) {
	loop := openLoop(b)
	for _, coverage := range []string{"off", "on"} {
		pool := open(b, reference.Options{Workers: 1, Coverage: coverage == "on"})
		for _, kind := range []corpus.Kind{corpus.Render, corpus.Parse} {
			b.Run(fmt.Sprintf("op=%s/coverage=%s", kind, coverage), func(b *testing.B) {
				cpu, wall := share(b, pool, loop, kind, b.N)
				b.ReportMetric(0, "ns/op") // not of interest
				b.ReportMetric(cpu, "loops/cpu")
				b.ReportMetric(wall, "loops/real")
			})
		}
	}
}

// The protocol costs less than a fifth of the throughput of a plain Python loop,
// and with coverage less than half. What is held is processor time, which does
// not depend on what else the machine does.
func TestThroughput(t *testing.T) {
	loop := openLoop(t)
	for _, c := range []struct {
		coverage bool
		least    float64
	}{{false, 0.8}, {true, 0.5}} {
		pool := open(t, reference.Options{Workers: 1, Coverage: c.coverage})
		for _, kind := range []corpus.Kind{corpus.Render, corpus.Parse} {
			cpu, wall := share(t, pool, loop, kind, 5)
			t.Logf("%s with coverage %t: %.2f of a plain loop's throughput (%.2f by real time)", kind, c.coverage, cpu, wall)
			if cpu < c.least {
				t.Errorf("%s with coverage %t has %.2f of a plain loop's throughput, not %.2f", kind, c.coverage, cpu, c.least)
			}
		}
	}
}
