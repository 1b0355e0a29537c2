package ci

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/bench"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// BenchCases measure the comparison itself: two answers that are the same, and two
// that part at the end, where all of both must be looked at.
func BenchCases() (s bench.Suite) {
	for _, kind := range []struct{ name, why string }{
		{"same", "two messages that are equal: what a run of agreeing engines pays for each case"},
		{"end", "two messages that part in the last argument: where they part must be found"},
	} {
		for _, size := range bench.Sizes {
			s = append(s, bench.Case{
				Family: "Judge", Impl: bench.Native, Why: kind.why, Size: size, Gated: slices.Contains(bench.BudgetSizes, size),
				Labels:  []bench.Label{{Key: "kind", Value: kind.name}, {Key: "size", Value: bench.SizeName(size)}},
				Prepare: func(*bench.Env) (*bench.Body, error) { return judgeBody(kind.name == "same", size) },
			})
		}
	}
	return s
}

func judgeBody(same bool, size int) (*bench.Body, error) {
	message := func(last string) (corpus.Outcome, int, error) {
		const call = `{"type":"function","function":{"name":"get_weather","arguments":{"city":"Paris","days":3}}},`
		text := `{"role":"assistant","thinking":"` + strings.Repeat("word ", size/10) + `","tool_calls":[` +
			strings.Repeat(call, max(1, size/2/len(call))) + `{"type":"function","function":{"name":"` + last + `","arguments":{}}}]}`
		v, err := value.Loads(text)
		return corpus.Outcome{Kind: corpus.OK, Value: v, Offset: -1}, len(text), err
	}
	left, n, err := message("end")
	if err != nil {
		return nil, err
	}
	want, last := corpus.Same, "end"
	if !same {
		want, last = corpus.ValueDiffers, "and"
	}
	right, _, err := message(last)
	if err != nil {
		return nil, err
	}
	return &bench.Body{Bytes: n, Run: func() error {
		got, where, _ := judge(corpus.Parse, left, right)
		if got != want || !same && (where == nil || !strings.HasSuffix(where.Path, ".function.name")) {
			return fmt.Errorf("%v at %+v, not %v", got, where, want)
		}
		return nil
	}}, nil
}
