package law

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Check asks the laws of a subject and reports what broke: Subjects, Rules,
// Findings and NotChecked are filled. The order is that of the laws and of their
// cases. The error is the context's, or that of a law which could not go on.
func Check(ctx context.Context, s *Subject, laws []Law) (report.Report, error) {
	r := report.Report{Subjects: []report.Subject{s.Subject}}
	for _, law := range laws {
		c := causes{rule: law.Rule}
		err := law.Ask(ctx, s, c.found)
		var unasked *Unasked
		if errors.As(err, &unasked) {
			r.NotChecked = append(r.NotChecked, unasked.Error())
		} else if err != nil {
			return r, err
		}
		if err := c.place(ctx, s); err != nil {
			return r, err
		}
		r.Rules = append(r.Rules, c.rule)
		r.Findings = append(r.Findings, c.findings()...)
	}
	return r, ctx.Err()
}

// causes groups the troubles of one law.
type causes struct {
	rule report.Rule
	all  []*cause
}

// cause is one finding on its way, and how large its witness is.
type cause struct {
	report.Finding
	size  int
	wrote *int        // of the smallest case's prompt
	of    corpus.Case // the smallest
}

// found is a Found.
func (c *causes) found(of corpus.Case, troubles ...Trouble) {
	c.rule.Asked++
	if len(troubles) == 0 {
		c.rule.Held++
	}
	for _, t := range troubles {
		c.add(of, t)
	}
}

func (c *causes) add(of corpus.Case, t Trouble) {
	level := cmp.Or(t.Level, c.rule.Level)
	signature := c.rule.ID + " " + t.Cause
	i := slices.IndexFunc(c.all, func(o *cause) bool { return o.Signature == signature })
	if i < 0 {
		i = len(c.all)
		c.all = append(c.all, &cause{Finding: report.Finding{Rule: c.rule.ID, Level: level, Signature: signature}})
	}
	f := c.all[i]
	graver := rank[level] < rank[f.Level]
	if graver {
		f.Level = level
	}
	if !slices.Contains(f.Cases, of.ID) {
		f.Cases = append(f.Cases, of.ID)
	}
	w := t.Witness
	w.Case = cmp.Or(w.Case, of.ID)
	if w.Input == "" && of.Input != nil {
		w.Input = value.Dumps(of.Input.Value())
	}
	if size := len(w.Input); f.Smallest == nil || graver || size < f.size && level == f.Level {
		f.size, f.Smallest = size, &w
		f.Message, f.Advice, f.Places = t.Message, t.Advice, t.Places
		f.wrote, f.of = t.wrote, of
	}
}

// place finds the lines of the template that wrote what is wrong.
func (c *causes) place(ctx context.Context, s *Subject) error {
	for _, f := range c.all {
		if len(f.Places) > 0 || s.ChatTemplate == "" {
			continue
		}
		var line int
		if f.wrote != nil {
			traced, err := s.Asker.Trace(ctx, f.of)
			if err != nil {
				return err
			}
			line = traced.LineAt(*f.wrote)
		}
		f.Places = s.places(line)
	}
	return nil
}

// rank orders levels, the gravest first.
var rank = map[report.Level]int{report.Error: 0, report.Warning: 1, report.Note: 2}

// findings gives the gravest first, and of equals those that more cases met.
func (c *causes) findings() []report.Finding {
	slices.SortStableFunc(c.all, func(a, b *cause) int {
		return cmp.Or(cmp.Compare(rank[a.Level], rank[b.Level]), cmp.Compare(len(b.Cases), len(a.Cases)))
	})
	var out []report.Finding
	for _, f := range c.all {
		out = append(out, f.Finding)
	}
	return out
}
