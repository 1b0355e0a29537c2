package campaign

import (
	"cmp"
	"context"
	"slices"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// look takes up what came of the shard's case k.
func (r *run) look(ctx context.Context, k int, j judged) error {
	defer r.progress(k + 1)
	worst, ok := finding.Worst(j.verdicts)
	if err := r.despair(worst, ok); err != nil {
		return err
	}
	if !ok {
		return nil
	}
	if limited(j.c, worst) {
		r.store.met[atLimit]++
		return nil
	}
	signature := finding.Sign(j.c.Kind, worst)
	r.store.met[signature]++
	if r.open[signature] != nil {
		return nil
	}
	f := &finding.Finding{Signature: signature, Verdict: worst, Case: j.c, Found: j.c, Met: 1,
		Origin: finding.Origin{Beamdiff: r.Version, Seed: r.Seed, Number: r.Shard.number(k), Generator: j.generator}}
	if err := r.confirm(ctx, f); err != nil {
		return err
	}
	if err := r.store.writeFinding(f); err != nil { // before it is made small: that takes its time
		return err
	}
	r.open[signature] = f
	r.report.New++
	return r.shrink(ctx, f)
}

// confirm asks about a case again, alone.
func (r *run) confirm(ctx context.Context, f *finding.Finding) error {
	r.alone.Lock()
	defer r.alone.Unlock()
	if err := f.Confirm(ctx, r.Judge, r.engines); err != nil {
		return err
	}
	return ctx.Err()
}

// shrink makes a finding small and writes it again. One that does not stay the
// same cannot be made so. One that turns out to be another that is open joins it.
// It takes its time, but not all of it: a finding on which engines are slow stays
// as small as it is by then.
func (r *run) shrink(ctx context.Context, f *finding.Finding) error {
	if !f.Stable {
		return nil
	}
	met, before := f.Signature, *f
	within, stop := context.WithTimeout(ctx, cmp.Or(r.ShrinkFor, shrinkFor))
	defer stop()
	err := f.Shrink(within, r.Judge, r.engines, r.Tries)
	if ctx.Err() != nil {
		return ctx.Err() // the file has the case as it was; a later run goes on
	}
	if within.Err() != nil {
		err, f.Tries = nil, max(f.Tries, 1) // a later run does not try again
	}
	if err != nil {
		return err
	}
	if known := r.open[f.Signature]; known != nil && known != f {
		known.Also = append(known.Also, met)
		r.report.New--
		f = known
	}
	for _, signature := range append([]finding.Signature{f.Signature}, f.Also...) {
		r.open[signature] = f
	}
	if err := r.store.writeFinding(f); err != nil || f.Signature == met {
		return err
	}
	return r.store.removeFinding(&before)
}

// askAgain looks at a finding of an earlier run: it is closed where it no longer
// differs in that way, and made small where that was broken off.
func (r *run) askAgain(ctx context.Context, f *finding.Finding) error {
	again := *f
	if err := r.confirm(ctx, &again); err != nil {
		return err
	}
	if f.Stable && !again.Stable {
		r.report.Fixed = append(r.report.Fixed, f)
		return r.store.closeFinding(f)
	}
	for _, signature := range append([]finding.Signature{f.Signature}, f.Also...) {
		r.open[signature] = f
	}
	if f.Stable && !f.Shrunk && f.Tries == 0 {
		return r.shrink(ctx, f)
	}
	return nil
}

// ofOthers tells whether a finding is of other engines; such a one is left alone.
func (r *run) ofOthers(f *finding.Finding) bool {
	return !slices.EqualFunc(f.Engines, r.engines, func(info engine.Info, e engine.Engine) bool { return info.Name == e.Name() })
}

// despair counts the cases in a row that an engine failed on.
func (r *run) despair(worst finding.Verdict, ok bool) error {
	if !ok || worst.Kind != corpus.EngineFailed {
		r.failed = 0
		return nil
	}
	if r.failed++; r.failed >= hopeless {
		return &HopelessError{worst.What}
	}
	return nil
}
