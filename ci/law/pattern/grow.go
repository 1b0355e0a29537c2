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
	"github.com/beamdiff/beamdiff/reference/engine"
)

// opTime does an operation several times and tells how long each took
// (PROTOCOL.md).
const opTime engine.Op = "time"

const (
	pieces   = 64      // characters a piece, of what is slow as a stream
	times    = 3       // how many times slower that must be than a plain template
	longest  = 1 << 17 // bytes of a text that is timed
	enoughNS = 6e7     // a call of that many nanoseconds is not doubled any more
	soonNS   = 4e8     // nor one of which the next is likely to take so long
	doubled  = 4       // sizes, so that three doublings lie between them
	maxTimed = 24      // predictions of a template that are timed
)

// What explodes is timed for texts that become longer by a few characters.
const (
	fewer   = 2  // times the run, from one text to the next
	most    = 64 // times the run
	between = 3  // texts that are compared: so many lie between them
	bursts  = 12 // times slower the longer must be; two ways a character make it 64
)

// confirmExplosion times the reference for texts that become longer by a little.
// Nothing is confirmed where they take time for less than each character's doubling.
func (t *Template) confirmExplosion(ctx context.Context, asker Asker, p *Prediction) error {
	var sizes []int
	var took []float64
	for n := 4; n <= most; n += fewer {
		in := t.sized(p.Part, p.sizes(n))
		best, failed, err := timed(ctx, asker, p, in, 3)
		if err != nil {
			return err
		}
		if failed && len(took) > between {
			p.Confirmed, p.Witness = true, in
			p.Shown = append(shownTimes(sizes, took), unanswered(len(p.sizes(n))))
			return nil
		}
		if best == 0 {
			return nil
		}
		sizes, took = append(sizes, len(p.sizes(n))), append(took, best)
		if best > enoughNS {
			p.Witness = in
			break
		}
	}
	last := len(took) - 1
	if last < between || took[last] < bursts*took[last-between] {
		return nil
	}
	again, _, err := timed(ctx, asker, p, t.sized(p.Part, p.sizes(4+fewer*last)), 3)
	if err == nil && min(again, took[last]) >= bursts*took[last-between] {
		p.Confirmed = true
		p.Shown = shownTimes(sizes[last-between:], took[last-between:])
	}
	return err
}

func unanswered(bytes int) Shown {
	return Shown{fmt.Sprintf("%d bytes", bytes), "no answer within the time limit"}
}

// confirmTime times the reference for texts that double, until a call takes long
// enough that what is not of the text does not count. Only ratios within one run are
// compared. A stream is timed beside one of a plain template, turn by turn, since the
// reference copies all that has come with every piece, whatever the template.
func (t *Template) confirmTime(ctx context.Context, asker Asker, p *Prediction) error {
	var sizes []int
	var took []float64
	plain := 0.0
	for n := 4; len(p.sizes(n)) <= longest; n *= 2 {
		in := t.sized(p.Part, p.sizes(n))
		if p.stream {
			in.Set("chunks", value.Int(pieces))
			control := t.sized(p.Part, p.sizes(n))
			control.Set("chunks", value.Int(pieces))
			control.Set("response_template", plainTemplate())
			var err error
			if plain, _, err = timed(ctx, asker, p, control, 3); err != nil {
				return err
			}
		}
		best, failed, err := timed(ctx, asker, p, in, 3)
		if err != nil {
			return err
		}
		if failed && len(took) >= 3 {
			p.Confirmed, p.Witness = true, in
			p.Shown = append(shownTimes(sizes, took), unanswered(len(p.sizes(n))))
			return nil
		}
		if best == 0 {
			return nil // it raises, or cannot be timed
		}
		sizes, took = append(sizes, len(p.sizes(n))), append(took, best)
		if k := len(took); best > enoughNS || k > 1 && best*best/took[k-2] > soonNS && best > 4*took[0] {
			break
		}
	}
	if len(took) < doubled || p.stream && took[len(took)-1] < times*plain {
		return nil
	}
	if exponent(took) <= steep {
		return nil
	}
	// Once more, so that another program's work at the wrong time confirms nothing.
	for i := len(took) - doubled; i < len(took); i++ {
		in := t.sized(p.Part, p.sizes(4<<i))
		if p.stream {
			in.Set("chunks", value.Int(pieces))
		}
		again, _, err := timed(ctx, asker, p, in, 4)
		if err != nil {
			return err
		}
		if again > 0 {
			took[i] = min(took[i], again)
		}
	}
	if e := exponent(took); e > steep && took[len(took)-1] > 8*took[0] {
		p.Confirmed = true
		if math.IsInf(p.Growth, 1) {
			p.Growth = math.Round(e)
			p.Reason += "; the reference spares itself the worst of it"
		}
		n := len(took) - doubled
		p.Shown = append(shownTimes(sizes[n:], took[n:]), Shown{"growth", fmt.Sprintf("length to the power of %.1f", e)})
		if p.stream {
			p.Shown = append(p.Shown, Shown{"a plain template", fmt.Sprintf("%.1f times", plain/took[n])})
		}
	}
	return nil
}

// plainTemplate is one that keeps nothing back.
func plainTemplate() value.Value {
	return value.Members(value.Member{Name: "start_anchor", Value: value.String("@")},
		value.Member{Name: "fields", Value: value.Members(value.Member{Name: "content", Value: value.Members(value.Member{Name: "close", Value: value.String("<|end|>")})})})
}

// timed gives the fastest of some calls, in nanoseconds; failed tells that there was
// no answer in time.
func timed(ctx context.Context, asker Asker, p *Prediction, in *value.Object, calls int64) (best float64, failed bool, err error) {
	op := "parse"
	if p.stream {
		op = "stream"
	}
	o := value.NewObject(3)
	o.Set("op", value.String(op))
	o.Set("case", in.Value())
	o.Set("calls", value.Int(calls))
	got, err := asker.Ask(ctx, opTime, []corpus.Case{{ID: p.Case().ID, Kind: corpus.Parse, Input: o}})
	if err != nil {
		return 0, false, err
	}
	if got[0].Kind == corpus.Failed {
		return 0, strings.Contains(got[0].Why, "timed out"), nil
	}
	return fastest(got[0].Value.Get("ns")), false, nil
}

// shownTimes tells times as ratios to the first.
func shownTimes(sizes []int, took []float64) (out []Shown) {
	for i, n := range sizes {
		out = append(out, Shown{fmt.Sprintf("%d bytes", n), fmt.Sprintf("%.1f times", took[i]/took[0])})
	}
	return out
}

// fastest is the least of some times, 0 where there is none.
func fastest(ns value.Value) float64 {
	var all []float64
	list, _ := ns.AsArray()
	for _, v := range list.All() {
		n, _ := v.AsInt()
		all = append(all, float64(n))
	}
	if len(all) == 0 {
		return 0
	}
	return slices.Min(all)
}

// confirmSteps counts what native Go looks at, for texts that double.
func (t *Template) confirmSteps(p *Prediction) {
	compiled, err := response.Compile(t.Spec)
	if err != nil {
		return
	}
	var sizes []int
	var steps []float64
	for n := 4; n <= 1024; n *= 2 {
		text := p.sizes(n)
		prefix := ""
		parser, err := compiled.NewParser(response.Options{Prefix: &prefix})
		if err != nil {
			return
		}
		if _, err = parser.Feed(text); err == nil {
			_, _, err = parser.Finalize(harmony.StopUnknown())
		}
		sizes, steps = append(sizes, len(text)), append(steps, float64(parser.Steps()))
		if e, ok := err.(*response.Error); ok && e.Kind == response.KindLimit {
			p.Confirmed = true
			p.Shown = append(shownTimes(sizes, steps), Shown{fmt.Sprintf("%d bytes", len(text)), err.Error()})
			return
		}
	}
	if e := exponent(steps); len(steps) >= doubled && e > steep {
		n := len(steps) - doubled
		p.Confirmed = true
		p.Shown = append(shownTimes(sizes[n:], steps[n:]), Shown{"growth of steps", fmt.Sprintf("length to the power of %.1f, up to Limits.Steps", e)})
	}
}
