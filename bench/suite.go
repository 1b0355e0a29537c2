package bench

import (
	"path"
	"strings"
)

// The implementations that this program holds. Yardsticks are scan, splitter and
// copy.
const (
	Native     = "native"
	nativeJSON = "native/from=json"
)

// Suite is a list of cases, each with a name of its own.
type Suite []Case

// Default is all that this package measures. What stands above it adds its own.
func Default() Suite {
	var s Suite
	for _, cases := range [][]Case{renderCases(), parseCases(), typingCases(), tokenCases()} {
		s = append(s, cases...)
	}
	return s
}

// Select gives the cases whose name fits one of the patterns, all where there are
// none. In a pattern * stands for any text, also with slashes in it, and ? for one
// character; a pattern need not fit the end of the name: Parse/kind=calls fits all
// sizes, cuts and implementations.
func (s Suite) Select(patterns []string) (Suite, error) {
	if len(patterns) == 0 {
		return s, nil
	}
	var out Suite
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return nil, &PatternError{p, err}
		}
	}
	for _, c := range s {
		for _, p := range patterns {
			if fits(strings.TrimSuffix(p, "/"), c.Name()) {
				out = append(out, c)
				break
			}
		}
	}
	return out, nil
}

// PatternError is a pattern that cannot be read.
type PatternError struct {
	Pattern string
	Err     error
}

func (e *PatternError) Error() string { return "pattern " + e.Pattern + ": " + e.Err.Error() }
func (e *PatternError) Unwrap() error { return e.Err }

// fits matches the pattern with the whole name, or with as many of its parts as
// end at a slash. A slash is a character like any other to *.
func fits(pattern, name string) bool {
	const stand = "\x00"
	pattern = strings.ReplaceAll(pattern, "/", stand)
	for at := len(name); at > 0; at = strings.LastIndexByte(name[:at], '/') {
		if ok, _ := path.Match(pattern, strings.ReplaceAll(name[:at], "/", stand)); ok {
			return true
		}
	}
	return false
}

// Families are the names of the families, in order.
func (s Suite) Families() (list []string) {
	seen := map[string]bool{}
	for _, c := range s {
		if !seen[c.Family] {
			seen[c.Family] = true
			list = append(list, c.Family)
		}
	}
	return list
}
