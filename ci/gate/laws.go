package gate

import (
	"cmp"
	"context"
	"slices"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
)

// laws asks the laws of both sides. What the base breaks already is old.
func (r *run) laws(ctx context.Context) error {
	if len(r.Laws) == 0 || r.sameSides(ctx) || r.givenUp("laws") {
		return nil
	}
	var told [2]report.Report
	for i, s := range []*side{r.base, r.cand} {
		r.progress("laws of the "+s.role, 0, 0)
		subject, err := law.Of(s.Engine, s.Checkpoint)
		if err != nil {
			return err
		}
		subject.Subject = s.subject()
		subject.Asker = s.answers
		if told[i], err = law.Check(ctx, subject, r.Laws); err != nil {
			return err
		}
	}
	old := 0
	before := map[string]bool{}
	for _, f := range told[0].Findings {
		before[f.Signature] = true
	}
	after := map[string]bool{}
	for _, f := range told[1].Findings {
		after[f.Signature] = true
		f.Subject, f.Status = Candidate, report.New
		if before[f.Signature] {
			old++
			if !r.Old {
				continue
			}
			f.Status, f.Known = report.Old, "the base has it too"
		}
		for i := range f.Places {
			f.Places[i].Role = cmp.Or(f.Places[i].Role, Candidate)
		}
		r.report.Findings = append(r.report.Findings, f)
	}
	for _, f := range told[0].Findings {
		if !after[f.Signature] {
			r.report.Notes = append(r.report.Notes, "mended: "+f.Rule+": "+f.Message)
		}
	}
	if old > 0 {
		r.report.Notes = append(r.report.Notes, count(old, "finding")+" of laws the base has too; check tells them, and --old counts them")
	}
	r.report.Rules = append(r.report.Rules, told[1].Rules...)
	r.report.NotChecked = append(r.report.NotChecked, told[1].NotChecked...)
	return nil
}

// sameSides tells whether both sides are the same to the byte, under the same
// releases: then a law says the same of both.
func (r *run) sameSides(ctx context.Context) bool {
	base, err := r.base.Engine.Info(ctx)
	cand, err2 := r.cand.Engine.Info(ctx)
	return err == nil && err2 == nil && base.CheckpointHash == cand.CheckpointHash && slices.Equal(base.Versions, cand.Versions)
}
