package ci

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

func (v *diffVerb) run(ctx context.Context, t *terminal) error {
	specs := v.Engine
	if len(specs) == 0 {
		specs = []string{engine.NativeName, referenceName}
	}
	switch {
	case v.Format == "html":
		return notBuilt("--format " + v.Format)
	case formOf(v.Format) == nil:
		return usagef("--format %s: no such format; it is text, json, junit, sarif or markdown", v.Format)
	case v.Jobs < 0:
		return usagef("--jobs must not be negative")
	}
	jobs := v.Jobs
	if jobs == 0 {
		jobs = runtime.NumCPU()
	}
	if err := checkOut(v.Out); err != nil {
		return err
	}
	cases, full, err := chooseCases(ctx, t.stdin, v.Cases, v.Run, v.Skip)
	if err != nil {
		return err
	}
	if err := checkNames(cases); err != nil {
		return err
	}
	known, err := loadKnown(v.Known)
	if err != nil {
		return err
	}
	m := t.meter()
	o := &opener{t: t, meter: m, checkpointFlags: v.checkpointFlags, limitFlags: v.limitFlags, jobs: jobs}
	open, err := o.open(ctx, specs)
	if err != nil {
		m.clear()
		return err
	}
	defer open.close()
	stop := context.AfterFunc(ctx, open.close) // a worker in the middle of a case is not waited for
	defer stop()
	r := &Runner{
		Engines: open.engines, Cases: cases, Known: known, Full: full, Format: open.format,
		Seed: v.Seed, Today: o.today(), Jobs: jobs, Progress: m.step,
		ExpiredFails: t.getenv("CI") != "",
	}
	if o.public != nil {
		r.Checkpoint = o.public.Name
	}
	if v.All || len(v.Cases)+len(v.Run) > 0 {
		r.OpenCheckpoint = o.at(specs)
	}
	result, err := r.Run(ctx)
	m.clear()
	if err != nil {
		return broken(err)
	}
	if len(result.Cases) == 0 && o.public != nil && full {
		return usagef("no case that comes with this program names the checkpoint %s or is of its format (%s); give cases of your own", o.public.Name, o.As)
	}
	if len(result.Cases) == 0 && len(result.NotRun) > 0 {
		return usagef("no case can be run: %s: %s (--as says what a checkpoint is of)", result.NotRun[0].ID, result.NotRun[0].Why)
	}
	v.Checkpoint = o.given() // it may be the environment that names it
	start := program(os.Args[0])
	report := &Report{Result: result, Version: version(), Verbose: t.verbose,
		Command: func(id string) string { return v.repeat(start, id) }}
	if err := t.writeOut(v.Out, report.writer(v.Format)); err != nil {
		return err
	}
	code := result.ExitCode()
	switch {
	case result.Interrupted:
		return &failure{code, fmt.Errorf("interrupted; the report tells of %s", count(len(result.Cases), "case"))}
	case code != ExitSame && v.Out != "":
		return &failure{code, fmt.Errorf("exit code %d; %s says why", code, v.Out)}
	case code != ExitSame:
		return &failure{code: code} // the report has said why
	}
	return nil
}

// chooseCases reads the cases of a run. full tells that they are all of the
// suites that come with the program.
func chooseCases(ctx context.Context, stdin io.Reader, paths, run, skip []string) (cases []corpus.Case, full bool, err error) {
	if len(paths) == 0 {
		cases = corpus.Embedded()
	} else if cases, err = awaited(ctx, func() ([]corpus.Case, error) { return corpus.Load(stdin, paths...) }); err != nil {
		return nil, false, usage(err)
	}
	if run, err = patterns(run); err != nil {
		return nil, false, err
	}
	if skip, err = patterns(skip); err != nil {
		return nil, false, err
	}
	chosen, err := corpus.Select(cases, run, skip)
	if err != nil {
		return nil, false, usage(err)
	}
	if len(chosen) == 0 {
		return nil, false, usagef("no case is left to run")
	}
	return chosen, len(paths)+len(run)+len(skip) == 0, nil
}

// patterns replaces each @FILE by the patterns in it: one a line, # begins a
// comment.
func patterns(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		name, isFile := strings.CutPrefix(arg, "@")
		if !isFile {
			out = append(out, arg)
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, usagef("%s cannot be read: %v", arg, reason(err))
		}
		defer f.Close()
		before := len(out)
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			line, _, _ := strings.Cut(lines.Text(), "#")
			if line = strings.TrimSpace(line); line != "" {
				out = append(out, line)
			}
		}
		if err := lines.Err(); err != nil {
			return nil, usagef("%s cannot be read: %v", arg, reason(err))
		}
		if len(out) == before {
			return nil, usagef("%s holds no pattern", arg)
		}
	}
	return out, nil
}

// reason is an error without the path, which the message names already.
func reason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
