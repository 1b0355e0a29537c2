package python

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"
)

//go:generate go run ./relock

//go:embed requirements.lock
var defaultLock []byte

// Lock is a list of packages in pip's requirements form. Each has one version
// and the sha256 of every wheel that may be installed; no line names a host.
type Lock struct {
	// Name is for people: it is shown and recorded, and is no part of the hash.
	Name string
	Text []byte
	// Modules are what is imported to try the packages, and compiled; nil is what a
	// worker of the reference imports. With modules a lock may hold no package: then
	// they are CPython's own.
	Modules []string
	// Tag names the wheels that Download fetches, as PYTHON-PLATFORM
	// (3.13-manylinux_2_34_x86_64), for packages that are read and not run; "" is
	// those that this machine can run.
	Tag string
}

// DefaultLock is the lock that this module carries.
func DefaultLock() Lock { return Lock{Name: "reference", Text: defaultLock} }

// Hash is the sha256 of the text, in hex.
func (l Lock) Hash() string {
	sum := sha256.Sum256(l.Text)
	return hex.EncodeToString(sum[:])
}

// Requirement is one package of a lock.
type Requirement struct {
	Name    string
	Version string
	Marker  string   // the platforms that take it; "" for all
	Hashes  []string // sha256 in hex, one for each wheel
}

// LockError is a line of a lock that is not in the form that Requirements reads.
type LockError struct {
	Line int // 1 is the first
	What string
}

func (e *LockError) Error() string { return fmt.Sprintf("lock, line %d: %s", e.Line, e.What) }

// Requirements reads the text. A lock may hold nothing but comments and pinned
// packages with hashes: options, addresses and open versions are a *LockError.
func (l Lock) Requirements() ([]Requirement, error) {
	var out []Requirement
	lines := strings.Split(string(l.Text), "\n")
	for i := 0; i < len(lines); i++ {
		first := i + 1
		line := strings.TrimSpace(lines[i])
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		for strings.HasSuffix(line, `\`) && i+1 < len(lines) {
			i++
			line = strings.TrimSpace(strings.TrimSuffix(line, `\`)) + " " + strings.TrimSpace(lines[i])
		}
		r, what := parseRequirement(line)
		if what != "" {
			return nil, &LockError{Line: first, What: what}
		}
		out = append(out, r)
	}
	if len(out) == 0 && l.Modules == nil {
		return nil, &LockError{Line: 1, What: "no package"}
	}
	return out, nil
}

func parseRequirement(line string) (r Requirement, what string) {
	head, hashes, _ := strings.Cut(line, " --hash=")
	spec, marker, _ := strings.Cut(head, ";")
	name, version, pinned := strings.Cut(strings.TrimSpace(spec), "==")
	if !pinned || !isWord(name) || !isWord(version) {
		return r, fmt.Sprintf("%q is not NAME==VERSION", strings.TrimSpace(spec))
	}
	r = Requirement{Name: name, Version: version, Marker: strings.TrimSpace(marker)}
	for h := range strings.SplitSeq(hashes, " --hash=") {
		digest, ok := strings.CutPrefix(strings.TrimSpace(h), "sha256:")
		raw, err := hex.DecodeString(digest)
		if !ok || err != nil || len(raw) != sha256.Size {
			return r, fmt.Sprintf("%s has no --hash=sha256: of 64 hex digits, but %q", name, h)
		}
		r.Hashes = append(r.Hashes, digest)
	}
	return r, ""
}

// isWord holds for names and versions: letters, digits, and . _ - + ! in them.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-+!", c))
	})
}
