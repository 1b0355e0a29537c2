package rx

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// refused are the constructs of the regex module that this package refuses, each
// with a pattern, where in it the construct stands, and how it is named. The list
// is reviewed: a construct leaves it when it is built. What the reference makes of
// them is in corpus/templates/refused.json and corpus/known.toml.
var refused = []struct {
	construct, pattern string
	offset             int
}{
	{"a possessive quantifier", "<a++>", 3},
	{"an atomic group", "<(?>a)", 1},
	{"branch reset", "<(?|a)", 1},
	{"a conditional", "(a)(?(1)b)", 3},
	{"recursion", "a(?R)", 1},
	{"recursion", "(a)(?1)", 3},
	{"recursion", "(?P<n>a)(?&n)", 8},
	{"fuzzy matching", "(?:ab){e<=1}", 6},
	{`the escape \p`, `a\p{L}`, 1},
	{`the escape \P`, `a\P{L}`, 1},
	{`the escape \h`, `a\h`, 1},
	{`the escape \R`, `a\R`, 1},
	{`the escape \K`, `a\K`, 1},
	{`the escape \G`, `a\G`, 1},
	{`the escape \m`, `a\m`, 1},
	{`the escape \M`, `a\M`, 1},
	{`the escape \N`, `a\N{SPACE}`, 1},
	{`the escape \X`, `a\X`, 1},
	{`the escape \L`, `a\L<n>`, 1},
	{`the escape \p`, `[a\p{L}]`, 2},
	{`the escape \N`, `[a\N{SPACE}]`, 2},
	{"a POSIX class", "[a[:alpha:]]", 2},
	{"the flag x", "(?x)a", 2},
	{"the flag a", "a(?a)", 3},
	{"the flag b", "(?b)a", 2},
	{"the flag f", "(?f)a", 2},
	{"the flag w", "(?w)a", 2},
	{"the flag V", "(?V1)a", 2},
	{"a quantifier behind an assertion", "^*", 1},
	{"a quantifier behind an assertion", `\b{2}`, 2},
	{"a group inside a group of the same name", "(?P<n>a(?P<n>b))", 11},
	{"nesting deeper than 200 groups", strings.Repeat("(", 300) + strings.Repeat(")", 300), 200},
	{"a pattern of more than 20000 instructions", "(?:a{1000}){1000}", 0},
	{"a lone surrogate, or text that is not UTF-8,", "a\xed\xa0\x80", 1},
}

func TestEveryRefusal(t *testing.T) {
	constructs := map[string]bool{}
	for _, c := range refused {
		constructs[c.construct] = true
		_, err := Compile(c.pattern)
		var e *UnsupportedError
		if !errors.As(err, &e) || e.Construct != c.construct || e.Offset != c.offset {
			t.Errorf("%.40s: got %v, want %s at byte %d", c.pattern, err, c.construct, c.offset)
		}
	}
	if len(constructs) != 29 {
		t.Errorf("%d constructs are refused; review the list, and this number", len(constructs))
	}
	// Each place that refuses is in the list: there are no more of them than when
	// it was reviewed.
	if n := places(t); n != 17 {
		t.Errorf("%d places of this package refuse a construct; review the list, and this number", n)
	}
}

// places counts where this package makes an UnsupportedError.
func places(t *testing.T) (n int) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n += len(place.FindAll(text, -1))
	}
	return n
}

var place = regexp.MustCompile(`\.refuse\(|UnsupportedError\{`)
