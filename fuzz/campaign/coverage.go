package campaign

import (
	"context"

	"github.com/beamdiff/beamdiff/corpus"
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

// Covered is how much one side's cases reach.
type Covered struct {
	Name           string
	Reached, Total int
}

// coverage is all sides together, with what each has reached.
type coverage struct {
	sides   []Coverage
	reached []int
}

func newCoverage(sides []Coverage) *coverage {
	for _, side := range sides {
		side.Reset()
	}
	return &coverage{sides: sides, reached: make([]int, len(sides))}
}

// news tells for each case whether it reaches something new on any side.
func (v *coverage) news(ctx context.Context, cases []corpus.Case) ([]bool, error) {
	news := make([]bool, len(cases))
	if len(cases) == 0 {
		return news, nil
	}
	for i, side := range v.sides {
		points, err := side.Reached(ctx, cases)
		if err != nil {
			return nil, err
		}
		for j := range cases {
			v.reached[i] += len(points[j])
			news[j] = news[j] || len(points[j]) > 0
		}
	}
	return news, nil
}

func (v *coverage) covered() []Covered {
	out := make([]Covered, len(v.sides))
	for i, side := range v.sides {
		out[i] = Covered{side.Name(), v.reached[i], side.Total()}
	}
	return out
}
