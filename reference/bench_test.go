package reference_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// workload is an ordinary case of each kind: a chat with a tool, and a reply
// that reasons and calls it.
var workload = map[engine.Op]string{
	engine.OpRender: `{"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is the weather in Paris?"},
		{"role": "assistant", "thinking": "A tool knows.", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}}]},
		{"role": "tool", "tool_call_id": "1", "content": "sunny"}],
		"tools": [{"type": "function", "function": {"name": "get_weather", "description": "Get the current weather for a city.", "parameters": {"type": "object",
		"properties": {"city": {"type": "string"}, "days": {"type": "integer", "description": "Forecast length in days"}}, "required": ["city"]}}}]}`,
	engine.OpParse: `{"reply": "<|channel|>analysis<|message|>I should look that up.<|end|><|start|>assistant to=get_weather<|channel|>commentary <|constrain|>xml<|message|><rfl:parameter name=\"city\">\nParis\n</rfl:parameter>\n<rfl:parameter name=\"days\">\n3\n</rfl:parameter><|call|>", "prefix": "<|start|>assistant",
		"tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}}}]}`,
}

// direct makes the same calls as the worker in a plain Python loop, and prints
// the nanoseconds of processor time that one took.
const direct = `
import json, os, time
from transformers import AutoTokenizer
case, op, n = json.loads(CASE), OP, N
tokenizer = AutoTokenizer.from_pretrained(os.environ["BEAM_MODEL_ID"])
def call():
    if op == "render":
        return tokenizer.apply_chat_template(case["messages"], tools=case["tools"], tokenize=False, add_generation_prompt=True)
    return tokenizer.parse_response(case["reply"], prefix=case["prefix"], tools=case["tools"])
call()
start = time.process_time_ns()
for _ in range(n):
    call()
print((time.process_time_ns() - start) // n)
`

// processorTime is what a pool's only worker has used, in nanoseconds.
func processorTime(tb testing.TB, e engine.Engine) float64 {
	return execNumber(tb, e, "import time; print(time.process_time_ns())")
}

func execNumber(tb testing.TB, e engine.Engine, code string) float64 {
	text := execText(tb, e, code, "")
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		tb.Fatal(text)
	}
	return n
}

// execText gives what code prints in a session, without the last line's end.
func execText(tb testing.TB, e engine.Engine, code, session string) string {
	c, _ := value.Members(value.Member{Name: "code", Value: value.String(code)}, value.Member{Name: "session", Value: value.String(session)}).AsObject()
	out := e.Do(context.Background(), engine.Request{Op: worker.OpExec, Case: c})
	text, ok := out.Value.Get("output").AsString()
	if !ok {
		tb.Fatal(say(out))
	}
	return strings.TrimSuffix(text, "\n")
}

// BenchmarkCases compares the way through the protocol with a plain Python loop
// over the same calls. cpu-ns/op is the worker's processor time for a case: it
// says what the protocol adds, whatever else the machine does.
func BenchmarkCases(b *testing.B) {
	for _, op := range []engine.Op{engine.OpRender, engine.OpParse} {
		v, err := value.Loads(workload[op])
		if err != nil {
			b.Fatal(err)
		}
		o, _ := v.AsObject()
		r := engine.Request{Op: op, Case: o}
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("op=%s/where=pool/workers=%d", op, workers), func(b *testing.B) {
				e := open(b, reference.Options{Workers: workers})
				if _, err := e.Info(context.Background()); err != nil {
					b.Fatal(err)
				}
				b.SetParallelism(16) // requests in flight
				e.Do(context.Background(), r)
				before := 0.0
				if workers == 1 {
					before = processorTime(b, e)
				}
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if out := e.Do(context.Background(), r); out.Kind != corpus.OK {
							b.Error(say(out))
						}
					}
				})
				b.StopTimer()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/float64(workers), "cases/s/worker")
				if workers == 1 {
					b.ReportMetric((processorTime(b, e)-before)/float64(b.N), "cpu-ns/op")
				}
			})
		}
		b.Run(fmt.Sprintf("op=%s/where=loop/workers=1", op), func(b *testing.B) {
			e := open(b, reference.Options{Workers: 1, Timeout: 1 << 40})
			n := max(b.N, 200)
			quoted := string(value.PyDumps.AppendString(nil, workload[op]))
			code := strings.NewReplacer("CASE", quoted, "OP", strconv.Quote(string(op)), "N)", "N)", " N\n", fmt.Sprintf(" %d\n", n)).Replace(direct)
			ns := execNumber(b, e, code)
			b.ReportMetric(0, "ns/op") // not measured
			b.ReportMetric(ns, "cpu-ns/op")
			b.ReportMetric(1e9/ns, "cases/s/worker")
		})
	}
}

// BenchmarkStart is the time from nothing to the first answer, with the
// environment in place.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		e := open(b, reference.Options{Workers: 1})
		if _, err := e.Info(context.Background()); err != nil {
			b.Fatal(err)
		}
		e.Close()
	}
}
