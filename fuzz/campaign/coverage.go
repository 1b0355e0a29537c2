package campaign

import (
	"context"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/coverage"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Point is a place in an implementation that a case can reach, such as
// "harmony/response/machine.go:120.2" or "chat_template.jinja:12".
type Point string

// Coverage tells what cases reach in one implementation. Its methods are called
// from one goroutine at a time, while nothing else asks that implementation.
type Coverage interface {
	// Name is the side's: native, reference.
	Name() string
	// Reached gives for each case, in order, the points that it reaches and that
	// no case did since Reset.
	Reached(ctx context.Context, cases []corpus.Case) ([][]Point, error)
	// Reset forgets what was reached.
	Reset()
	// Total is the number of points there are, as far as it is known: it may grow
	// while cases are asked.
	Total() int
	// Missed are the points that no case reached since Reset, in order.
	Missed() []Point
}

// Reporter is a Coverage that knows the texts of its points, such as lines and
// conditions of a template.
type Reporter interface {
	Coverage
	// Report is what there is, and what of it was reached since Reset.
	Report() coverage.Report
}

// Covered is how much one side's cases reach.
type Covered struct {
	Name           string
	Reached, Total int
}

// sides are the coverage of all implementations together, and how much each has
// reached.
type sides struct {
	all     []Coverage
	reached []int
}

func newSides(all []Coverage) *sides {
	for _, side := range all {
		side.Reset()
	}
	return &sides{all: all, reached: make([]int, len(all))}
}

// news tells for each case whether it reaches something new on any side.
func (s *sides) news(ctx context.Context, cases []corpus.Case) ([]bool, error) {
	news := make([]bool, len(cases))
	if len(cases) == 0 {
		return news, nil
	}
	for i, side := range s.all {
		points, err := side.Reached(ctx, cases)
		if err != nil {
			return nil, err
		}
		for j := range cases {
			s.reached[i] += len(points[j])
			news[j] = news[j] || len(points[j]) > 0
		}
	}
	return news, nil
}

func (s *sides) covered() []Covered {
	out := make([]Covered, len(s.all))
	for i, side := range s.all {
		out[i] = Covered{side.Name(), s.reached[i], side.Total()}
	}
	return out
}

// questions are what a case asks of an implementation whose coverage is taken:
// the whole, and of a reply its own cut or one character at a time. A number that
// no case came of asks nothing.
func questions(c corpus.Case, ask func(engine.Request)) {
	if c.Input == nil {
		return
	}
	ask(engine.Request{Op: engine.Op(c.Kind), Case: c.Input})
	if c.Kind != corpus.Parse {
		return
	}
	in := c.Input
	if _, cut := in.Get("chunks"); !cut {
		in, _ = c.Input.Value().Clone().AsObject()
		in.Set("chunks", value.Int(1))
	}
	ask(engine.Request{Op: engine.OpStream, Case: in})
}
