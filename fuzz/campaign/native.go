package campaign

import (
	"context"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/campaign/counters"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// native is the coverage of an engine inside this program, by Go's counters.
type native struct {
	e        engine.Engine
	counters *counters.Counters
	seen     []bool // by block
	blocks   []int  // those that are to be reached
}

// Native is the coverage of an engine that runs in this program: of the blocks
// of its packages whose path begins with prefix. The error says why there is
// none: the program was not built with -cover (package counters).
func Native(e engine.Engine, prefix string) (Coverage, error) {
	c, err := counters.Open()
	if err != nil {
		return nil, err
	}
	n := &native{e: e, counters: c}
	for block := range c.Total() {
		if strings.HasPrefix(c.Name(block), prefix) {
			n.blocks = append(n.blocks, block)
		}
	}
	n.Reset()
	return n, nil
}

func (n *native) Name() string { return n.e.Name() }
func (n *native) Total() int   { return len(n.blocks) }

// Reset marks all blocks as seen but those that are to be reached.
func (n *native) Reset() {
	n.seen = slices.Repeat([]bool{true}, n.counters.Total())
	for _, block := range n.blocks {
		n.seen[block] = false
	}
}

func (n *native) Missed() (points []Point) {
	for _, block := range n.blocks {
		if !n.seen[block] {
			points = append(points, Point(n.counters.Name(block)))
		}
	}
	slices.Sort(points)
	return points
}

// Reached runs all the cases and reads the counters once; only where some of
// them reach something new is it found out which, by halves.
func (n *native) Reached(ctx context.Context, cases []corpus.Case) ([][]Point, error) {
	points := make([][]Point, len(cases))
	return points, n.halves(ctx, cases, points)
}

func (n *native) halves(ctx context.Context, cases []corpus.Case, points [][]Point) error {
	if len(cases) == 0 {
		return nil
	}
	if err := n.counters.Clear(); err != nil {
		return err
	}
	for _, c := range cases {
		questions(c, func(q engine.Request) { n.e.Do(ctx, q) })
	}
	var news []int
	err := n.counters.Read(func(block int) {
		if !n.seen[block] {
			news = append(news, block)
		}
	})
	if err != nil || len(news) == 0 {
		return err
	}
	if len(cases) == 1 {
		for _, block := range news {
			n.seen[block] = true
			points[0] = append(points[0], Point(n.counters.Name(block)))
		}
		return nil
	}
	half := len(cases) / 2
	if err := n.halves(ctx, cases[:half], points[:half]); err != nil {
		return err
	}
	return n.halves(ctx, cases[half:], points[half:])
}
