package ci

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/beamdiff/beamdiff/reference/engine"
)

func itoa(n int) string { return strconv.Itoa(n) }

func utoa(n uint64) string { return strconv.FormatUint(n, 10) }

// WriteText writes the report for people: what was run, a table by suite, what
// differs and fails nothing in a line for each reason, what was not compared, the
// groups of open decisions, and last each failing case with its place, both sides
// and the command that repeats it, so that they stand next to the verdict.
// Nothing in it moves a terminal: what engines say of themselves is made printable.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	r.head(&b)
	r.table(&b)
	if r.Verbose {
		for _, c := range r.Cases {
			fmt.Fprintf(&b, "%s  %s\n", c.Case.ID, c.Kind())
		}
	}
	r.passing(&b)
	r.notes(&b)
	r.known(&b)
	r.decisions(&b)
	r.failing(&b)
	r.end(&b)
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// head says what was run: every run prints checkpoint, hash, versions and seed.
func (r *Report) head(b *bytes.Buffer) {
	fmt.Fprintf(b, "beamdiff %s, seed %d", r.Version, r.Seed)
	if r.Today != "" {
		fmt.Fprintf(b, ", %s", r.Today)
	}
	b.WriteByte('\n')
	for _, e := range r.Engines {
		fmt.Fprintf(b, "%s: %s\n", e.Name, versions(e))
		for _, note := range e.Notes {
			fmt.Fprintf(b, "  note: %s\n", note)
		}
	}
	for i, e := range r.Engines {
		said := func(other engine.Info) bool {
			return other.Checkpoint == e.Checkpoint && other.CheckpointHash == e.CheckpointHash
		}
		if e.Checkpoint+e.CheckpointHash == "" || slices.ContainsFunc(r.Engines[:i], said) {
			continue
		}
		whose := ""
		if !slices.ContainsFunc(r.Engines[i+1:], said) && len(r.Engines) > 1 {
			whose = " of " + e.Name
		}
		fmt.Fprintf(b, "checkpoint%s: %s\n  sha256 %s\n", whose, orElse(e.Checkpoint, "(no name)"), orElse(e.CheckpointHash, "(not known)"))
	}
	for _, c := range r.Checkpoints {
		last := c.Engines[len(c.Engines)-1]
		fmt.Fprintf(b, "checkpoint named by %s: %s\n  sha256 %s\n", count(c.Cases, "case"), orElse(last.Checkpoint, c.Name), orElse(last.CheckpointHash, "(not known)"))
	}
	b.WriteByte('\n')
}

func versions(e engine.Info) string {
	parts := make([]string, len(e.Versions))
	for i, v := range e.Versions {
		parts[i] = v.Name + " " + v.Version
	}
	if len(parts) == 0 {
		return "no versions given"
	}
	return strings.Join(parts, ", ")
}

func (r *Report) table(b *bytes.Buffer) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight|tabwriter.DiscardEmptyColumns)
	row := func(name string, n Counts) {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t  %s\n", n.Cases, n.Same, n.Differ, n.Failed, n.Cannot, n.Unstable, n.Known, name)
	}
	fmt.Fprintln(t, "cases\tsame\tdiffer\tfailed\tcannot\tunstable\tknown\t  suite")
	suites := r.Suites()
	for _, s := range suites {
		row(s.Name, s.Counts)
	}
	if len(suites) != 1 {
		row("all", r.Total())
	}
	t.Flush()
}

// difference tells what is not the same in a case. Pairs that part in the same
// way are told as one; more are the ids of the cases that this one stands for.
func (r *Report) difference(b *bytes.Buffer, c CaseResult, more []string) {
	fmt.Fprintf(b, "\n%s\n", c.Case.ID)
	if len(more) > 0 {
		b.WriteString(others(more))
	}
	for _, group := range alike(shown(c)) {
		v := group[0]
		var pairs, lefts, rights []string
		for _, g := range group {
			pairs = append(pairs, g.Pair())
			lefts, rights = append(lefts, g.Left), append(rights, g.Right)
		}
		fmt.Fprintf(b, "  %s: %s", strings.Join(pairs, ", "), v.Kind)
		if v.What != "" {
			fmt.Fprintf(b, " (%s)", strings.ReplaceAll(v.What, "\n", "\n    "))
		}
		if v.KnownID != "" {
			fmt.Fprintf(b, " [%s]", v.KnownID)
		}
		if !v.Fails {
			b.WriteString(" (does not fail the run)")
		}
		b.WriteByte('\n')
		if v.Where == nil {
			continue
		}
		left, right := strings.Join(slices.Compact(lefts), ", "), strings.Join(slices.Compact(rights), ", ")
		if left == right {
			left, right = "first", "then"
		}
		width := max(len(left), len(right))
		fmt.Fprintf(b, "    at %s\n", place(c.Case, v.Where))
		fmt.Fprintf(b, "    %-*s  %s\n    %-*s  %s\n", width, left, v.Where.Left, width, right, v.Where.Right)
	}
	if r.Command != nil {
		if cmd := r.Command(c.Case.ID); cmd != "" {
			fmt.Fprintf(b, "  repeat: %s\n", cmd)
		}
	}
}

// alike puts verdicts together that say the same of pairs with one side in
// common, such as want/reference and native/reference.
func alike(verdicts []Verdict) [][]Verdict {
	var groups [][]Verdict
next:
	for _, v := range verdicts {
		for i, g := range groups {
			first := g[0]
			same := v.Kind == first.Kind && v.What == first.What && v.KnownID == first.KnownID && v.Fails == first.Fails &&
				v.Where != nil && first.Where != nil && *v.Where == *first.Where
			if same && (v.Left == first.Left || v.Right == first.Right) {
				groups[i] = append(g, v)
				continue next
			}
		}
		groups = append(groups, []Verdict{v})
	}
	return groups
}

func (r *Report) known(b *bytes.Buffer) {
	for _, k := range r.Known {
		word := "warning"
		if k.Fails {
			word = "FAIL"
		}
		for _, message := range k.Messages {
			fmt.Fprintf(b, "\n%s: known difference %s: %s\n", word, k.ID, message)
		}
	}
}

// notes say what was not compared, or not fully.
func (r *Report) notes(b *bytes.Buffer) {
	var limited, wants []string
	for _, c := range r.Cases {
		if c.Limited {
			limited = append(limited, c.Case.ID)
		}
		if c.WantNotCompared != "" {
			wants = append(wants, c.Case.ID)
		}
	}
	if len(limited) > 0 {
		fmt.Fprintf(b, "\n%s of more than %d characters fed in at most %d pieces: %s\n", count(len(limited), "reply"), longReply, maxFeeds, strings.Join(limited, ", "))
	}
	if len(wants) > 0 {
		fmt.Fprintf(b, "\n%s held for another checkpoint, and not compared: %s\n", count(len(wants), "want"), some(wants))
	}
	r.findings(b)
	r.ids(b)
	r.raised(b)
	r.notRun(b)
	r.untouched(b)
}

// notRun tells which cases were left out, by reason.
func (r *Report) notRun(b *bytes.Buffer) {
	if len(r.NotRun) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s not run:\n", count(len(r.NotRun), "case"))
	var reasons, elsewhere []string
	ids := map[string][]string{}
	for _, n := range r.NotRun {
		if n.Checkpoint != "" && !slices.Contains(elsewhere, n.Checkpoint) {
			elsewhere = append(elsewhere, n.Checkpoint)
		}
		if ids[n.Why] == nil {
			reasons = append(reasons, n.Why)
		}
		ids[n.Why] = append(ids[n.Why], n.ID)
	}
	for _, why := range reasons {
		if r.Verbose {
			fmt.Fprintf(b, "  %s:\n    %s\n", why, strings.Join(ids[why], "\n    "))
			continue
		}
		if why == namesAnother {
			verb := "name"
			if len(ids[why]) == 1 {
				verb = "names"
			}
			fmt.Fprintf(b, "  %s %s %s: --all runs them, or --checkpoint with a name\n", count(len(ids[why]), "case"), verb, count(len(elsewhere), "other checkpoint"))
			continue
		}
		fmt.Fprintf(b, "  %s: %s\n", some(ids[why]), why)
	}
}

func (r *Report) end(b *bytes.Buffer) {
	n := r.Total()
	feeds := 0
	failing := 0
	alone := 0 // one engine, and no want to hold its answer to
	for _, c := range r.Cases {
		feeds += c.Feeds
		if len(c.Verdicts) == 0 {
			alone++
		}
		if c.Fails() {
			failing++
		}
	}
	b.WriteByte('\n')
	if r.Interrupted {
		fmt.Fprintf(b, "INTERRUPTED after %s: this report is of those alone, and the exit code is %d.\n", count(n.Cases, "case"), ExitEngine)
	}
	switch code := r.ExitCode(); {
	case code == ExitSame:
		fmt.Fprintf(b, "same: %s", count(n.Cases, "case"))
		var but []string
		if n.Known > 0 {
			but = append(but, count(n.Known, "known difference"))
		}
		if n.Unstable > 0 {
			but = append(but, fmt.Sprintf("%d unstable", n.Unstable))
		}
		if n.Cannot > 0 {
			but = append(but, fmt.Sprintf("%d that an engine cannot answer", n.Cannot))
		}
		if alone > 0 {
			but = append(but, fmt.Sprintf("%d that nothing was compared with (no want, no second engine)", alone))
		}
		if but != nil {
			b.WriteString(", but for " + strings.Join(but, " and "))
		}
	case failing > 0:
		fmt.Fprintf(b, "FAIL: %d of %s", failing, count(n.Cases, "case"))
	case r.Interrupted:
		fmt.Fprintf(b, "no difference so far: %s", count(n.Cases, "case"))
	default:
		b.WriteString("FAIL: the list of known differences has to be mended")
	}
	if feeds > 0 {
		fmt.Fprintf(b, "; %s of replies in pieces agree with the whole", count(feeds, "feed"))
	}
	b.WriteByte('\n')
}
