package ci

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// campaignReport is what came of a campaign, for people.
type campaignReport struct {
	*campaign.Report
	campaign *campaign.Campaign
	unguided string                   // why it was not guided
	replay   func(name string) string // the command that judges a finding again
	verbose  bool
}

// WriteText writes the report: what was run, how far, what the corpus reaches,
// and each open finding with both sides, the case and the command that judges it
// again.
func (r *campaignReport) WriteText(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "beamdiff %s: campaign of seed %d, shard %s\n", r.campaign.Version, r.campaign.Seed, r.campaign.Shard)
	fmt.Fprintf(&b, "folder  %s\n", r.Dir)
	fmt.Fprintf(&b, "cases   %d", r.Cases)
	if r.Count > 0 {
		fmt.Fprintf(&b, " of %d", r.Count)
	}
	fmt.Fprintf(&b, ", %.0f/s", r.Rate)
	for _, e := range r.Engines {
		fmt.Fprintf(&b, ", %s %.0f answers/s", e.Engine, e.Rate)
	}
	fmt.Fprintf(&b, "\ncorpus  %s", count(r.Corpus, "case"))
	for _, c := range r.Covered {
		fmt.Fprintf(&b, "; reaches %d of %d points of %s", c.Reached, c.Total, c.Name)
	}
	b.WriteByte('\n')
	if r.Limited > 0 {
		fmt.Fprintf(&b, "limited %s, on which native Go gave up at its limit of steps: their patterns backtrack\n", count(r.Limited, "case"))
	}
	if r.unguided != "" {
		fmt.Fprintf(&b, "not guided by native Go: %s\n", r.unguided)
	}
	r.writeMissed(&b)
	for _, f := range r.Fixed {
		fmt.Fprintf(&b, "no longer differs, and is closed: %s %s\n", f.ID(), f.Signature)
	}
	for _, f := range r.Findings {
		b.WriteByte('\n')
		writeFinding(&b, f)
		fmt.Fprintf(&b, "  judge it again: %s\n", r.replay(campaign.FindingFile(r.Dir, f)))
	}
	fmt.Fprintf(&b, "\n%s open, %d of them new\n", count(len(r.Findings), "finding is", "findings are"), r.New)
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// writeMissed lists what no case reaches: of the checkpoint's templates always,
// the first lines of it where it is much, and all of each side where it is verbose.
func (r *campaignReport) writeMissed(b *bytes.Buffer) {
	const most = 40
	for _, side := range r.campaign.Coverage {
		points := r.Missed[side.Name()]
		reporter, hasText := side.(campaign.Reporter)
		switch {
		case hasText && r.verbose:
			fmt.Fprintf(b, "what no case reaches, of %s:\n", side.Name())
			reporter.Report().WriteText(b)
		case r.verbose:
			fmt.Fprintf(b, "what no case reaches, of %s:\n", side.Name())
			for _, p := range points {
				fmt.Fprintf(b, "  %s\n", p)
			}
		default:
			fmt.Fprintf(b, "        -v lists the %d of %s that no case reaches\n", len(points), side.Name())
		}
		if !hasText || r.verbose {
			continue
		}
		var text bytes.Buffer
		reporter.Report().Only(isTemplate).WriteText(&text)
		lines := bytes.SplitAfter(text.Bytes(), []byte("\n"))
		b.Write(bytes.Join(lines[:min(len(lines), most)], nil))
		if more := len(lines) - most - 1; more > 0 {
			fmt.Fprintf(b, "… and %d more (-v)\n", more)
		}
	}
}

// isTemplate tells a template from a file of the library.
func isTemplate(file string) bool { return !strings.HasSuffix(file, ".py") }

// writeFinding writes a finding with both sides and its case.
func writeFinding(b *bytes.Buffer, f *finding.Finding) {
	fmt.Fprintf(b, "%s  %s\n", f.ID(), f.Signature)
	writeVerdict(b, f.Verdict)
	line := "  the case"
	switch {
	case !f.Stable:
		line += ", which did not differ each time it was asked"
	case !f.Shrunk:
		line += ", which may not be the smallest"
	}
	fmt.Fprintf(b, "%s, met %s: %s\n", line, count(max(f.Met, 1), "time"), inputText(f.Case))
}

// writeVerdict writes a verdict with both sides.
func writeVerdict(b *bytes.Buffer, v finding.Verdict) {
	pair := v.Left + "/" + v.Right
	if v.Left == v.Right {
		pair = v.Left
	}
	fmt.Fprintf(b, "  %s: %s", pair, v.Kind)
	if v.Path != "" {
		fmt.Fprintf(b, " at %s", v.Path)
		if v.Offset >= 0 {
			fmt.Fprintf(b, " byte %d", v.Offset)
		}
	}
	if v.What != "" {
		fmt.Fprintf(b, " (%s)", v.What)
	}
	b.WriteByte('\n')
	if v.Path != "" {
		left, right := v.Left, v.Right
		if left == right {
			left, right = "whole", "cut"
		}
		fmt.Fprintf(b, "    %-10s %s\n    %-10s %s\n", left, v.LeftText, right, v.RightText)
	}
}

// inputText is a case's input on one line, in short where it is long.
func inputText(c corpus.Case) string {
	const most = 2000
	text := string(c.Kind) + " " + value.Dumps(c.Input.Value())
	if len(text) > most {
		text = text[:most] + fmt.Sprintf("… (%d bytes; the file has all)", len(text))
	}
	return text
}
