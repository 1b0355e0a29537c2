//go:build tokenizers && cgo

package reference_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/harmony/beam"
	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// masking makes the same calls as a trainer in a plain Python loop: the ids and
// the mask of a conversation. It prints the nanoseconds that one took, and those
// of them that were the tokenizers library's.
const masking = `
import json, os, time
from transformers import AutoTokenizer
case, n = json.loads(CASE), N
tokenizer = AutoTokenizer.from_pretrained(os.environ["BEAM_MODEL_ID"])
def call():
    return tokenizer.apply_chat_template(case["messages"], tools=case["tools"], tokenize=True, return_dict=True,
                                         return_assistant_tokens_mask=True)
text = tokenizer.apply_chat_template(case["messages"], tools=case["tools"], tokenize=False)
library = tokenizer._tokenizer
call(), library.encode(text, add_special_tokens=False)
start = time.perf_counter_ns()
for _ in range(n):
    call()
middle = time.perf_counter_ns()
for _ in range(n):
    library.encode(text, add_special_tokens=False)
print((middle - start) // n, (time.perf_counter_ns() - middle) // n)
`

// turns gives the render workload with its messages so many times over.
func turns(b *testing.B, times int) *value.Object {
	v, err := value.Loads(workload[engine.OpRender])
	if err != nil {
		b.Fatal(err)
	}
	messages, _ := v.Get("messages").AsArray()
	var all []value.Value
	for range times {
		for _, m := range messages.All() {
			all = append(all, m)
		}
	}
	o, _ := v.AsObject()
	o.Set("messages", value.List(all...))
	o.Set("add_generation_prompt", value.Bool(false))
	return o
}

// BenchmarkMask decodes a request, renders, encodes and masks it: natively, and in
// a plain Python loop of the reference, in turns of one run. Of the native ns/op,
// library-ns/op is the tokenizers library's; reference-ns/op and
// reference-library-ns/op are the other side's. times is how many times as long
// the reference takes, own-times the same without the library on either side.
func BenchmarkMask(b *testing.B) {
	c := checkpoint.Default()
	encoder, err := token.NewEncoder(c.Tokenizer)
	if err != nil {
		b.Fatal(err)
	}
	defer encoder.Close()
	for _, n := range []int{1, 50} {
		b.Run(fmt.Sprintf("messages=%d", 4*n), func(b *testing.B) {
			in := turns(b, n)
			ref := open(b, reference.Options{Workers: 1, Timeout: time.Hour})
			sameMask(b, engine.NewNative(c, engine.NativeOptions{}), ref, in)
			var native, library, there, thereLibrary, turn time.Duration
			b.ReportAllocs()
			ids, rounds, turns := 0, 0, 0
			const each = 20 // conversations of the reference's turn, after 0.2 s of the other's
			for b.Loop() {
				if turns == 0 || native-turn > time.Second/5 {
					b.StopTimer()
					one, lib := referenceMask(b, ref, in, each)
					there, thereLibrary = there+one, thereLibrary+lib
					turns++
					turn = native
					b.StartTimer()
				}
				start := time.Now()
				req, err := beam.DecodeRequest(in.Value())
				if err != nil {
					b.Fatal(err)
				}
				req.GenerationPrompt = beam.Off
				made, err := beam.RenderSpans(req)
				if err != nil {
					b.Fatal(err)
				}
				rendered := time.Now()
				e, err := encoder.Encode(made.Text)
				if err != nil {
					b.Fatal(err)
				}
				encoded := time.Now()
				ids = len(token.Mask(e, made.Spans))
				native += time.Since(start)
				library += encoded.Sub(rendered)
				rounds++
			}
			per, perTurn := float64(rounds), float64(turns)
			reportMask(b, float64(native)/per, float64(library)/per, float64(there)/perTurn, float64(thereLibrary)/perTurn)
			b.ReportMetric(float64(ids), "ids")
		})
	}
}

func reportMask(b *testing.B, native, library, there, thereLibrary float64) {
	b.ReportMetric(library, "library-ns/op")
	b.ReportMetric(there, "reference-ns/op")
	b.ReportMetric(thereLibrary, "reference-library-ns/op")
	b.ReportMetric(there/native, "times")
	b.ReportMetric((there-thereLibrary)/(native-library), "own-times")
}

// sameMask fails the benchmark where the two sides do not do the same.
func sameMask(b *testing.B, native, ref engine.Engine, in *value.Object) {
	r := engine.Request{Op: engine.OpMask, Case: in}
	n, p := native.Do(context.Background(), r), ref.Do(context.Background(), r)
	if n.Value.Get("assistant_masks").IsNull() || !value.Equal(n.Value, p.Value) {
		b.Fatalf("native    %s\nreference %s", say(n), say(p))
	}
}

// referenceMask is the time that the reference takes for one of n conversations,
// and the library's part of it.
func referenceMask(b *testing.B, ref engine.Engine, in *value.Object, n int) (all, library time.Duration) {
	quoted := string(value.PyDumps.AppendString(nil, value.Dumps(in.Value())))
	code := strings.NewReplacer("CASE", quoted, " N\n", fmt.Sprintf(" %d\n", n)).Replace(masking)
	fields := strings.Fields(execText(b, ref, code, ""))
	if len(fields) != 2 {
		b.Fatalf("the reference printed %q", fields)
	}
	var took [2]time.Duration
	for i, f := range fields {
		ns, err := strconv.Atoi(f)
		if err != nil {
			b.Fatal(err)
		}
		took[i] = time.Duration(ns)
	}
	return took[0], took[1]
}
