package pattern

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/response"
	"github.com/beamdiff/beamdiff/harmony/value"
)

const (
	longest  = 1 << 17 // bytes of a text that is timed
	enoughNS = 6e7     // a call of that many nanoseconds is not doubled any more
	soonNS   = 4e8     // nor one of which the next is likely to take so long
	doubled  = 4       // sizes, so that three doublings lie between them
)

// confirmTime times the reference for texts that double, until a call takes long
// enough that what is not of the text does not count. Only ratios of one process are
// compared.
func (t *Template) confirmTime(ctx context.Context, asker Asker, p *Prediction) error {
	var sizes []int
	var times []float64
	for n := 4; len(p.sizes(n)) <= longest; n *= 2 {
		inner := t.sized(p.Part, p.sizes(n))
		op := "parse"
		if p.stream {
			op = "stream"
			inner.Set("chunks", value.Int(4))
		}
		in := value.NewObject(3)
		in.Set("op", value.String(op))
		in.Set("case", inner.Value())
		in.Set("calls", value.Int(3))
		got, err := asker.Ask(ctx, "time", []corpus.Case{{ID: p.Case().ID, Kind: corpus.Parse, Input: in}})
		if err != nil {
			return err
		}
		if got[0].Kind == corpus.Failed && strings.Contains(got[0].Why, "time") && len(times) >= 3 {
			p.Confirmed, p.Witness, p.Growth = true, inner, math.Inf(1)
			p.Shown = append(shownTimes(sizes, times), Shown{fmt.Sprintf("%d characters", len(p.sizes(n))), "no answer within the time limit"})
			return nil
		}
		best := fastest(got[0].Value.Get("ns"))
		if best == 0 {
			return nil // it raises, or cannot be timed
		}
		sizes, times = append(sizes, len(p.sizes(n))), append(times, best)
		if k := len(times); best > enoughNS || k > 1 && best*best/times[k-2] > soonNS && best > 4*times[0] {
			break
		}
	}
	if len(times) < doubled {
		return nil
	}
	if e := exponent(times); e > steep && times[len(times)-1] > 8*times[0] {
		p.Confirmed, p.Growth = true, e
		n := len(times) - doubled
		p.Witness = t.sized(p.Part, p.sizes(16))
		if p.stream {
			p.Witness.Set("chunks", value.Int(4))
		}
		p.Shown = append(shownTimes(sizes[n:], times[n:]), Shown{"growth", fmt.Sprintf("length to the power of %.1f", e)})
	}
	return nil
}

// shownTimes tells times as ratios to the first.
func shownTimes(sizes []int, times []float64) (out []Shown) {
	for i, n := range sizes {
		out = append(out, Shown{fmt.Sprintf("%d bytes", n), fmt.Sprintf("%.1f times", times[i]/times[0])})
	}
	return out
}

func fastest(ns value.Value) float64 {
	list, ok := ns.AsArray()
	if !ok {
		return 0
	}
	var all []float64
	for _, v := range list.All() {
		n, _ := v.AsInt()
		all = append(all, float64(n))
	}
	return slices.Min(append(all, all[0]))
}

// confirmSteps counts what native Go looks at, for texts that double.
func (t *Template) confirmSteps(p *Prediction) {
	compiled, err := response.Compile(t.Spec)
	if err != nil {
		return
	}
	var sizes []int
	var steps []float64
	for n := 16; n <= 1024; n *= 2 {
		text := p.sizes(n)
		prefix := ""
		parser, err := compiled.NewParser(response.Options{Prefix: &prefix})
		if err != nil {
			return
		}
		if _, err := parser.Feed(text); err == nil {
			_, _, err = parser.Finalize(harmony.StopUnknown())
		}
		sizes, steps = append(sizes, len(text)), append(steps, float64(parser.Steps()))
		if err != nil {
			break // the limit of steps
		}
	}
	if e := exponent(steps); len(steps) >= doubled && e > steep {
		n := len(steps) - doubled
		p.Confirmed, p.Growth = true, e
		p.Shown = append(shownTimes(sizes[n:], steps[n:]), Shown{"growth of steps", fmt.Sprintf("length to the power of %.1f, up to Limits.Steps", e)})
	}
}
