package corpus

import (
	"regexp"
	"strings"
)

// Glob is a pattern of case ids: * is any text without a slash, ** any text.
type Glob struct {
	pattern string
	re      *regexp.Regexp
}

// ParseGlob reads a pattern. The error is a *[GlobError].
func ParseGlob(pattern string) (Glob, error) {
	if rest := strings.ReplaceAll(pattern, "*", "x"); !idPattern.MatchString(rest) || strings.Contains(pattern, "***") {
		return Glob{}, &GlobError{Patterns: []string{pattern}, Malformed: true}
	}
	q := regexp.QuoteMeta(pattern)
	q = strings.ReplaceAll(q, `\*\*`, `.*`)
	q = strings.ReplaceAll(q, `\*`, `[^/]*`)
	return Glob{pattern, regexp.MustCompile(`^` + q + `$`)}, nil
}

// Match tells whether the whole id fits.
func (g Glob) Match(id string) bool { return g.re.MatchString(id) }

func (g Glob) String() string { return g.pattern }

// GlobError is about patterns that cannot be used: one that is malformed, or
// those that match no case.
type GlobError struct {
	Patterns  []string
	Malformed bool
}

func (e *GlobError) Error() string {
	list := `"` + strings.Join(e.Patterns, `", "`) + `"`
	if e.Malformed {
		return "the pattern " + list + " is not one of case ids (names between slashes; * is any text without a slash, ** any text)"
	}
	return "no case has an id that fits " + list + " (list shows the ids)"
}

// Select gives the cases that fit one of the run patterns, or all where there
// are none, without those that fit a skip pattern. A pattern that no case fits
// gives a *[GlobError] beside the cases.
func Select(cases []Case, run, skip []string) ([]Case, error) {
	globs := make([]Glob, 0, len(run)+len(skip))
	for _, pattern := range append(append([]string(nil), run...), skip...) {
		g, err := ParseGlob(pattern)
		if err != nil {
			return nil, err
		}
		globs = append(globs, g)
	}
	used := make([]bool, len(globs))
	var chosen []Case
	for _, c := range cases {
		in, out := len(run) == 0, false
		for i, g := range globs {
			if !g.Match(c.ID) {
				continue
			}
			used[i] = true
			in = in || i < len(run)
			out = out || i >= len(run)
		}
		if in && !out {
			chosen = append(chosen, c)
		}
	}
	var unused []string
	for i, g := range globs {
		if !used[i] {
			unused = append(unused, g.pattern)
		}
	}
	if unused != nil {
		return chosen, &GlobError{Patterns: unused}
	}
	return chosen, nil
}
