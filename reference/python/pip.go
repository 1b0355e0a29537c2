package python

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pipSettings are pip's variables that say how packages are reached. They are
// passed on, and so is its configuration file. The others say what is installed
// and where (PIP_TARGET, PIP_USER, PIP_PREFIX, PIP_CONSTRAINT, PIP_NO_BINARY,
// PIP_REQUIREMENT, PIP_PYTHON, PIP_DRY_RUN, …): that is ours, so they are left
// out, and what a configuration file says of them is overruled on the command
// line.
var pipSettings = []string{
	"PIP_CONFIG_FILE",
	"PIP_INDEX_URL", "PIP_PYPI_URL", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_UPLOADED_PRIOR_TO",
	"PIP_PROXY", "PIP_TRUSTED_HOST", "PIP_CERT", "PIP_CLIENT_CERT", "PIP_KEYRING_PROVIDER",
	"PIP_TIMEOUT", "PIP_DEFAULT_TIMEOUT", "PIP_RETRIES", "PIP_RESUME_RETRIES",
	"PIP_CACHE_DIR", "PIP_NO_CACHE_DIR",
	"PIP_USE_FEATURE", "PIP_USE_DEPRECATED", "PIP_LOG",
}

// pipEnviron gives the variables of a pip process: all of the parent's but
// Python's own and the settings of pip that are ours.
func (w *workshop) pipEnviron() ([]string, error) {
	// An empty file, so that constraints of a configuration file do not hold.
	nothing := filepath.Join(w.scratch, "nothing.txt")
	if err := os.WriteFile(nothing, nil, 0o644); err != nil {
		return nil, err
	}
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		name = strings.ToUpper(name)
		return strings.HasPrefix(name, "PYTHON") || strings.HasPrefix(name, "PIP_") && !slices.Contains(pipSettings, name)
	})
	return append(env,
		"PYTHONHOME="+homeIn(w.dir), "PYTHONPATH="+w.pip, "PYTHONUTF8=1", "PYTHONUNBUFFERED=1",
		"PIP_REQUIRE_VIRTUALENV=0", "PIP_DRY_RUN=0", "PIP_CONSTRAINT="+nothing, "PIP_ROOT_USER_ACTION=ignore",
		// Compiled modules of pip must not stay, but resolving starts pip ten times.
		"PYTHONPYCACHEPREFIX="+filepath.Join(w.scratch, "compiled"),
		// pip unpacks wheels in the temporary folder, then moves them.
		"TMPDIR="+w.scratch, "TEMP="+w.scratch, "TMP="+w.scratch,
	), nil
}

// output keeps the last lines that a command wrote, and turns pip's into
// progress.
type output struct {
	step   Step
	total  int // packages of the lock, less those for other platforms
	report func(Event)

	line    []byte
	last    []string
	fetched int
}

const tailLines = 20

func (p *output) Write(b []byte) (int, error) {
	n := len(b)
	for {
		line, rest, found := bytes.Cut(b, []byte("\n"))
		p.line = append(p.line, line...)
		if !found {
			return n, nil
		}
		p.take(strings.TrimRight(string(p.line), "\r"))
		p.line, b = p.line[:0], rest
	}
}

func (p *output) take(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	p.keep(line)
	if p.report == nil {
		return
	}
	say := func(text string) {
		p.report(Event{Step: p.step, Text: text, Done: p.fetched, Total: p.total})
	}
	switch {
	case strings.HasPrefix(line, "Ignoring "):
		p.total--
	case strings.HasPrefix(line, "Collecting "):
		p.fetched++
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "Collecting "), " ")
		say(fmt.Sprintf("fetching package %d of %d: %s", p.fetched, p.total, strings.Replace(name, "==", " ", 1)))
	case strings.HasPrefix(line, "Installing collected packages"):
		say(fmt.Sprintf("installing %d packages", p.fetched))
	case strings.Contains(line, "Retrying ("):
		say("no answer from the package index: trying again")
	}
}

// keep adds a line to the last ones. Of routine lines in a row only the last is
// kept, so that they do not push out what went wrong.
func (p *output) keep(line string) {
	if n := len(p.last); n > 0 && isRoutine(line) && isRoutine(p.last[n-1]) {
		p.last[n-1] = line
		return
	}
	if len(p.last) == tailLines {
		p.last = p.last[1:]
	}
	p.last = append(p.last, line)
}

func isRoutine(line string) bool {
	for _, start := range []string{"Collecting ", "Ignoring ", "Downloading ", "Using cached ", "Installing collected packages"} {
		if strings.HasPrefix(strings.TrimLeft(line, " "), start) {
			return true
		}
	}
	return false
}

// tail gives the last lines.
func (p *output) tail() string {
	lines := p.last
	if len(p.line) > 0 {
		lines = append(slices.Clone(lines), string(p.line))
	}
	return strings.Join(lines, "\n")
}
