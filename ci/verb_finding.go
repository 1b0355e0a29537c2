package ci

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/finding"
	"github.com/beamdiff/beamdiff/reference/engine"
)

type replayVerb struct {
	File    string `arg:"" placeholder:"FILE" help:"A finding of a campaign, or a case file with one case."`
	Offline bool   `help:"Judge what the engines answered when the finding was made, and ask nobody."`
	Out     string `placeholder:"FILE" help:"Write the report there instead of standard output."`
	campaignFlags
}

func (replayVerb) Help() string {
	return `
Examples:
  beamdiff replay fuzz/findings/0123456789abcdef.json
  beamdiff replay finding.json --offline              what was answered then, judged now
  beamdiff replay finding.json --checkpoint gpt-oss   the checkpoint that it was found with

Exit codes: 0 it no longer differs, 1 it differs, 2 wrong use, 3 an engine failed.`
}

type minimizeVerb struct {
	File  string `arg:"" placeholder:"FILE" help:"A finding of a campaign, or a case file with one case."`
	Tries int    `default:"0" placeholder:"N" help:"The most cases that are asked about; 0 is the program's choice."`
	Out   string `placeholder:"FILE" help:"Write the result there instead of standard output: a finding of a finding, a case of a case. It may be the same file."`
	campaignFlags
}

func (minimizeVerb) Help() string {
	return `
Examples:
  beamdiff minimize case.json                         the smallest case in which the engines part in the same way
  beamdiff minimize finding.json --tries 20000 --out finding.json

Messages, keys, tools and cuts are left out, schemas and values made simpler, names and texts shorter, as long
as the verdict is the same at the same place.

Exit codes: 0 done, 1 it does not differ each time it is asked, 2 wrong use, or the engines agree, 3 an engine failed to start.`
}

type promoteVerb struct {
	File   string `arg:"" placeholder:"FILE" help:"A finding of a campaign."`
	Name   string `arg:"" placeholder:"NAME" help:"The case's id without its suite: topic/name. Topic is the file that it is put into."`
	Why    string `required:"" placeholder:"SENTENCE" help:"What the case is for."`
	Source string `required:"" placeholder:"SOURCE" help:"What it proves: a place in a document, a report, how it was found."`
	Corpus string `default:"corpus/regressions" placeholder:"FOLDER" help:"The suite's folder. Default: corpus/regressions."`
	Want   string `placeholder:"ENGINE" help:"The engine whose stored answer the case wants, or none. Default: the one that the others were judged by."`
}

func (promoteVerb) Help() string {
	return `
Example:
  beamdiff promote finding.json parse/empty-close --why 'An empty close ends nothing.' --source 'fuzz campaign of seed 1'

The case joins FOLDER/TOPIC.json as SUITE/TOPIC/NAME, in the form of the corpus. In the repository run
go test ./corpus -update afterwards.`
}

// load reads a finding, or makes one of a case.
func load(path string) (f *finding.Finding, isCase bool, err error) {
	data, err := corpus.ReadFile(path)
	if err != nil {
		return nil, false, usagef("%s cannot be read: %v", path, reason(err))
	}
	if finding.IsFinding(data) {
		if f, err = finding.Decode(data, path); err != nil {
			return nil, false, usage(err)
		}
		return f, false, nil
	}
	cases, err := corpus.Decode(data, path)
	if err != nil {
		return nil, false, usage(err)
	}
	if len(cases) != 1 {
		return nil, false, usagef("%s holds %s, and must hold one", path, count(len(cases), "case"))
	}
	return &finding.Finding{Case: cases[0], Found: cases[0], Origin: finding.Origin{Beamdiff: version(), Seed: 1, Generator: "given"}}, true, nil
}

// engines opens those that a finding is judged with: those it was found with,
// unless the command line says others.
func (c *campaignFlags) engines(ctx context.Context, t *terminal, f *finding.Finding) (*opened, finding.Judge, error) {
	for _, info := range f.Engines {
		if len(c.Engine) == len(f.Engines) {
			break
		}
		if info.Name != engine.NativeName && info.Name != referenceName {
			return nil, nil, usagef("the finding is of the engine %s: name it and the others with --engine", info.Name)
		}
		c.Engine = append(c.Engine, info.Name)
	}
	if f.Case.Checkpoint != "" && c.Checkpoint == "" {
		c.Checkpoint = f.Case.Checkpoint
	}
	m := t.meter()
	defer m.clear()
	return c.open(ctx, t, m, f.Seed, false)
}

// sameCheckpoint warns where the checkpoint is not the one of the finding.
func sameCheckpoint(t *terminal, then, now *finding.Finding) {
	for i, info := range then.Engines {
		if i < len(now.Engines) && info.CheckpointHash != now.Engines[i].CheckpointHash {
			fmt.Fprintf(t.stderr, "note: the finding is of the checkpoint %s, and this is %s (--checkpoint)\n", printable(info.Checkpoint), printable(now.Engines[i].Checkpoint))
			return
		}
	}
}

func (v *replayVerb) run(ctx context.Context, t *terminal) error {
	if err := checkOut(v.Out); err != nil {
		return err
	}
	f, isCase, err := load(v.File)
	if err != nil {
		return err
	}
	if v.Offline && isCase {
		return usagef("--offline needs a finding: a case holds no answers")
	}
	engines, judge := f.Playback(), (&Runner{Seed: f.Seed}).Judge()
	if !v.Offline {
		open, j, err := v.engines(ctx, t, f)
		if err != nil {
			return err
		}
		defer open.close()
		defer context.AfterFunc(ctx, open.close)()
		engines, judge = open.engines, j
	}
	now := *f
	verdict, signature, err := now.Ask(ctx, judge, engines)
	if ctx.Err() != nil {
		return broken(fmt.Errorf("interrupted"))
	}
	if err != nil {
		return broken(err)
	}
	sameCheckpoint(t, f, &now)
	var b bytes.Buffer
	code := ExitDifferences
	switch {
	case signature == "":
		b.WriteString("the engines agree\n")
		code = ExitSame
	case isCase:
		fmt.Fprintf(&b, "differs: %s\n", signature)
	case signature == f.Signature:
		fmt.Fprintf(&b, "still differs: %s\n", signature)
	default:
		fmt.Fprintf(&b, "differs in another way: %s\n  before: %s\n", signature, f.Signature)
	}
	if signature != "" {
		writeVerdict(&b, verdict)
		if verdict.Kind == corpus.EngineFailed {
			code = ExitEngine
		}
	}
	fmt.Fprintf(&b, "  the case: %s\n", inputText(f.Case))
	if err := t.writeOut(v.Out, says(b.String())); err != nil {
		return err
	}
	if code != ExitSame {
		return &failure{code: code}
	}
	return nil
}

func (v *minimizeVerb) run(ctx context.Context, t *terminal) error {
	if v.Tries < 0 {
		return usagef("--tries must not be negative")
	}
	if err := checkOut(v.Out); err != nil {
		return err
	}
	f, isCase, err := load(v.File)
	if err != nil {
		return err
	}
	open, judge, err := v.engines(ctx, t, f)
	if err != nil {
		return err
	}
	defer open.close()
	defer context.AfterFunc(ctx, open.close)()
	id := f.Case.ID
	if f.Verdict, f.Signature, err = f.Ask(ctx, judge, open.engines); err == nil && f.Signature == "" {
		return usagef("%s: the engines agree, so there is nothing to keep while it is made smaller", v.File)
	}
	if err == nil {
		err = f.Confirm(ctx, judge, open.engines)
	}
	if err == nil && !f.Stable {
		return &failure{ExitDifferences, fmt.Errorf("%s does not differ in the same way each time it is asked", v.File)}
	}
	if err == nil {
		err = f.Shrink(ctx, judge, open.engines, v.Tries)
	}
	if ctx.Err() != nil {
		return broken(fmt.Errorf("interrupted"))
	}
	if err != nil {
		return broken(err)
	}
	write := f.Encode
	if isCase {
		c := f.Case
		c.ID = id
		write = func() ([]byte, error) { return corpus.EncodeOne(c) }
	}
	data, err := write()
	if err != nil {
		return broken(err)
	}
	return t.writeOut(v.Out, func(w io.Writer) error { _, err := w.Write(data); return err })
}

func (v *promoteVerb) run(t *terminal) error {
	f, isCase, err := load(v.File)
	if err != nil {
		return err
	}
	if isCase {
		return usagef("%s is a case already; put it into a file of %s", v.File, v.Corpus)
	}
	topic, name, ok := strings.Cut(v.Name, "/")
	if !ok || topic == "" || name == "" || strings.Contains(name, "/") || topic != filepath.Base(topic) {
		return usagef("NAME is topic/name, such as parse/empty-close; not %q", v.Name)
	}
	c := f.Case
	c.ID = filepath.Base(v.Corpus) + "/" + v.Name
	c.Why, c.Source = v.Why, v.Source
	if err := v.want(&c, f); err != nil {
		return err
	}
	path := filepath.Join(v.Corpus, topic+".json")
	var cases []corpus.Case
	if data, err := os.ReadFile(path); err == nil {
		if cases, err = corpus.Decode(data, path); err != nil {
			return usage(err)
		}
	}
	if slices.ContainsFunc(cases, func(other corpus.Case) bool { return other.ID == c.ID }) {
		return usagef("%s has a case %s already", path, c.ID)
	}
	data, err := corpus.Encode(append(cases, c))
	if err == nil {
		_, err = corpus.Decode(data, path) // what is not a case is refused before it is written
	}
	if err != nil {
		return usage(err)
	}
	if err := os.MkdirAll(v.Corpus, 0o755); err != nil {
		return broken(err)
	}
	if err := writeAtomic(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return broken(fmt.Errorf("%s: %w", path, advise(err)))
	}
	return t.print(fmt.Sprintf("%s now holds %s\n", path, c.ID))
}

// want gives the case the stored answer of an engine to the whole input. Where
// the run's checkpoint answered, it holds for that one alone.
func (v *promoteVerb) want(c *corpus.Case, f *finding.Finding) error {
	last := f.Engines[len(f.Engines)-1]
	name := orElse(v.Want, last.Name)
	if name == "none" {
		return nil
	}
	for _, a := range f.Answers {
		if a.Engine != name || a.Op != engine.Op(c.Kind) {
			continue
		}
		if a.Outcome.Kind != corpus.OK && a.Outcome.Kind != corpus.Raised {
			return usagef("the engine %s gave no answer that a case can want (%s); --want none leaves it out", name, a.Outcome.Kind)
		}
		want := a.Outcome
		if c.Kind == corpus.Mask && want.Kind == corpus.OK {
			want.Value = object("text", want.Value.Get("text"), "spans", want.Value.Get("spans"))
		}
		c.Want = &want
		for _, info := range f.Engines { // they are all of one checkpoint
			if info.CheckpointHash != "" {
				c.Domain, c.CheckpointHash = corpus.Undocumented, info.CheckpointHash
			}
		}
		return nil
	}
	return usagef("the finding holds no answer of an engine %s", name)
}
