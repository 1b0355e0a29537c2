package reference_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// reading encodes a reply, prints its ids, and reads them one by one as the
// library's own server does: a DecodeStream into a response parser. It prints the
// nanoseconds that one reply took.
const reading = `
import json, os, time
from tokenizers.decoders import DecodeStream
from transformers import AutoTokenizer
reply, n = json.loads(REPLY), N
t = AutoTokenizer.from_pretrained(os.environ["BEAM_MODEL_ID"])
ids, backend = t.encode(reply, add_special_tokens=False), t.backend_tokenizer
def call():
    parser, stream = t.get_response_parser(prefix="<|start|>assistant"), DecodeStream(skip_special_tokens=False)
    for i in ids:
        text = stream.step(backend, i)
        if text:
            parser.feed(text)
    return parser.finalize()
call()
start = time.perf_counter_ns()
for _ in range(n):
    call()
print(json.dumps([(time.perf_counter_ns() - start) // n, ids]))
`

// BenchmarkIDs reads a reply from ids, one at a time: natively, and with the
// reference's own stream and parser, in turns of one run. ns/id is the native
// side's, reference-ns/id the other's; times is their ratio.
func BenchmarkIDs(b *testing.B) {
	c := checkpoint.Default()
	v, err := token.Load(c.Tokenizer)
	if err != nil {
		b.Fatal(err)
	}
	template, err := response.Compile(c.ResponseTemplate)
	if err != nil {
		b.Fatal(err)
	}
	reply := "<|channel|>analysis<|message|>" + strings.Repeat("I should call get_weather for Größe 世界. ", 20) +
		"<|end|><|start|>assistant<|channel|>final<|message|>" + strings.Repeat("The weather in London. ", 20) + "<|return|>"
	ref := open(b, reference.Options{Workers: 1, Timeout: time.Hour})
	ask := func(n int) (time.Duration, []token.ID) {
		code := fmt.Sprintf("REPLY, N = %s, %d\n%s", value.Dumps(value.String(value.Dumps(value.String(reply)))), n, reading)
		in, _ := value.Members(value.Member{Name: "code", Value: value.String(code)}).AsObject()
		out := ref.Do(context.Background(), engine.Request{Op: worker.OpExec, Case: in})
		text, _ := out.Value.Get("output").AsString()
		answer, err := value.Loads(text)
		if err != nil {
			b.Fatal(say(out))
		}
		pair, _ := answer.AsArray()
		list, _ := pair.At(1).AsArray()
		var ids []token.ID
		for _, item := range list.All() {
			id, _ := strconv.Atoi(value.Dumps(item))
			ids = append(ids, token.ID(id))
		}
		ns, _ := pair.At(0).AsInt()
		return time.Duration(ns), ids
	}
	_, ids := ask(1)
	prefix := "<|start|>assistant"
	options := response.Options{Prefix: &prefix}
	parser, err := template.NewParser(options)
	if err != nil {
		b.Fatal(err)
	}
	reader := token.NewReader(v, parser, token.ReaderOptions{})
	var native, there, turn time.Duration
	rounds, turns := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		if turns == 0 || native-turn > time.Second/5 {
			b.StopTimer()
			one, _ := ask(5)
			there += one
			turns++
			turn = native
			b.StartTimer()
		}
		start := time.Now()
		if err := parser.Reset(options); err != nil {
			b.Fatal(err)
		}
		reader.Reset(parser, token.ReaderOptions{})
		for _, id := range ids {
			if _, err := reader.Feed(id); err != nil {
				b.Fatal(err)
			}
		}
		stop, err := v.Stop(ids[len(ids)-1])
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := reader.Finalize(stop); err != nil {
			b.Fatal(err)
		}
		native += time.Since(start)
		rounds++
	}
	per, perTurn := float64(native)/float64(rounds)/float64(len(ids)), float64(there)/float64(turns)/float64(len(ids))
	b.ReportMetric(per, "ns/id")
	b.ReportMetric(perTurn, "reference-ns/id")
	b.ReportMetric(perTurn/per, "times")
	b.ReportMetric(float64(len(ids)), "ids")
}
