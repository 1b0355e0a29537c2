package campaign

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
)

// roundSize is the number of a shard's cases that are made from one state of the
// corpus.
const roundSize = 256

// rounds does round after round.
func (r *run) rounds(ctx context.Context) error {
	for r.Count <= 0 || r.store.next < r.Count {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := r.store.next
		begin := from - from%roundSize
		to := begin + roundSize
		if r.Count > 0 {
			to = min(to, r.Count)
		}
		if err := r.round(ctx, from, to, r.entriesBefore(begin)); err != nil {
			return err
		}
	}
	return nil
}

// judged is a case of a round, and what came of it.
type judged struct {
	c         corpus.Case
	generator string
	verdicts  []finding.Verdict
	err       error
}

// round judges the cases from from up to to side by side and looks at them in
// their order. Where the context ends or something breaks, what was looked at
// until then counts.
func (r *run) round(ctx context.Context, from, to int, entries []corpus.Case) error {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	answers := make([]chan judged, to-from)
	for i := range answers {
		answers[i] = make(chan judged, 1)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range r.jobs() {
		wg.Go(func() {
			for i := range next {
				answers[i] <- r.judge(inner, from+i, entries)
			}
		})
	}
	go func() {
		defer close(next)
		for i := range answers {
			select {
			case next <- i:
			case <-inner.Done():
				return
			}
		}
	}()
	var done []corpus.Case
	var err error
	for i := range answers {
		var j judged
		select {
		case j = <-answers[i]:
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err == nil {
			err = j.err
		}
		if err == nil {
			err = r.look(ctx, from+i, j)
		}
		if err != nil {
			break
		}
		done = append(done, j.c)
	}
	stop()
	wg.Wait()
	return errors.Join(err, r.commit(ctx, from, done))
}

// patience is how long a campaign whose context has ended goes on asking what
// its last cases reached.
const patience = 5 * time.Second

func (r *run) jobs() int {
	if r.Jobs > 0 {
		return r.Jobs
	}
	return 4 * runtime.NumCPU()
}

// judge makes and judges the shard's case k.
func (r *run) judge(ctx context.Context, k int, entries []corpus.Case) (j judged) {
	j.c, j.generator = r.schedule.make(r.Shard.number(k), entries)
	if j.generator == "" {
		return j // no case came of this number
	}
	r.alone.RLock()
	defer r.alone.RUnlock()
	j.verdicts, j.err = r.Judge(ctx, r.engines, j.c)
	if ctx.Err() != nil {
		j.err = ctx.Err() // what an ended context answered is no verdict
	}
	return j
}

// commit asks what the cases reached, and writes down that they are done. Where
// the context has ended and that is not known in time, they count as not done: a
// later run makes them again.
func (r *run) commit(ctx context.Context, from int, done []corpus.Case) error {
	if len(done) == 0 {
		return nil
	}
	var found []entry
	if len(r.Coverage) > 0 {
		asked := ctx
		if ctx.Err() != nil {
			var stop context.CancelFunc
			asked, stop = context.WithTimeout(context.WithoutCancel(ctx), patience)
			defer stop()
		}
		news, err := r.cover.news(asked, done)
		if err == nil {
			err = asked.Err() // what an ended context answered tells nothing
		}
		if err != nil {
			return err
		}
		for i, c := range done {
			if news[i] && c.Input != nil {
				found = append(found, entry{c, from + i})
			}
		}
	}
	return r.store.advance(from+len(done), found, r.store.met)
}
