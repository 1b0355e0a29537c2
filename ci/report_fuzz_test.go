package ci

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/reference/coverage"
)

// textSide is the coverage of a template and of the library, with texts.
type textSide struct{ report coverage.Report }

func (textSide) Name() string { return "reference" }
func (textSide) Reset()       {}
func (s textSide) Total() int { return len(s.report.Existing) }

func (s textSide) Reached(context.Context, []corpus.Case) ([][]campaign.Point, error) {
	return nil, nil
}

func (s textSide) Missed() (points []campaign.Point) {
	for _, e := range s.report.Missing() {
		points = append(points, campaign.Point(e.Point))
	}
	return points
}

func (s textSide) Report() coverage.Report { return s.report }

// The report lists what of the templates no case reaches, with its text, and with
// -v what of the library; of much the beginning.
func TestReportOfWhatNoCaseReaches(t *testing.T) {
	side := textSide{coverage.Report{Reached: coverage.NewSet("chat_template:1"), Existing: []coverage.Entry{
		{Point: "chat_template:1", Text: "{{ a }}"}, {Point: "chat_template:2.1:true", Text: "b > 1"}, {Point: "parser.py:7", Text: "return c"}}}}
	write := func(side textSide, verbose bool) string {
		var b bytes.Buffer
		r := campaignReport{verbose: verbose, campaign: &campaign.Campaign{Coverage: []campaign.Coverage{side}},
			Report: &campaign.Report{Missed: map[string][]campaign.Point{"reference": side.Missed()}}}
		if err := r.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	brief, verbose := write(side, false), write(side, true)
	for _, c := range []struct {
		in, text string
		has      bool
	}{
		{brief, "\n        -v lists the 2 of reference that no case reaches\n", true},
		{brief, "\nchat_template: 1 of 1 lines, 0 of 1 branches\n", true},
		{brief, "\nchat_template:2.1:true  never true: b > 1\n", true},
		{brief, "parser.py", false},
		{verbose, "\nparser.py:7             never reached: return c\n", true},
		{verbose, "{{ a }}", false},
	} {
		if strings.Contains(c.in, c.text) != c.has {
			t.Errorf("%q: want %t in\n%s", c.text, c.has, c.in)
		}
	}
	for range 100 {
		side.report.Existing = append(side.report.Existing, coverage.Entry{Point: "chat_template:9", Text: "x"})
	}
	if much := write(side, false); !strings.Contains(much, "\n… and 62 more (-v)\n") || strings.Count(much, "never reached: x") != 38 {
		t.Errorf("of much:\n%s", much)
	}
}
