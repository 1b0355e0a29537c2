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

// group is the number of cases after which the counters are read: a reading
// costs about as much as some cases do.
const group = 16

// Reached runs the cases in groups; only where a group reaches something new is
// it run again, case by case, to find out which.
func (n *native) Reached(ctx context.Context, cases []corpus.Case) ([][]Point, error) {
	points := make([][]Point, len(cases))
	for at := 0; at < len(cases); at += group {
		end := min(at+group, len(cases))
		news, err := n.news(ctx, cases[at:end])
		if err != nil {
			return nil, err
		}
		if len(news) == 0 {
			continue
		}
		for i := at; i < end; i++ {
			if news, err = n.news(ctx, cases[i:i+1]); err != nil {
				return nil, err
			}
			for _, block := range news {
				n.seen[block] = true
				points[i] = append(points[i], Point(n.counters.Name(block)))
			}
		}
	}
	return points, nil
}

// news gives the blocks that the cases reach and that were not seen.
func (n *native) news(ctx context.Context, cases []corpus.Case) (blocks []int, err error) {
	if err := n.counters.Clear(); err != nil {
		return nil, err
	}
	for _, c := range cases {
		questions(c, func(q engine.Request) { n.e.Do(ctx, q) })
	}
	err = n.counters.Read(func(block int) {
		if !n.seen[block] {
			blocks = append(blocks, block)
		}
	})
	return blocks, err
}
