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
// the nanoseconds that one took.
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
start = time.perf_counter_ns()
for _ in range(n):
    call()
print((time.perf_counter_ns() - start) // n)
`

// BenchmarkCases compares the way through the protocol with a plain Python loop
// over the same calls: what the pool adds to a case.
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
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if out := e.Do(context.Background(), r); out.Kind != corpus.OK {
							b.Error(say(out))
						}
					}
				})
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/float64(workers), "cases/s/worker")
			})
		}
		b.Run(fmt.Sprintf("op=%s/where=loop/workers=1", op), func(b *testing.B) {
			e := open(b, reference.Options{Workers: 1, Timeout: 1 << 40})
			n := max(b.N, 200)
			quoted := string(value.PyDumps.AppendString(nil, workload[op]))
			code := strings.NewReplacer("CASE", quoted, "OP", strconv.Quote(string(op)), "N)", "N)", " N\n", fmt.Sprintf(" %d\n", n)).Replace(direct)
			c, _ := value.Members(value.Member{Name: "code", Value: value.String(code)}).AsObject()
			out := e.Do(context.Background(), engine.Request{Op: worker.OpExec, Case: c})
			text, _ := out.Value.Get("output").AsString()
			ns, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil {
				b.Fatal(say(out))
			}
			b.ReportMetric(float64(ns), "ns/op")
			b.ReportMetric(1e9/float64(ns), "cases/s/worker")
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
