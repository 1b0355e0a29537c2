package ci

import (
	"bytes"
	"context"
	"fmt"
	"io"

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
  beamdiff replay night/findings/0123456789abcdef.json
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
		if _, ours := release(info.Name); info.Name != engine.NativeName && !ours {
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
			is := printable(now.Engines[i].Checkpoint) + " (--checkpoint)"
			if info.Checkpoint == now.Engines[i].Checkpoint {
				is = "another by now: its files have changed"
			}
			fmt.Fprintf(t.stderr, "note: the finding is of the checkpoint %s, and this is %s\n", printable(info.Checkpoint), is)
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
