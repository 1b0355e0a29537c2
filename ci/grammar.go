package ci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// grammar is the command line. Its verbs are the methods run of their types.
type grammar struct {
	Version bool `help:"Print the version and exit."`
	Verbose bool `short:"v" help:"Say more: every case, every difference."`

	Diff     diffVerb     `cmd:"" help:"Run cases through the engines and report each difference. The main job."`
	Render   renderVerb   `cmd:"" help:"Write the prompt of one render case: its exact bytes, nothing added."`
	Parse    parseVerb    `cmd:"" help:"Read the reply of one parse case: the message as one line of JSON."`
	Mask     maskVerb     `cmd:"" help:"Write a conversation and the spans in it that the model wrote, in bytes."`
	Fuzz     fuzzVerb     `cmd:"" help:"Run a campaign: generated cases through the engines, as long as you like; keep what differs, made small."`
	Replay   replayVerb   `cmd:"" help:"Judge a finding of a campaign again."`
	Minimize minimizeVerb `cmd:"" help:"Make a finding or a case as small as it still differs in the same way."`
	Promote  promoteVerb  `cmd:"" help:"Make a finding a named case of the corpus."`
	Check    checkVerb    `cmd:"" help:"Hold a checkpoint's templates against laws that need no second template."`
	Gate     gateVerb     `cmd:"" help:"Say what a change of a checkpoint does: its templates, or the release of Transformers."`
	Bench    benchVerb    `cmd:"" help:"Measure the hot paths beside their limits and the checkpoint's Python, and say what became slower."`
	List     listVerb     `cmd:"" help:"List the cases, the suites or the checkpoints."`
	Doctor   doctorVerb   `cmd:"" help:"Say which versions are at work, and what on this machine is missing."`
	Setup    setupVerb    `cmd:"" help:"Fetch everything ahead of use; afterwards no network is needed."`

	Watch unbuilt `cmd:"" hidden:"" passthrough:""`
}

// checkpointFlags choose the checkpoint.
type checkpointFlags struct {
	Checkpoint string `placeholder:"CHECKPOINT" help:"The checkpoint: a directory with chat_template.jinja, tokenizer_config.json or both, the name of a public checkpoint (list --checkpoints), or a hub id. Default: $$BEAM_MODEL_ID, else the reconstruction that comes with this program."`
	As         string `placeholder:"FORMAT" help:"Take the checkpoint as one of this format (beam, other, or a public checkpoint's) instead of looking at its template."`
}

// limitFlags bound the engines outside this process.
type limitFlags struct {
	Timeout time.Duration `default:"10s" help:"The longest that an engine may take for one case."`
	Memory  int64         `default:"2048" placeholder:"MIB" help:"The most memory that one process of an engine may take, in MiB; 0 is no limit."`
	Decide  []string      `sep:"none" placeholder:"NAME=CHOICE" help:"Let the native renderer take an open decision otherwise (reference/checkpoint/README.md lists them). May be repeated."`
	Today   string        `placeholder:"DATE" help:"The day, YYYY-MM-DD, for templates that ask and for known differences that expire. Default: today."`
}

// oneFlags are those of the verbs that take one case.
type oneFlags struct {
	Case   string `arg:"" placeholder:"CASE" help:"A case file, the bare keys of one, or - for standard input."`
	Engine string `default:"native" placeholder:"ENGINE" help:"native, reference, reference@VERSION (another release of Transformers), or 'name=command args', a program that speaks the engine protocol (reference/PROTOCOL.md). Default: native."`
	Out    string `placeholder:"FILE" help:"Write the result there instead of standard output."`
	checkpointFlags
	limitFlags

	ids bool // the input is a list of token ids, or a case with some
}

type diffVerb struct {
	Cases []string `arg:"" optional:"" placeholder:"CASE" help:"Case files, folders of them, or - for standard input. Default: the suites that come with this program."`

	Engine []string `sep:"none" placeholder:"ENGINE" help:"native, reference, reference@VERSION (another release of Transformers), or 'name=command args', a program that speaks the engine protocol (reference/PROTOCOL.md). Repeats; the last is the one the others are judged by. Default: native, then reference."`
	Run    []string `sep:"none" placeholder:"GLOB" help:"Only the cases whose id fits (* stays between slashes, ** does not); @FILE reads patterns from a file. May be repeated."`
	Skip   []string `sep:"none" placeholder:"GLOB" help:"All but the cases whose id fits. May be repeated."`
	Known  []string `sep:"none" placeholder:"FILE" help:"A list of known differences (TOML, as corpus/known.toml is). May be repeated."`
	Seed   uint64   `default:"1" help:"Chooses the random cuts."`
	Jobs   int      `default:"0" help:"Cases asked at once, and processes of an engine; 0 is the number of processors."`
	Format string   `default:"text" placeholder:"FORMAT" help:"The report: text, json (ci/schema/report.schema.json), junit, sarif, or markdown for a pull request."`
	Out    string   `placeholder:"FILE" help:"Write the report there instead of standard output."`
	All    bool     `help:"Run every case, also those that name another checkpoint, which is opened for them."`
	checkpointFlags
	limitFlags
}

func (diffVerb) Help() string {
	return `
Examples:
  beamdiff diff                                       the suites, native Go against the checkpoint's Python
  beamdiff diff --checkpoint ./my-model               the same with your checkpoint
  beamdiff diff --checkpoint gpt-oss                  a public checkpoint: the cases that name it or are of its format
  beamdiff diff --all                                 the cases of every checkpoint
  beamdiff diff my-case.json cases/                   your own cases
  beamdiff diff --run 'documentation/**' --seed 7     one suite, other random cuts
  beamdiff diff --engine native                       without Python: against the wants alone
  beamdiff diff --engine reference@5.23.0 --engine reference
                                                      what an upgrade of Transformers changes
  beamdiff diff --engine native --engine 'mine=./my-engine --flag' --engine reference

A case that names a checkpoint is asked of that one, with --all, --run or case files of your own; else it
is listed as not run. The native renderer writes Beam Harmony alone: of other formats it reads replies, and
that it cannot render them fails no run.

Exit codes: 0 same, 1 differences, 2 wrong use or unreadable input, 3 an engine or the set-up failed.`
}

type renderVerb struct {
	Tokens bool `help:"Write the prompt as JSON with its token ids: {\"text\":…,\"input_ids\":…,\"offsets\":…}, the offsets in bytes."`
	oneFlags
}

func (renderVerb) Help() string {
	return `
Examples:
  echo '{"messages":[{"role":"user","content":"Hello!"}]}' | beamdiff render -
  beamdiff render case.json --engine reference
  beamdiff render case.json --tokens

--tokens takes the keys of a case of the kind encode too, such as "sanitize_control_tokens": true. The native
engine has ids in a program that was built with them: scripts/tokenizers says how. The reference always has.

An error of the format goes to standard error as CLASS: message, with exit code 1.`
}

type parseVerb struct {
	Events   bool `help:"Write each event as a line before the message."`
	Problems bool `help:"Write the problems of the reply as a last line, their spans in bytes. Native engine only."`
	IDs      bool `name:"ids" help:"Read the reply from a bare list of token ids, [564,370,…], which holds the whole turn. A case with reply_ids needs no flag."`
	Lenient  bool `help:"Where the reply cannot be read, write the error and what was read so far. Native engine only."`
	oneFlags
}

func (parseVerb) Help() string {
	return `
Examples:
  echo '{"reply":"<|channel|>final<|message|>4<|return|>","prefix":""}' | beamdiff parse -
  beamdiff parse case.json --events --problems
  echo '[564,370,267,566,87,569]' | beamdiff parse --ids --events -

A case may hold "reply_ids" and "prefix_ids" in place of "reply" and "prefix"; its "chunks" count ids then.

An error of the format goes to standard error as CLASS: message, with exit code 1.`
}

type maskVerb struct {
	Tokens bool `help:"Add the token ids: \"input_ids\", \"offsets\" in bytes, and \"assistant_masks\", 1 for each id that the model wrote any of."`
	oneFlags
}

func (maskVerb) Help() string {
	return `
Examples:
  echo '{"messages":[{"role":"user","content":"2+2?"},{"role":"assistant","content":"4"}]}' | beamdiff mask -
  beamdiff mask case.json --tokens --engine reference

--tokens takes "truncation", "max_length" and "padding" too, as apply_chat_template does. The native engine has
ids in a program that was built with them: scripts/tokenizers says how. The reference always has.

The want of a mask case counts its spans in characters (code points), not in bytes.`
}

type listVerb struct {
	Cases       []string `arg:"" optional:"" placeholder:"CASE" help:"Case files or folders. Default: the suites that come with this program."`
	Run         []string `sep:"none" placeholder:"GLOB" help:"Only the cases whose id fits. May be repeated."`
	Skip        []string `sep:"none" placeholder:"GLOB" help:"All but the cases whose id fits. May be repeated."`
	Suites      bool     `help:"The suites and their numbers of cases."`
	Checkpoints bool     `help:"The checkpoints that can be named."`
}

type doctorVerb struct {
	Deep bool `help:"Read every file of the Python environment and compare its hash."`
	checkpointFlags
}

type setupVerb struct {
	Engine  []string `sep:"none" placeholder:"reference@VERSION" help:"Set up another release of Transformers too. May be repeated."`
	Prune   bool     `help:"Remove what neither this version nor --engine uses: other Python environments, releases and checkpoints, and what killed runs left."`
	Offline bool     `help:"Ask no package index; PIP_FIND_LINKS still serves."`
}

func (listVerb) Help() string {
	return `
Examples:
  beamdiff list                                       every case, with its kind
  beamdiff list --suites                              how many each suite has
  beamdiff list --run 'documentation/effort/**'       some of them
  beamdiff list my-cases/                             your own
  beamdiff list --checkpoints                         the names that --checkpoint knows`
}

func (doctorVerb) Help() string {
	return `
Examples:
  beamdiff doctor                                     versions, cache, Python, checkpoint
  beamdiff doctor --deep                              and every file of the Python environment
  beamdiff doctor --checkpoint ./my-model             what a run would take your checkpoint for, and whether its templates compile

Nothing is set up or changed. What is missing is set up when it is needed; what is BROKEN ends with exit code 3.`
}

func (setupVerb) Help() string {
	return `
Examples:
  beamdiff setup                                      Python and the public checkpoints, into the cache folder
  beamdiff setup --engine reference@5.23.0            and that release of Transformers
  PIP_NO_INDEX=1 PIP_FIND_LINKS=./wheels beamdiff setup
  beamdiff setup --prune                              and remove what older versions left

BEAMDIFF_CACHE names the cache folder. For a machine without a network, copy the folder of one like it.`
}

// unbuilt is a verb of the design that does not exist yet.
type unbuilt struct {
	Args []string `arg:"" optional:""`
}

// exited is what the parser raises to end the program: after --help.
type exited struct{ code int }

// parseArgs reads the command line into a grammar. The usage text goes to
// stdout where it was asked for.
func parseArgs(args []string, stdout, stderr io.Writer) (g *grammar, verb string, err error) {
	g = &grammar{}
	out := &listened{w: stdout}
	p, err := kong.New(g, kong.Name("beamdiff"),
		kong.Description("Compares implementations of a chat format: native Go against the checkpoint's own Python."),
		kong.Writers(out, stderr),
		kong.KindMapper(reflect.String, kong.MapperFunc(asGiven)),
		kong.Exit(func(code int) { panic(exited{code}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 110}))
	if err != nil {
		return nil, "", err
	}
	switch {
	case len(args) == 0:
		return nil, "", usagef("no verb; try beamdiff diff, or beamdiff --help")
	case len(args) == 1 && (args[0] == "--version" || args[0] == "version"):
		return &grammar{Version: true}, "", nil
	case len(args) <= 2 && args[0] == "help":
		args = append(slices.Clone(args[1:]), "--help")
	}
	ctx, err := p.Parse(args)
	if out.err != nil {
		return nil, "", broken(fmt.Errorf("standard output: %w", advise(out.err)))
	}
	if err != nil {
		return nil, "", usagef("%s (beamdiff %s--help shows the use)", err, helpVerb(args))
	}
	verb, _, _ = strings.Cut(ctx.Command(), " ")
	return g, verb, nil
}

// asGiven takes an argument byte by byte: a file's name may be any bytes. The
// parser's own way goes through JSON, which replaces what is not UTF-8.
func asGiven(ctx *kong.DecodeContext, target reflect.Value) error {
	t, err := ctx.Scan.PopValue("string")
	if err != nil {
		return err
	}
	target.SetString(t.String())
	return nil
}

// listened is a writer that remembers why it failed.
type listened struct {
	w   io.Writer
	err error
}

func (l *listened) Write(b []byte) (int, error) {
	n, err := l.w.Write(b)
	if err != nil {
		l.err = err
	}
	return n, err
}

// helpVerb is the verb of a command line that could not be read, for advice.
func helpVerb(args []string) string {
	for _, v := range []string{"diff", "render", "parse", "mask", "fuzz", "replay", "minimize", "promote", "check", "gate", "bench", "list", "doctor", "setup"} {
		for _, a := range args {
			if a == v {
				return v + " "
			}
		}
	}
	return ""
}

// failure is an error that ends the command, with its exit code.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func usagef(format string, args ...any) error {
	return &failure{ExitUsage, fmt.Errorf(format, args...)}
}

// usage makes err a wrong use, unless it says already what it is.
func usage(err error) error {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	return &failure{ExitUsage, err}
}

func broken(err error) error { return &failure{ExitEngine, err} }

// awaited gives what f gives, or, once ctx is done, that the command was
// interrupted: reading from a terminal or a pipe may take for ever.
func awaited[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, broken(errors.New("interrupted"))
	}
}
