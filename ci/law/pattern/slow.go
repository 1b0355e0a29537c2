package pattern

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Causes of time that grows faster than the reply. The name says what is tried
// again, the run that is pumped stands in the reason.
const (
	retried   = "tried again"   // the same text is read again from many positions
	explodes  = "explodes"      // each further character doubles the paths, or more
	backtrack = "native search" // native Go tries one path after another too
)

// steep is the exponent from which on growth counts as faster than linear.
const steep = 1.5

// pump is a family of texts: begin, then n times a run, then a text that ends it.
type pump struct {
	begin, run, end string
	whole           bool // begin is repeated with the run
	of              *rx.Tree
	steps           []float64
}

func (p *pump) text(n int) string {
	if p.whole {
		return strings.Repeat(p.begin+p.run, n) + p.end
	}
	return p.begin + strings.Repeat(p.run, n) + p.end
}

// maxWalked bounds the steps of all families of a part, allWalked those of all parts
// of a template.
const (
	maxWalked = 40 * maxPaths
	allWalked = 4 * maxWalked
)

// maxPumps bounds the families that are timed of one part.
const maxPumps = 2

// slow predicts what takes time that grows faster than the reply.
func (t *Template) slow(p *Part) (out []*Prediction) {
	if p.tree == nil {
		return nil
	}
	if t.walked > allWalked {
		t.tooLong(p)
		return nil
	}
	var steepest []*pump
	total := 0
	for _, f := range p.pumps() {
		if total > maxWalked {
			break
		}
		for n := 4; n <= 128; n *= 2 {
			steps := paths(p.tree, f.text(n))
			f.steps = append(f.steps, float64(steps))
			total += steps
			if steps >= maxPaths {
				break
			}
		}
		if exponent(f.steps) > steep {
			steepest = append(steepest, f)
		}
	}
	t.walked += total
	slices.SortStableFunc(steepest, func(a, b *pump) int { return cmp.Compare(exponent(b.steps), exponent(a.steps)) })
	var runs []string
	for _, f := range steepest {
		if run := f.of.String(); len(runs) < maxPumps && !slices.Contains(runs, run) {
			runs = append(runs, run)
			out = append(out, t.pumped(p, f, "reference"))
			if p.rx.Backtracks() && p.Use != Tag {
				out = append(out, t.pumped(p, f, "native"))
			}
		}
	}
	return out
}

func (t *Template) pumped(p *Part, f *pump, engine string) *Prediction {
	growth := exponent(f.steps)
	cause, how := retried, fmt.Sprintf("%s is tried again from each position, or divides what it takes with its neighbours in every way: n characters take about n to the power of %.1f steps", f.of, growth)
	if last := f.steps[len(f.steps)-1]; last >= maxPaths && len(f.steps) <= 4 {
		growth = math.Inf(1)
		cause, how = explodes, fmt.Sprintf("%s holds another repeat, or branches that begin alike: each further character multiplies the ways in which a text can be read", f.of)
	}
	if engine == "native" {
		cause = backtrack
	}
	o := &Prediction{Kind: Slow, Part: p, Cause: cause + " " + f.of.String(), Engine: engine, Reason: how, Growth: growth}
	o.sizes = t.placed(p, f.text)
	o.Witness = t.sized(p, o.sizes(32))
	return o
}

// placed puts texts where the part is looked for.
func (t *Template) placed(p *Part, text func(n int) string) func(n int) string {
	head, end := "", ""
	if f := t.field(p); f != nil && p.Use != Open {
		head = t.opened(f)
		if p.Use == Tag && f.close != nil {
			end = f.close.word()
		}
	}
	return func(n int) string { return head + text(n) + end }
}

// sized is a case of a text: the reply, or of a start anchor the prompt.
func (t *Template) sized(p *Part, text string) *value.Object {
	if p.Use == Start {
		o := t.parseCase("a")
		o.Set("prefix", value.String(text))
		return o
	}
	return t.parseCase(text)
}

// pumps are families of texts that pump each run of the pattern without end.
func (p *Part) pumps() (out []*pump) {
	seen := map[string]bool{}
	var walk func(t *rx.Tree, before string)
	walk = func(t *rx.Tree, before string) {
		if t.Op == rx.TreeSequence {
			for _, sub := range t.Subs {
				walk(sub, before)
				if words := resolved((&writer{}).of(sub)); len(words) > 0 {
					before += words[0]
				}
			}
			return
		}
		if t.Op == rx.TreeRepeat && (t.Max < 0 || t.Max > 64) {
			words := resolved((&writer{}).of(t.Subs[0]))
			for _, run := range words[:min(len(words), 5)] {
				for _, end := range []string{"", "z", "\n"} {
					for _, whole := range []bool{false, true} {
						f := &pump{before, run, end, whole, t, nil}
						if key := f.text(3) + " " + t.String(); run != "" && !seen[key] {
							seen[key] = true
							out = append(out, f)
						}
					}
				}
			}
		}
		for _, sub := range t.Subs {
			walk(sub, before)
		}
	}
	walk(p.tree, "")
	return out
}
