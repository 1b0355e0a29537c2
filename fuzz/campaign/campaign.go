package campaign

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Campaign is what is to be done. Engines, Judge and Generators are needed.
type Campaign struct {
	// Engines answer the cases; the last is the one that the others are judged by.
	// The caller closes them.
	Engines []engine.Engine
	// Judge asks them. Package ci has one.
	Judge finding.Judge
	// Generators make the cases.
	Generators []Generator
	// Seeds are cases that mutation may take besides those that it finds.
	Seeds []corpus.Case
	// Coverage guides it; none means that no case joins the corpus.
	Coverage []Coverage
	Seed     uint64
	Shard    Shard
	// Count is how many cases the shard has in all, those of earlier runs in the
	// same folder included; 0 goes on until the context ends.
	Count int
	// Jobs is how many cases are judged at once; 0 is four a processor, so that
	// engines outside this process have the next question before they answer.
	Jobs int
	// Tries bounds the making small of each finding; 0 is finding.DefaultTries.
	Tries int
	// Version is that of this program; a finding says it.
	Version string
	// Progress, if set, hears how far the campaign is, from one goroutine at a time.
	Progress func(Progress)
}

// roundSize is the number of a shard's cases that are made from one state of the
// corpus.
const roundSize = 256

// hopeless is the number of cases in a row that an engine fails on after which
// it is the engine that is broken, and not the cases.
const hopeless = 20

// HopelessError is an engine that fails on whatever it is asked.
type HopelessError struct{ Why string }

func (e *HopelessError) Error() string {
	return fmt.Sprintf("an engine failed on %d cases in a row, and so on any: %s", hopeless, e.Why)
}

// Run works in the folder until the count is reached or the context ends, which
// is no error. It goes on where an earlier run of the same campaign stopped: of
// the same seed, shard, generators and versions. First it asks again about the
// findings that are open. The error is a *[HopelessError], a *[DiskError], an
// engine that cannot start, or that of a Coverage; what was found before stands
// in the report and in the folder.
func (c *Campaign) Run(ctx context.Context, s *Store) (*Report, error) {
	r := &run{Campaign: c, store: s, report: &Report{Dir: s.dir}, started: time.Now(), open: map[finding.Signature]*finding.Finding{}}
	r.schedule = &schedule{seed: c.Seed, generators: c.Generators, seeds: c.Seeds}
	for _, g := range c.Generators {
		r.schedule.weights += g.Weight
	}
	for _, e := range c.Engines {
		r.engines = append(r.engines, &counted{Engine: e})
	}
	err := r.begin(ctx)
	if err == nil {
		err = r.rounds(ctx)
	}
	var disk *DiskError
	if ctx.Err() != nil && !errors.As(err, &disk) {
		err = nil // that it was told to end, whatever broke then
	}
	r.finish()
	return r.report, err
}

// run is a campaign at work.
type run struct {
	*Campaign
	store    *Store
	schedule *schedule
	engines  []engine.Engine // counted
	cover    *sides
	report   *Report
	open     map[finding.Signature]*finding.Finding
	alone    sync.RWMutex // held to read by who judges a case among others
	started  time.Time
	first    int // the case that this run began with
	failed   int // cases in a row that an engine failed on
}

// begin takes up the folder: the campaign's place in it, the findings, the
// coverage of the corpus.
func (r *run) begin(ctx context.Context) error {
	identity, err := r.identity(ctx)
	if err != nil {
		return err
	}
	if r.report.Resumed, err = r.store.begin(identity); err != nil {
		return err
	}
	r.first = r.store.next
	known, err := Findings(r.store.dir)
	if err != nil {
		return err
	}
	for _, f := range known {
		if err := r.askAgain(ctx, f); err != nil {
			return err
		}
	}
	r.cover = newSides(r.Coverage)
	if len(r.Coverage) == 0 {
		return nil
	}
	_, err = r.cover.news(ctx, r.entriesBefore(r.store.next))
	return err
}

// identity is all that decides what a campaign finds.
func (r *run) identity(ctx context.Context) (string, error) {
	o := &value.Object{}
	o.Set("seed", value.String(fmt.Sprint(r.Seed)))
	o.Set("shard", value.String(r.Shard.String()))
	o.Set("beamdiff", value.String(r.Version))
	o.Set("seeds", value.Int(int64(len(r.Seeds))))
	for _, g := range r.Generators {
		o.Set("generator "+g.Name, value.Int(int64(g.Weight)))
	}
	for _, side := range r.Coverage {
		o.Set("coverage "+side.Name(), value.Bool(true))
	}
	for _, e := range r.engines {
		info, err := e.Info(ctx)
		if err != nil {
			return "", err
		}
		text := info.CheckpointHash
		for _, v := range info.Versions {
			text += " " + v.Name + " " + v.Version
		}
		o.Set("engine "+e.Name(), value.String(text))
	}
	return value.Dumps(o.Value()), nil
}

// entriesBefore are the corpus as it was before the shard's case k.
func (r *run) entriesBefore(k int) (cases []corpus.Case) {
	for _, e := range r.store.entries {
		if e.at < k {
			cases = append(cases, e.c)
		}
	}
	return cases
}

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
