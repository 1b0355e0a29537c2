package campaign

import (
	"context"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/coverage"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// reference is the coverage of a checkpoint's own Python: lines and branches of
// its chat templates and of the library's reply parser.
type reference struct {
	e        engine.Measurer
	entries  []coverage.Entry // what exists, with its text
	existing coverage.Set
	reached  coverage.Set // since Reset
}

// Reference is the coverage of an engine that was opened with coverage. It is to
// be one of the campaign's engines: what its ordinary answers told of new points
// is known here, so that a round that reached none costs nothing. The error says
// why there is no coverage, a *engine.CoverageError.
func Reference(ctx context.Context, e engine.Measurer) (Coverage, error) {
	report, err := e.Coverage(ctx)
	if err != nil {
		return nil, err
	}
	r := &reference{e: e, entries: report.Existing, existing: coverage.NewSet(), reached: coverage.NewSet()}
	for _, entry := range report.Existing {
		r.existing.Add(entry.Point)
	}
	return r, nil
}

func (r *reference) Name() string { return r.e.Name() }
func (r *reference) Total() int   { return len(r.existing) }

func (r *reference) Reset() {
	r.e.Forget()
	r.reached = coverage.NewSet()
}

func (r *reference) Missed() (points []Point) {
	for _, p := range r.reached.Missing(r.existing) {
		points = append(points, Point(p))
	}
	return points
}

// Report is what exists and what of it was reached, with the texts.
func (r *reference) Report() coverage.Report {
	return coverage.Report{Existing: r.entries, Reached: r.reached}
}

// Reached asks the cases, where nothing was asked since it was called last. If
// they reached something new they are asked again for all that they reach, one
// after another: each point is told with the first case of the list that reaches
// it, whichever process met it first.
func (r *reference) Reached(ctx context.Context, cases []corpus.Case) ([][]Point, error) {
	points := make([][]Point, len(cases))
	news, answers := r.e.News()
	if answers == 0 {
		for _, c := range cases {
			r.ask(ctx, c, false)
		}
		news, _ = r.e.News()
	}
	left := coverage.NewSet(r.reached.New(news...)...)
	for i := 0; i < len(cases) && len(left) > 0; i++ {
		for _, p := range r.reached.Add(r.ask(ctx, cases[i], true)...) {
			points[i] = append(points[i], Point(p))
			delete(left, p)
		}
	}
	if len(left) > 0 {
		r.e.Forget() // reached by none of the cases, but by what came of them: the next case that does is to tell
	}
	r.e.News()
	return points, ctx.Err()
}

// ask asks all that a case asks, and gives what was reached.
func (r *reference) ask(ctx context.Context, c corpus.Case, all bool) (points []coverage.Point) {
	questions(c, func(q engine.Request) {
		_, more := r.e.Measure(ctx, q, all)
		points = append(points, more...)
	})
	return points
}
