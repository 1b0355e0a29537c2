package ci

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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
	add := func(name, value string) {
		if value != "" {
			args = append(args, name, value)
		}
	}
	add("--checkpoint", v.Checkpoint)
	add("--as", v.As)
	for _, e := range v.Engine {
		add("--engine", e)
	}
	for _, d := range v.Decide {
		add("--decide", d)
	}
	for _, k := range v.Known {
		add("--known", k)
	}
	if v.Timeout != defaultTimeout && v.Timeout != 0 {
		add("--timeout", v.Timeout.String())
	}
	if v.Memory != defaultMemory {
		add("--memory", itoa(int(v.Memory)))
	}
	add("--today", v.Today)
	for i, a := range args {
		args[i] = quoteArg(a)
	}
	line := program + " " + strings.Join(args, " ")
	if slices.Contains(v.Cases, "-") {
		line += " < stdin.json  # a file with what came on standard input"
	}
	return line
}
