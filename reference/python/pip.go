package python

import (
	"bytes"
	"fmt"
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

// pipEnviron makes pip's environment from the parent's: everything but Python's
// own variables and the settings of pip that are ours.
func pipEnviron(parent []string) []string {
	env := slices.DeleteFunc(slices.Clone(parent), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		name = strings.ToUpper(name)
		return strings.HasPrefix(name, "PYTHON") || strings.HasPrefix(name, "PIP_") && !slices.Contains(pipSettings, name)
	})
	return append(env, "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1", "PYTHONUNBUFFERED=1",
		"PIP_REQUIRE_VIRTUALENV=0", "PIP_ROOT_USER_ACTION=ignore", "PIP_DRY_RUN=0")
}

// pipOutput keeps the last lines that a command wrote, and turns pip's into
// progress.
type pipOutput struct {
	total  int // packages of the lock, less those for other platforms
	report func(string)

	line    []byte
	last    []string
	fetched int
}

const tailLines = 25

func (p *pipOutput) Write(b []byte) (int, error) {
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

func (p *pipOutput) take(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	if len(p.last) == tailLines {
		p.last = p.last[1:]
	}
	p.last = append(p.last, line)
	if p.report == nil {
		return
	}
	switch {
	case strings.HasPrefix(line, "Ignoring "):
		p.total--
	case strings.HasPrefix(line, "Collecting "):
		p.fetched++
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "Collecting "), " ")
		p.report(fmt.Sprintf("fetching package %d of %d: %s", p.fetched, p.total, strings.Replace(name, "==", " ", 1)))
	case strings.HasPrefix(line, "Installing collected packages"):
		p.report(fmt.Sprintf("installing %d packages", p.fetched))
	case strings.Contains(line, "Retrying ("):
		p.report("no answer from the package index: trying again")
	}
}

// tail gives the last lines.
func (p *pipOutput) tail() string {
	lines := p.last
	if len(p.line) > 0 {
		lines = append(slices.Clone(lines), string(p.line))
	}
	return strings.Join(lines, "\n")
}
