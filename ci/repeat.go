package ci

import (
	"slices"
	"strings"
	"time"
)

// What limitFlags are where the command line does not say.
const (
	defaultTimeout = 10 * time.Second
	defaultMemory  = 2048 // MiB
)

// repeat is the command that runs one case of this run again: with what decides
// on its answers, not with what shapes the report.
func (v *diffVerb) repeat(id string) string {
	args := append([]string{"go", "run", "./ci/beamdiff", "diff"}, v.Cases...)
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
	line := strings.Join(args, " ")
	if slices.Contains(v.Cases, "-") {
		line += " < stdin.json  # a file with what came on standard input"
	}
	return line
}
