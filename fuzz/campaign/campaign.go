package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	// ShrinkFor bounds it in time; 0 is a minute.
	ShrinkFor time.Duration
	// Version is that of this program; a finding says it.
	Version string
	// Progress, if set, hears how far the campaign is, from one goroutine at a time.
	Progress func(Progress)
}

// hopeless is the number of cases in a row that an engine fails on after which
// it is the engine that is broken, and not the cases.
const hopeless = 20

// shrinkFor is how long a finding is made small, where nothing else is said.
const shrinkFor = time.Minute

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
	unasked  []*finding.Finding // open before this run, which has not asked again
	alone    sync.RWMutex       // held to read by who judges a case among others
	started  time.Time
	first    int // the case that this run began with
	failed   int // cases in a row that an engine failed on
}

// begin takes up the folder: the campaign's place in it, the findings, the
// coverage of the corpus.
func (r *run) begin(ctx context.Context) error {
	known, err := Findings(r.store.dir)
	if err != nil {
		return err
	}
	r.unasked = slices.DeleteFunc(known, r.ofOthers)
	identity, err := r.identity(ctx)
	if err != nil {
		return err
	}
	if r.report.Resumed, err = r.store.begin(identity); err != nil {
		return err
	}
	r.first = r.store.next
	for len(r.unasked) > 0 {
		if err := r.askAgain(ctx, r.unasked[0]); err != nil {
			return err
		}
		r.unasked = r.unasked[1:]
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
