package engine

import (
	"context"
	"fmt"
	"maps"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/coverage"
)

// OpCoverage is the operation that tells which points exist. It takes no case.
const OpCoverage Op = "coverage"

// AbleCoverage is the ability to tell what of the checkpoint a request reaches.
const AbleCoverage = "coverage"

// Measurer is an engine that tells what of its checkpoint a request reaches. A
// [Pool] is one, over an engine that has [AbleCoverage].
type Measurer interface {
	Engine
	// Measure answers a request as Do does, and gives what it reached that the
	// process which answered had not reached before: which request a point is given
	// with depends on their order, and with several processes on chance. With all
	// it gives all that the request reached, which takes twice to three times as
	// long.
	Measure(ctx context.Context, r Request, all bool) (corpus.Outcome, []coverage.Point)
	// News gives what was reached for the first time by any process since News was
	// called last, with whatever request, and the number of answers since then.
	News() (points []coverage.Point, answers int)
	// Forget makes every point new again, for requests from now on.
	Forget()
	// Coverage gives the points that exist, and those that any process has
	// reached so far. The error is a *CoverageError.
	Coverage(ctx context.Context) (coverage.Report, error)
}

// CoverageError says why an engine does not tell what it reaches.
type CoverageError struct{ Engine, Why string }

func (e *CoverageError) Error() string {
	return fmt.Sprintf("engine %s tells no coverage: %s", e.Engine, e.Why)
}

// Measure is of [Measurer].
func (p *Pool) Measure(ctx context.Context, r Request, all bool) (corpus.Outcome, []coverage.Point) {
	j := &job{op: r.Op, rest: members(r.Op, "case", r.Case), all: all}
	out := p.do(ctx, j)
	return out, j.points
}

// Coverage is of [Measurer].
func (p *Pool) Coverage(ctx context.Context) (coverage.Report, error) {
	out := p.do(ctx, &job{op: OpCoverage, rest: members(OpCoverage, "", nil)})
	switch out.Kind {
	case corpus.OK:
	case corpus.Raised:
		return coverage.Report{}, &CoverageError{p.o.Name, out.Class + ": " + out.Message}
	default:
		return coverage.Report{}, &CoverageError{p.o.Name, out.Why}
	}
	report, err := decodeReport(out.Value)
	if err != nil {
		return coverage.Report{}, &CoverageError{p.o.Name, err.Error()}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	report.Reached = maps.Clone(p.reached)
	return report, nil
}

// reach keeps what the answer to a job says was reached; Pool.mu is held.
func (p *Pool) reach(j *job, points []coverage.Point) {
	j.points = points
	if j.since == p.since && j.op != OpCoverage {
		p.news = append(p.news, p.reached.Add(points...)...)
		p.answers++
	}
}

// withCoverage adds to a request what it asks of coverage; Pool.mu is held.
func (p *Pool) withCoverage(j *job) {
	j.since = p.since
	if !j.all && j.since == 0 {
		return
	}
	more := fmt.Sprintf(`, "coverage": {"since": %d, "all": %t}}`+"\n", j.since, j.all)
	j.rest = append(j.rest[:len(j.rest)-len("}\n")], more...)
}

// News is of [Measurer].
func (p *Pool) News() (points []coverage.Point, answers int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	points, answers = p.news, p.answers
	p.news, p.answers = nil, 0
	return points, answers
}

// Forget is of [Measurer].
func (p *Pool) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since++
	p.reached, p.news, p.answers = coverage.NewSet(), nil, 0
}

// decodeReport reads the value of the operation coverage.
func decodeReport(v value.Value) (coverage.Report, error) {
	r := coverage.Report{}
	existing, _ := v.Get("existing").AsObject()
	for name, x := range existing.All() {
		point, err := coverage.ParsePoint(name)
		if err != nil {
			return r, err
		}
		text, _ := x.AsString()
		r.Existing = append(r.Existing, coverage.Entry{Point: point, Text: text})
	}
	reached, err := decodePoints(v.Get("reached"))
	r.Reached = coverage.NewSet(reached...)
	return r, err
}

// decodePoints reads a list of points; null is none.
func decodePoints(v value.Value) ([]coverage.Point, error) {
	list, ok := v.AsArray()
	if !ok && !v.IsNull() {
		return nil, fmt.Errorf("coverage is not a list but %s", v.Kind())
	}
	var out []coverage.Point
	for _, item := range list.All() {
		text, isText := item.AsString()
		if !isText {
			return nil, fmt.Errorf("a point of coverage is not a text but %s", item.Kind())
		}
		p, err := coverage.ParsePoint(text)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}
