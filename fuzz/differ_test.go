package fuzz

import (
	"slices"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/fuzz/suite"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/reference/python"
)

// everyTemplate is this package's templates and the public ones.
func everyTemplate(t *testing.T) []*Template {
	public, err := Public(t.Context(), python.Options{})
	if err != nil {
		t.Fatalf("NOT RUN: the public templates are not there: %v", err)
	}
	if len(public) < 9 {
		t.Errorf("%d public templates, and must be 9 or more", len(public))
	}
	return append(slices.Clone(Templates()), public...)
}

// Native against the reference: message, merged events and class of the error.
func TestDifferential(t *testing.T) {
	n := suite.Pairs(t)
	differ := Differ{Reference: suite.Reference(t), Subject: Native}
	templates := everyTemplate(t)
	var total Report
	start := time.Now()
	for _, template := range templates {
		t.Run(template.Name, func(t *testing.T) {
			report := differ.Run(t.Context(), n, func(i int) *Input { return makeInput(template, i) })
			t.Log(report)
			total.Merge(report)
			for _, d := range report.Differences[:min(3, len(report.Differences))] {
				t.Error(d)
			}
			for _, f := range report.Failed[:min(3, len(report.Failed))] {
				t.Errorf("the reference did not answer: %s", f)
			}
			if report.Pairs < n*9/10 {
				t.Errorf("%d pairs of %d were compared", report.Pairs, n)
			}
		})
	}
	t.Logf("%d templates: %v; %.0f pairs/s", len(templates), &total, float64(total.Pairs)/time.Since(start).Seconds())
}

// A reader with a bug must differ from the reference, in the way that its bug is.
func TestPlantedDifferences(t *testing.T) {
	differ := Differ{Reference: suite.Reference(t)}
	for _, c := range []struct {
		what string
		wrap func(Reader) Reader
	}{
		{"message", func(r Reader) Reader {
			return &faulty{Reader: r, end: func(reply harmony.Reply, err error) (harmony.Reply, error) {
				if o, ok := reply.Message.AsObject(); ok {
					o.Delete("thinking")
				}
				return reply, err
			}}
		}},
		{"events", func(r Reader) Reader {
			return &faulty{Reader: r, events: func(events []harmony.Event) []harmony.Event {
				return slices.DeleteFunc(events, func(e harmony.Event) bool { return e.Text == " " })
			}}
		}},
		{"error", func(r Reader) Reader {
			return &faulty{Reader: r, end: func(reply harmony.Reply, err error) (harmony.Reply, error) { return reply, nil }}
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			differ.Subject = plant(c.wrap)
			report := differ.Run(t.Context(), 200, func(i int) *Input { return makeInput(FindTemplate("channels"), i) })
			if !slices.ContainsFunc(report.Differences, func(d *Difference) bool { return d.What == c.what }) {
				t.Errorf("%v, none of them of the %s", report, c.what)
			}
		})
	}
}
