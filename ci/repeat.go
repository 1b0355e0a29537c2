package ci

import (
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// What limitFlags are where the command line does not say.
const (
	defaultTimeout = 10 * time.Second
	defaultMemory  = 2048 // MiB
)

// goRun starts the command from the repository.
const goRun = "go run ./ci/beamdiff"

// program is how the command was started, given the name that it was started by
// (os.Args[0]), as a shell reads it. What go run builds lies in a folder that is
// removed, or in the build cache: there it is [goRun].
func program(name string) string {
	built := regexp.MustCompile(`(^|/)go-build[^/]*/|/[0-9a-f]{64}-d/[^/]*$`)
	if name == "" || built.MatchString(filepath.ToSlash(name)) {
		return goRun
	}
	return quoteArg(name)
}

// repeat is the command that runs one case of this run again: with what decides
// on its answers, not with what shapes the report. program starts it.
func (v *diffVerb) repeat(program, id string) string {
	args := append([]string{"diff"}, v.Cases...)
	args = append(args, "--run", id, "--seed", utoa(v.Seed))
	for _, k := range v.Known {
		args = append(args, "--known", k)
	}
	line := commandLine(program, append(args, engineArgs(v.Engine, v.checkpointFlags, v.limitFlags)...))
	if slices.Contains(v.Cases, "-") {
		line += " < stdin.json  # a file with what came on standard input"
	}
	return line
}

// replay is the command that judges a finding of this campaign again, given its
// file. program starts it.
func (v *fuzzVerb) replay(program, file string) string {
	return commandLine(program, append([]string{"replay", file}, engineArgs(v.Engine, v.checkpointFlags, v.limitFlags)...))
}

// engineArgs are the arguments that open the same engines again, those left out
// that say what is so anyway.
func engineArgs(engines []string, c checkpointFlags, l limitFlags) (args []string) {
	add := func(name, value string) {
		if value != "" {
			args = append(args, name, value)
		}
	}
	add("--checkpoint", c.Checkpoint)
	add("--as", c.As)
	for _, e := range engines {
		add("--engine", e)
	}
	for _, d := range l.Decide {
		add("--decide", d)
	}
	if l.Timeout != defaultTimeout {
		add("--timeout", l.Timeout.String())
	}
	if l.Memory != defaultMemory {
		add("--memory", itoa(int(l.Memory)))
	}
	add("--today", l.Today)
	return args
}

// commandLine is a command as a shell reads it. program is quoted already.
func commandLine(program string, args []string) string {
	line := program
	for _, a := range args {
		line += " " + quoteArg(a)
	}
	return line
}
