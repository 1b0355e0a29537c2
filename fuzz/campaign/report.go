package campaign

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Progress is how far a campaign is.
type Progress struct {
	// Cases of this shard that are done, those of earlier runs included, and Count.
	Cases, Count int
	// Rate is cases a second of this run; Engines how much each engine answered.
	Rate    float64
	Engines []Rate
	// Corpus is the number of entries of the grown corpus, Covered what they reach.
	Corpus  int
	Covered []Covered
	// Findings that are open, by verdict, in the order of their ranks.
	Findings []Class
	// Limited is how often native Go gave up at a limit of its own on a template that
	// backtracks, which is no finding.
	Limited int
}

// Rate is the number of answers that an engine gave in a second.
type Rate struct {
	Engine string
	Rate   float64
}

// Class is a number of findings with one verdict.
type Class struct {
	Verdict corpus.Verdict
	Number  int
}

// Report is what came of a campaign.
type Report struct {
	Dir string
	// Progress as it was at the end.
	Progress
	// Resumed tells that the campaign went on where an earlier run stopped.
	Resumed bool
	// New is how many of the findings this run found.
	New int
	// Findings that are open, by id.
	Findings []*finding.Finding
	// Fixed are findings of earlier runs that no longer differ.
	Fixed []*finding.Finding
	// Missed are the points that no case of the corpus reaches, by side.
	Missed map[string][]Point
}

// counted is an engine whose answers are counted.
type counted struct {
	engine.Engine
	answers atomic.Int64
}

func (c *counted) Do(ctx context.Context, r engine.Request) corpus.Outcome {
	c.answers.Add(1)
	return c.Engine.Do(ctx, r)
}

// progress tells how far the run is, before case k.
func (r *run) progress(k int) {
	if r.Progress != nil {
		r.Progress(r.state(k))
	}
}

func (r *run) state(k int) Progress {
	seconds := max(time.Since(r.started).Seconds(), 1e-3)
	p := Progress{Cases: k, Count: r.Count, Rate: float64(k-r.first) / seconds, Corpus: len(r.store.entries), Limited: r.store.met[atLimit]}
	for _, e := range r.engines {
		p.Engines = append(p.Engines, Rate{e.Name(), float64(e.(*counted).answers.Load()) / seconds})
	}
	if r.cover != nil {
		p.Covered = r.cover.covered()
	}
	for _, kind := range []corpus.Verdict{corpus.EngineFailed, corpus.ValueDiffers, corpus.ErrorDiffers, corpus.Unstable, corpus.CannotSay} {
		n := 0
		for signature, f := range r.open {
			if f.Signature == signature && f.Verdict.Kind == kind {
				n++
			}
		}
		if n > 0 {
			p.Findings = append(p.Findings, Class{kind, n})
		}
	}
	return p
}

// finish fills the report.
func (r *run) finish() {
	r.report.Progress = r.state(r.store.next)
	open := maps.Clone(r.open)
	for _, f := range r.unasked { // it may have ended, or failed, before it could ask
		if open[f.Signature] == nil {
			open[f.Signature] = f
		}
	}
	for signature, f := range open {
		if f.Signature != signature {
			continue
		}
		f.Met = 0
		for _, s := range append([]finding.Signature{signature}, f.Also...) {
			f.Met += r.store.met[s]
		}
		r.report.Findings = append(r.report.Findings, f)
	}
	slices.SortFunc(r.report.Findings, func(a, b *finding.Finding) int { return strings.Compare(a.ID(), b.ID()) })
	if r.cover == nil {
		return
	}
	r.report.Missed = map[string][]Point{}
	for _, side := range r.cover.all {
		r.report.Missed[side.Name()] = side.Missed()
	}
}
