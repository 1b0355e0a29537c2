package ci

import (
	"context"
	"fmt"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// failuresInRow is how many requests of one operation an engine may fail in a row
// until it is asked no more of them. Each failure may cost two time-outs.
const failuresInRow = 5

// failures counts those of one engine, so that one that fails always, say
// with a template that never ends, ends a run in bounded time.
type failures struct {
	mu    sync.Mutex
	inRow map[engine.Op]int
	last  map[engine.Op]string // why the operation is given up
}

// do asks an engine, unless it has been given up.
func (p *failures) do(ctx context.Context, e engine.Engine, r engine.Request) corpus.Outcome {
	p.mu.Lock()
	n, why := p.inRow[r.Op], p.last[r.Op]
	p.mu.Unlock()
	if n >= failuresInRow {
		return corpus.Outcome{Kind: corpus.Failed, Offset: -1,
			Why: fmt.Sprintf("given up after %d failures of %s in a row: %s", failuresInRow, r.Op, why)}
	}
	o := e.Do(ctx, r)
	if ctx.Err() != nil { // no failure of the engine's
		return o
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.inRow[r.Op] >= failuresInRow: // given up while this was asked
	case o.Kind != corpus.Failed:
		delete(p.inRow, r.Op)
	default:
		if p.inRow == nil {
			p.inRow, p.last = map[engine.Op]int{}, map[engine.Op]string{}
		}
		p.inRow[r.Op]++
		p.last[r.Op] = o.Why
	}
	return o
}
