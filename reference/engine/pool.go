package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/coverage"
)

// NOTE. One mutex guards the queue, the workers' loads and what is known of the
// engine; nothing blocks under it. Each worker is one goroutine (worker.go) that
// owns its process and the requests the process holds. A request is at any time
// in exactly one place: the queue, a worker's inbox, or a worker's hands.

// Pool is an Engine outside this process: a program that speaks the protocol,
// in as many processes as there is work for.
//
// Requests are given to the least loaded process and sent ahead of the answers.
// When a process crashes, hangs, runs out of memory or breaks the protocol, the
// oldest request that it held is the suspect: it is tried once more, alone in a
// fresh process, and judged Failed if that fails too. The others are sent again
// to whoever is free.
type Pool struct {
	o      Options
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup // the workers
	ready  chan struct{}  // closed once info is known
	dead   chan struct{}  // closed once err is set

	mu      sync.Mutex
	queue   []*job // not given to a worker yet, oldest first
	workers []*worker
	info    *Info // of the first process that came up
	err     error // why no request will be answered any more
	reached coverage.Set
	since   int              // how often what was reached has been forgotten
	news    []coverage.Point // reached since the last News
	answers int              // since the last News
}

// job is one request on its way.
type job struct {
	op   Op
	rest []byte              // the request after its id
	done chan corpus.Outcome // takes one

	// Of coverage: what is asked, and what was reached; set before done takes the
	// outcome.
	all    bool
	since  int // Pool.since when it was asked
	points []coverage.Point

	id      int64 // in the process that holds it
	gaveUp  bool  // nobody waits; guarded by Pool.mu
	suspect bool  // a process failed on it once
}

// NewPool returns a pool that has started nothing yet.
func NewPool(o Options) *Pool {
	p := &Pool{o: o.withDefaults(), ready: make(chan struct{}), dead: make(chan struct{}), reached: coverage.NewSet()}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// Name returns Options.Name.
func (p *Pool) Name() string { return p.o.Name }

// Info starts a process if there is none and returns what it says of itself. The
// error is a *StartError or the context's.
func (p *Pool) Info(ctx context.Context) (Info, error) {
	p.mu.Lock()
	if p.info == nil && len(p.workers) == 0 && p.err == nil {
		p.hire()
	}
	p.mu.Unlock()
	select {
	case <-p.ready:
		return *p.info, nil
	case <-p.dead:
		return Info{}, p.err
	case <-ctx.Done():
		return Info{}, ctx.Err()
	}
}

// Do answers one request. When ctx ends first the outcome is Failed; the process
// goes on with the request, and its answer is dropped.
func (p *Pool) Do(ctx context.Context, r Request) corpus.Outcome {
	return p.do(ctx, &job{op: r.Op, rest: members(r.Op, "case", r.Case)})
}

func (p *Pool) do(ctx context.Context, j *job) corpus.Outcome {
	if err := ctx.Err(); err != nil {
		return failed(err.Error())
	}
	j.done = make(chan corpus.Outcome, 1)
	if err := p.submit(j); err != nil {
		return failed(err.Error())
	}
	select {
	case out := <-j.done:
		return out
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		j.gaveUp = true
		if i := slices.Index(p.queue, j); i >= 0 {
			p.queue = slices.Delete(p.queue, i, i+1)
		}
		return failed(ctx.Err().Error())
	}
}

func failed(why string) corpus.Outcome {
	return corpus.Outcome{Kind: corpus.Failed, Why: why, Offset: -1}
}

// ErrClosed is the failure of a request to a pool after Close.
var ErrClosed = errors.New("the engine is closed")

// Close ends the processes and their children. Requests that are not answered
// yet fail.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.die(ErrClosed)
	p.mu.Unlock()
	p.cancel()
	p.wg.Wait()
	return nil
}

// die makes err the outcome of every request that no worker holds, from now on.
func (p *Pool) die(err error) {
	if p.err == nil {
		p.err = err
		close(p.dead)
	}
	for _, j := range p.queue {
		j.done <- failed(p.err.Error())
	}
	p.queue = nil
}

// submit gives the job to a worker, or queues it and sees that one starts.
func (p *Pool) submit(j *job) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return p.err
	}
	p.withCoverage(j)
	p.queue = append(p.queue, j)
	p.dispatch()
	return nil
}

// dispatch hands out the queue, the least loaded first, and starts workers for
// what is left over or has to stand in line.
func (p *Pool) dispatch() {
	waiting := false
	for len(p.queue) > 0 {
		var best *worker
		for _, w := range p.workers {
			if w.open && w.load < p.o.Pipeline && (best == nil || w.load < best.load) {
				best = w
			}
		}
		if best == nil {
			break
		}
		waiting = waiting || best.load > 0
		best.give(p.queue[0])
		p.queue = p.queue[1:]
	}
	starting := 0
	for _, w := range p.workers {
		if !w.open {
			starting++
		}
	}
	need := len(p.queue)
	if waiting {
		need++
	}
	for ; starting < need && len(p.workers) < p.o.Workers; starting++ {
		p.hire()
	}
}

// hire starts a worker.
func (p *Pool) hire() {
	w := &worker{pool: p, wake: make(chan struct{}, 1)}
	p.workers = append(p.workers, w)
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		w.run()
	}()
}

// retire takes a worker out. Where it was the last, err is the end of the pool.
func (p *Pool) retire(w *worker, err error) {
	p.workers = slices.DeleteFunc(p.workers, func(x *worker) bool { return x == w })
	if err != nil && len(p.workers) == 0 {
		p.die(err)
	}
}

// learn keeps what the first process says of itself, and refuses a later one
// that answers for another checkpoint.
func (p *Pool) learn(in Info) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.info == nil {
		p.info = &in
		close(p.ready)
		return nil
	}
	if in.CheckpointHash != p.info.CheckpointHash {
		return fmt.Errorf("the checkpoint has changed since the first process started: its hash was %s and is %s", p.info.CheckpointHash, in.CheckpointHash)
	}
	return nil
}
