package engine

import (
	"context"
	"fmt"

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
	// process which answered had not reached before. So that which request a
	// point is given with depends on their order, and with several processes on
	// chance. With all it gives all that the request reached, which costs about
	// as much again as the request.
	Measure(ctx context.Context, r Request, all bool) (corpus.Outcome, []coverage.Point)
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
	j := &job{op: r.Op, rest: members(r.Op, "case", r.Case)}
	if all {
		j.rest = append(j.rest[:len(j.rest)-len("}\n")], `, "coverage": "all"}`+"\n"...)
	}
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
	report.Reached.Merge(p.reached)
	return report, nil
}

// reach keeps what an answer says was reached.
func (p *Pool) reach(points []coverage.Point) {
	if len(points) > 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reached.Add(points...)
	}
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
