package ci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
)

// Main is the command: it reads args (without the program's name), does what
// they ask, and gives the exit code. Results go to stdout, all else to stderr.
// env is the environment as os.Environ gives it.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exited: // --help
			code = r.code
		default:
			fmt.Fprintf(stderr, "beamdiff: this is a bug in beamdiff: %v\n%s", r, debug.Stack())
			code = ExitEngine
		}
	}()
	ctx, stop := untilSignal()
	defer stop()
	err := run(ctx, args, &terminal{args: args, stdin: stdin, stdout: stdout, stderr: stderr, env: env})
	if err == nil {
		return ExitSame
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{ExitEngine, err}
	}
	if f.err != nil {
		text := printable(f.err.Error())
		if f.code == ExitUsage { // one line, whatever names are in it
			text = strings.ReplaceAll(text, "\n", `\n`)
		}
		fmt.Fprintf(stderr, "beamdiff: %s\n", text)
	}
	return f.code
}

// terminal is where a verb reads and writes.
type terminal struct {
	args           []string // of the command
	stdin          io.Reader
	stdout, stderr io.Writer
	env            []string
	verbose        bool
}

// getenv is the value of an environment variable, "" where it is not set.
func (t *terminal) getenv(name string) string {
	for i := len(t.env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(t.env[i], name+"="); ok {
			return v
		}
	}
	return ""
}

func run(ctx context.Context, args []string, t *terminal) error {
	g, verb, err := parseArgs(args, t.stdout, t.stderr)
	if err != nil {
		return err
	}
	t.verbose = g.Verbose
	if g.Version {
		return t.print("beamdiff " + version() + "\n")
	}
	switch verb {
	case "diff":
		return g.Diff.run(ctx, t)
	case "render":
		return g.Render.run(ctx, t)
	case "parse":
		return g.Parse.run(ctx, t)
	case "mask":
		return g.Mask.run(ctx, t)
	case "fuzz":
		return g.Fuzz.run(ctx, t)
	case "replay":
		return g.Replay.run(ctx, t)
	case "minimize":
		return g.Minimize.run(ctx, t)
	case "promote":
		return g.Promote.run(t)
	case "check":
		return g.Check.run(ctx, t)
	case "gate":
		return g.Gate.run(ctx, t)
	case "bench":
		return g.Bench.run(ctx, t)
	case "list":
		return g.List.run(ctx, t)
	case "doctor":
		return g.Doctor.run(ctx, t)
	case "setup":
		return g.Setup.run(ctx, t)
	}
	return notBuilt("the verb " + verb)
}

func notBuilt(what string) error { return usagef("%s is not built yet", what) }

// print writes what is for people to standard output.
func (t *terminal) print(text string) error {
	if _, err := io.WriteString(t.stdout, printable(text)); err != nil {
		return broken(fmt.Errorf("standard output: %w", err))
	}
	return nil
}

// version is that of the module, with the revision where it was built from one.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	if v == "" || v == "(devel)" {
		v = "devel"
	}
	return v
}
