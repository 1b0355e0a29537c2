package ci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/corpus"
)

// findingFlags are those of the verbs that report findings.
type findingFlags struct {
	Format        string   `default:"text" placeholder:"FORMAT" help:"The report: text, json (ci/schema/findings.schema.json), junit, sarif, or markdown for a pull request."`
	Out           string   `placeholder:"FILE" help:"Write the report there instead of standard output."`
	Strict        bool     `help:"Warnings fail too."`
	Baseline      string   `placeholder:"FILE" help:"The findings of before (TOML, as --write-baseline writes it); with --new-only, which gate always has unless --old is given, they fail nothing."`
	NewOnly       bool     `help:"Fail only on findings that the baseline does not have."`
	WriteBaseline string   `placeholder:"FILE" help:"Write the findings of this run as a baseline, and fail on none of them."`
	Known         []string `sep:"none" placeholder:"FILE" help:"A list of known findings: a baseline whose entries give reason, owner and expires. They fail nothing; what is stale or expired in it does. May be repeated."`
}

type checkVerb struct {
	Checkpoints []string `arg:"" optional:"" placeholder:"CHECKPOINT" help:"Directories of checkpoints, files of chat templates, names of public checkpoints (list --checkpoints) or hub ids. Default: $$BEAM_MODEL_ID, else the reconstruction that comes with this program."`

	Public  bool     `help:"Check all chat templates of the public packages of checkpoints.toml instead: some 850, in minutes."`
	Resume  string   `placeholder:"FOLDER" help:"With --public: keep each template's report there, and do not check again what has one."`
	Run     []string `sep:"none" placeholder:"GLOB" help:"Only the laws whose id fits (--list shows them). May be repeated."`
	Skip    []string `sep:"none" placeholder:"GLOB" help:"All but the laws whose id fits. May be repeated."`
	List    bool     `help:"List the laws."`
	Explain string   `placeholder:"LAW" help:"Print the page of a law: what goes wrong for whom, how to mend it."`
	findingFlags
	Engine  string        `default:"reference" placeholder:"ENGINE" help:"Who renders and reads: reference, reference@VERSION, native, or 'name=command args'."`
	Jobs    int           `default:"0" help:"Processes of the engine; 0 is the number of processors."`
	As      string        `placeholder:"FORMAT" help:"Take the checkpoint as one of this format."`
	Timeout time.Duration `default:"10s" help:"The longest that the engine may take for one case."`
	Memory  int64         `default:"2048" placeholder:"MIB" help:"The most memory that one process of the engine may take, in MiB; 0 is no limit."`
	Today   string        `placeholder:"DATE" help:"The day, YYYY-MM-DD, for templates that ask and for lists that expire. Default: today."`
}

func (checkVerb) Help() string {
	return `
Examples:
  beamdiff check ./my-model                           the laws of a checkpoint's templates, through its own Python
  beamdiff check chat_template.jinja                  a chat template alone
  beamdiff check gpt-oss ./my-model --strict          several; warnings fail too
  beamdiff check ./my-model --format sarif --out check.sarif
  beamdiff check ./my-model --write-baseline known.toml
  beamdiff check ./my-model --baseline known.toml --new-only
  beamdiff check --list · beamdiff check --explain LAW
  beamdiff check --public --format markdown           all public templates of two pinned packages

No code of a checkpoint is run but its templates, in the sandbox; time and memory are bounded.

Exit codes: 0 nothing that fails, 1 findings that fail, 2 wrong use or unreadable input, 3 an engine or the
set-up failed, something could not be looked at, or the run was interrupted.`
}

func (v *checkVerb) run(ctx context.Context, t *terminal) error {
	laws, err := chooseLaws(v.Run, v.Skip)
	if err != nil {
		return err
	}
	switch {
	case (v.List || v.Explain != "") && (len(v.Checkpoints) > 0 || v.Out != "" || v.Public || v.NewOnly):
		return usagef("--list and --explain tell of the laws on standard output; they take no checkpoint, and of the other flags --run and --skip alone")
	case v.List:
		return t.print(listLaws(laws))
	case v.Explain != "":
		page, err := explain(v.Explain)
		if err != nil {
			return err
		}
		return t.print(page)
	case v.Public && len(v.Checkpoints) > 0:
		return usagef("--public checks templates of its own; it takes no checkpoint")
	case v.Resume != "" && !v.Public:
		return usagef("--resume is for --public")
	case v.Jobs < 0:
		return usagef("--jobs must not be negative")
	case v.NewOnly && v.Baseline == "":
		return usagef("--new-only needs a --baseline to know what is new")
	}
	for i, name := range v.Checkpoints {
		if name == "" || slices.Contains(v.Checkpoints[:i], name) {
			return usagef("the checkpoint %q stands twice, or is no name", name)
		}
	}
	lists, err := v.lists()
	if err != nil {
		return err
	}
	c := &checker{laws: laws, engine: v.Engine, opener: opener{t: t, meter: t.meter(), jobs: cmp.Or(v.Jobs, runtime.NumCPU()),
		checkpointFlags: checkpointFlags{As: v.As}, limitFlags: limitFlags{Timeout: v.Timeout, Memory: v.Memory, Today: v.Today}}}
	if err := c.opener.check([]string{v.Engine}); err != nil {
		return err
	}
	var r *report.Report
	if v.Public {
		r, err = c.public(ctx, v.Resume)
	} else {
		r, err = c.several(ctx, orDefault(v.Checkpoints))
	}
	c.meter.clear()
	if err != nil {
		return err
	}
	r.Verb = "check"
	today, err := corpus.ParseDate(c.opener.today())
	if err != nil {
		return usage(err)
	}
	return v.tell(t, r, lists, today)
}

// orDefault is the checkpoints to look at.
func orDefault(names []string) []string {
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

// lists are the baseline, nil where there is none, and the known findings.
type lists struct {
	baseline *report.Baseline
	known    []*report.Baseline
}

// lists checks the flags, and reads the lists that they name.
func (v *findingFlags) lists() (l lists, err error) {
	if formOf(v.Format) == nil {
		return l, usagef("--format %s: no such format; it is text, json, junit, sarif or markdown", v.Format)
	}
	for _, out := range []string{v.Out, v.WriteBaseline} {
		if err := checkOut(out); err != nil {
			return l, err
		}
	}
	if v.Baseline != "" {
		if l.baseline, err = readList(v.Baseline); err != nil {
			return l, err
		}
	}
	for _, name := range v.Known {
		list, err := readList(name)
		if err == nil {
			err = list.Known()
		}
		if err != nil {
			return l, usage(err)
		}
		l.known = append(l.known, list)
	}
	return l, nil
}

func readList(name string) (*report.Baseline, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("%s cannot be read: %v", name, reason(err))
	}
	defer f.Close()
	list, err := report.ReadBaseline(io.LimitReader(f, corpus.MaxFile), name)
	if err != nil {
		return nil, usage(err)
	}
	return list, nil
}

// formOf is the way to write a report in a form; nil where there is none.
func formOf(name string) func(*report.Report, io.Writer) error {
	return map[string]func(*report.Report, io.Writer) error{
		"text": (*report.Report).WriteText, "json": (*report.Report).WriteJSON, "junit": (*report.Report).WriteJUnit,
		"sarif": (*report.Report).WriteSARIF, "markdown": (*report.Report).WriteMarkdown,
	}[name]
}

// tell marks what lists have of a report, writes it, and gives what the command
// ends with.
func (v *findingFlags) tell(t *terminal, r *report.Report, l lists, today corpus.Date) error {
	r.Version, r.Verbose = version(), t.verbose
	r.Policy = report.Policy{Strict: v.Strict, NewOnly: v.NewOnly}
	for _, known := range l.known {
		known.Mark(r, report.Known, today)
	}
	if l.baseline != nil {
		l.baseline.Mark(r, report.Old, today)
	}
	if v.WriteBaseline != "" && !r.Interrupted {
		if err := writeAtomic(v.WriteBaseline, report.BaselineOf(r).Write); err != nil {
			return broken(fmt.Errorf("--write-baseline %s was not written: %w", v.WriteBaseline, advise(err)))
		}
	}
	write := formOf(v.Format)
	if err := t.writeOut(v.Out, func(w io.Writer) error { return write(r, w) }); err != nil {
		return err
	}
	code := r.ExitCode()
	switch {
	case r.Interrupted:
		return &failure{code, errors.New("interrupted; the report tells of what was looked at")}
	case v.WriteBaseline != "" && code == report.ExitFailed:
		return nil // from now on
	case code != report.ExitPassed && v.Out != "":
		return &failure{code, fmt.Errorf("exit code %d; %s says why", code, v.Out)}
	case code != report.ExitPassed:
		return &failure{code: code} // the report has said why
	}
	return nil
}

// chooseLaws are those whose ids fit.
func chooseLaws(run, skip []string) ([]law.Law, error) {
	all := law.Laws()
	for _, patterns := range []struct {
		list []string
		keep bool
	}{{run, true}, {skip, false}} {
		fits := make([]bool, len(all))
		for _, text := range patterns.list {
			glob, err := corpus.ParseGlob(text)
			if err != nil {
				return nil, usage(err)
			}
			some := false
			for i, l := range all {
				if glob.Match(l.ID) {
					fits[i], some = true, true
				}
			}
			if !some {
				return nil, usagef("no law's id fits %q; check --list shows them", text)
			}
		}
		if len(patterns.list) == 0 {
			continue
		}
		var left []law.Law
		for i, l := range all {
			if fits[i] == patterns.keep {
				left = append(left, l)
			}
		}
		all = left
	}
	return all, nil
}

// listLaws is a line for each law.
func listLaws(laws []law.Law) string {
	rules := slices.Clone(loadRules)
	for _, l := range laws {
		rules = append(rules, l.Rule)
	}
	wide := 0
	for _, u := range rules {
		wide = max(wide, len(u.ID))
	}
	var b strings.Builder
	for _, u := range rules {
		fmt.Fprintf(&b, "%-*s  %-7s  %s\n", wide, u.ID, u.Level, u.Title)
	}
	return b.String()
}

// explain is the page of a law.
func explain(id string) (string, error) {
	rules := append(slices.Clone(loadRules), report.ListRuleOf())
	for _, l := range law.Laws() {
		rules = append(rules, l.Rule)
	}
	for _, u := range rules {
		if u.ID == id {
			return fmt.Sprintf("%s (%s)\n%s\n\n%s\n", u.ID, u.Level, u.Title, u.Help), nil
		}
	}
	return "", usagef("there is no law %q; check --list shows them", id)
}
