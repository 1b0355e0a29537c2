package ci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

// campaignFlags choose the engines of campaigns and of their findings.
type campaignFlags struct {
	Engine []string `sep:"none" placeholder:"ENGINE" help:"native, reference, reference@VERSION (another release of Transformers), or 'name=command args', a program that speaks the engine protocol (reference/PROTOCOL.md). Repeats; the last is the one the others are judged by. Default: native, then reference."`
	Jobs   int      `default:"0" help:"Processes of an engine; 0 is the number of processors."`
	checkpointFlags
	limitFlags
}

type fuzzVerb struct {
	Time     *time.Duration `placeholder:"DURATION" help:"Stop after this time, such as 10m. Default: with neither --time nor --count until Ctrl-C."`
	Count    *int           `placeholder:"N" help:"Stop once this many cases are done, those of earlier runs in the folder included."`
	Seed     uint64         `default:"1" help:"Chooses the cases: one seed, the same cases."`
	Shard    string         `placeholder:"I/N" help:"Only the I-th of N parts of the campaign, for as many machines; --merge brings their folders together."`
	Dir      string         `placeholder:"FOLDER" help:"The campaign's folder: its corpus, its findings, how far it is. Default: one for the checkpoint and the seed in the cache folder."`
	Merge    []string       `sep:"none" placeholder:"FOLDER" help:"Instead: take the corpus and the findings of this campaign's folder into --dir. May be repeated."`
	Prune    bool           `help:"Instead: leave only as many cases in the corpus as reach what all of them reach."`
	Unguided bool           `help:"Do not ask what cases reach; no case joins the corpus."`
	Tries    int            `default:"0" placeholder:"N" help:"The most cases that are asked about to make one finding small; 0 is the program's choice."`
	Out      string         `placeholder:"FILE" help:"Write the report there instead of standard output."`
	campaignFlags
}

func (fuzzVerb) Help() string {
	return `
Examples:
  beamdiff fuzz --time 10m                            generated cases, native Go against the checkpoint's Python
  beamdiff fuzz --count 5000 --seed 7                 the same cases and findings every time
  beamdiff fuzz --time 1h --checkpoint gpt-oss        a public checkpoint
  beamdiff fuzz --time 8h --shard 1/4 --dir night-1   the first of four machines
  beamdiff fuzz --dir all --merge night-1 --merge night-2
  beamdiff fuzz --dir all --prune

What is found is written at once to FOLDER/findings, one file for one fault, made small. replay, minimize and
promote take such a file. The same command goes on where it stopped, also after a crash; first it asks again
about the findings that are open, and those that no longer differ go to FOLDER/closed.

Cases that reach something new join the corpus, from which others are made: lines and branches of the chat
template and of the library's parser, and, with a Go toolchain, blocks of native Go, for which the program is
built again. Without one it says that it runs unguided there.

Exit codes: 0 no finding is open, 1 there are findings, 2 wrong use, 3 the set-up, the disk or an engine failed.`
}

func (v *fuzzVerb) run(ctx context.Context, t *terminal) error {
	shard, err := campaign.ParseShard(v.Shard)
	switch {
	case err != nil:
		return usagef("--shard: %v", err)
	case v.Time != nil && *v.Time <= 0:
		return usagef("--time must be more than nothing; without it there is no such limit")
	case v.Count != nil && *v.Count <= 0:
		return usagef("--count must be one or more; without it there is no such limit")
	case v.Jobs < 0 || v.Tries < 0:
		return usagef("--jobs and --tries must not be negative")
	case len(v.Merge) > 0 && v.Dir == "":
		return usagef("--merge needs --dir, the folder that takes the others in")
	case len(v.Merge) > 0 && v.Prune:
		return usagef("--merge and --prune are two runs")
	case v.Prune && v.Unguided:
		return usagef("--prune needs to know what cases reach, which --unguided does without")
	}
	if err := checkOut(v.Out); err != nil {
		return err
	}
	if len(v.Merge) > 0 {
		return v.merge(t)
	}
	m := t.meter()
	guide := &guide{t: t, off: v.Unguided}
	if err := guide.start(ctx, m); err != nil {
		return err
	}
	open, judge, err := v.open(ctx, t, m, v.Seed, !v.Unguided)
	if err != nil {
		m.clear()
		return err
	}
	defer open.close()
	if open.checkpoint == nil {
		return usagef("a campaign needs a checkpoint that Go can read: a directory or the name of a public one, or --engine reference to fetch it")
	}
	c := &campaign.Campaign{Engines: open.engines, Judge: judge, Seeds: seeds(open.format, v.Checkpoint),
		Seed: v.Seed, Shard: shard, Tries: v.Tries, Version: version()}
	if v.Count != nil {
		c.Count = *v.Count
	}
	if c.Generators, err = campaign.Default(open.checkpoint.ResponseTemplate, open.format); err != nil {
		return usagef("no replies can be made for this checkpoint: %v", err)
	}
	if c.Coverage, err = guide.coverage(ctx, open.engines); err != nil {
		m.clear()
		return err
	}
	dir, err := v.folder(open, shard)
	if err != nil {
		return err
	}
	store, err := campaign.Open(dir)
	if err != nil {
		return broken(err)
	}
	defer store.Close()
	if v.Prune {
		return v.prune(ctx, t, c, store)
	}
	return v.campaign(ctx, t, m, c, store, guide)
}

// campaign runs it and writes the report.
func (v *fuzzVerb) campaign(ctx context.Context, t *terminal, m *meter, c *campaign.Campaign, store *campaign.Store, guide *guide) error {
	if v.Time != nil {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, *v.Time)
		defer stop()
	}
	m.begin("fuzz")
	c.Progress = func(p campaign.Progress) { m.say(campaignLine(p), false) }
	report, err := c.Run(ctx, store)
	m.clear()
	if report != nil {
		start := program(os.Args[0])
		text := &campaignReport{Report: report, campaign: c, unguided: guide.why, verbose: t.verbose,
			replay: func(name string) string { return v.replay(start, name) }}
		if err := t.writeOut(v.Out, text.WriteText); err != nil {
			return err
		}
	}
	var damaged *finding.FileError
	if errors.As(err, &damaged) {
		err = fmt.Errorf("%w (move the file away to go on without it)", err)
	}
	if err != nil {
		return broken(err)
	}
	if len(report.Findings) > 0 {
		return &failure{code: ExitDifferences}
	}
	return nil
}

// open opens the engines, and gives the judge. With coverage the reference tells
// what cases reach.
func (f *campaignFlags) open(ctx context.Context, t *terminal, m *meter, seed uint64, coverage bool) (*opened, finding.Judge, error) {
	specs := f.Engine
	if len(specs) == 0 {
		specs = []string{engine.NativeName, referenceName}
	}
	if len(specs) < 2 {
		return nil, nil, usagef("--engine: a campaign compares engines; name two or more")
	}
	jobs := f.Jobs
	if jobs == 0 {
		jobs = runtime.NumCPU()
	}
	o := &opener{t: t, meter: m, checkpointFlags: f.checkpointFlags, limitFlags: f.limitFlags, jobs: jobs, coverage: coverage}
	open, err := o.open(ctx, specs)
	if err != nil {
		return nil, nil, err
	}
	return open, (&Runner{Format: open.format, Seed: seed}).Judge(), nil
}

// folder is that of the campaign.
func (v *fuzzVerb) folder(open *opened, shard campaign.Shard) (string, error) {
	if v.Dir != "" {
		return v.Dir, nil
	}
	cache, err := python.CacheDir()
	if err != nil {
		return "", broken(err)
	}
	name := fmt.Sprintf("%s-%d", open.checkpoint.Hash()[:12], v.Seed)
	if shard.Of > 1 {
		name += fmt.Sprintf("-%d-of-%d", shard.Index, shard.Of)
	}
	return filepath.Join(cache, "fuzz", name), nil
}

// seeds are the cases of the corpus that the run's checkpoint can be asked.
func seeds(format, checkpoint string) (cases []corpus.Case) {
	r := &Runner{Format: format, Checkpoint: checkpoint}
	known := map[string]bool{} // to differ: what is made of them would too
	for _, k := range corpus.ShippedKnown() {
		for _, id := range k.Cases {
			known[id] = true
		}
	}
	for _, c := range corpus.Embedded() {
		if r.outside(c) == "" && !known[c.ID] && slices.Contains([]corpus.Kind{corpus.Render, corpus.Parse, corpus.Mask}, c.Kind) {
			cases = append(cases, corpus.Case{Kind: c.Kind, Format: c.Format, Input: c.Input})
		}
	}
	return cases
}

func (v *fuzzVerb) merge(t *terminal) error {
	store, err := campaign.Open(v.Dir)
	if err != nil {
		return broken(err)
	}
	defer store.Close()
	merged, err := campaign.Merge(store, v.Merge...)
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("--merge: %w (give the folder of a campaign)", err)
	}
	if err != nil {
		return broken(err)
	}
	return t.writeOut(v.Out, says(fmt.Sprintf("%s: %s and %s more\n", v.Dir, count(merged.Entries, "case"), count(merged.Findings, "finding"))))
}

func (v *fuzzVerb) prune(ctx context.Context, t *terminal, c *campaign.Campaign, store *campaign.Store) error {
	if len(c.Coverage) == 0 {
		return broken(fmt.Errorf("--prune needs to know what cases reach, and nothing here tells"))
	}
	kept, of, err := campaign.Prune(ctx, store, c.Coverage)
	if err != nil {
		return broken(err)
	}
	return t.writeOut(v.Out, says(fmt.Sprintf("%s: %d of %s reach all that they reached\n", store.Dir(), kept, count(of, "case"))))
}

// says is a result of one text.
func says(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, printable(text))
		return err
	}
}

// campaignLine is the line of progress.
func campaignLine(p campaign.Progress) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fuzz: %s", count(p.Cases, "case"))
	if p.Count > 0 {
		fmt.Fprintf(&b, " of %d", p.Count)
	}
	fmt.Fprintf(&b, ", %.0f/s", p.Rate)
	for _, e := range p.Engines {
		fmt.Fprintf(&b, ", %s %.0f answers/s", e.Engine, e.Rate)
	}
	fmt.Fprintf(&b, "; corpus %d", p.Corpus)
	for _, c := range p.Covered {
		fmt.Fprintf(&b, ", %s reached %d of %d", c.Name, c.Reached, c.Total)
	}
	return b.String() + "; " + classes(p.Findings)
}

// classes counts the findings by their verdict.
func classes(list []campaign.Class) string {
	n := 0
	var parts []string
	for _, c := range list {
		n += c.Number
		parts = append(parts, fmt.Sprintf("%s %d", c.Verdict, c.Number))
	}
	out := count(n, "finding")
	if n > 0 {
		out += " (" + strings.Join(parts, ", ") + ")"
	}
	return out
}
