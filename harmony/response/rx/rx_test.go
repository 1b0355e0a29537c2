package rx

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// show writes a match as its span and its named groups.
func show(p *Pattern, m *Match) string {
	s := fmt.Sprintf("%d-%d", m.Start, m.End)
	for i, name := range p.Names() {
		if from, to, ok := m.Group(i); ok {
			s += fmt.Sprintf(" %s=%d-%d", name, from, to)
		}
	}
	return s
}

// scanned is what a scan finds in text that arrives in chunks of n bytes.
func scanned(t *testing.T, p *Pattern, text string, pos, n int) string {
	t.Helper()
	s := p.NewScan()
	s.From(pos)
	for end := pos; ; {
		tx := Text{S: text[:end], Before: -1, End: end == len(text)}
		st, err := s.Run(&tx, len(text))
		switch {
		case err != nil:
			return err.Error()
		case st == Found:
			return show(p, s.Match())
		case end == len(text):
			return "none"
		}
		end = min(end+n, len(text))
	}
}

// Patterns with the regex module's answer: a search from pos in a whole text.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		pos           int
		want          string
	}{
		{"a|ab", "xab", 0, "1-2"},
		// Negated sets of one code point each are one set, where they are neighbours;
		// and a set with a class and its opposite is any code point, negated or not.
		{"[^b]|[^;]|bc", "bc", 0, "0-2"},
		{"[^b]|x|[^;]", ";x", 0, "1-2"},
		{"(?:[^b]|[^;])|[^x]", "xb;a", 0, "3-4"},
		{"(?i)[^b]|[^;]", "B;a", 0, "2-3"},
		{"(?i:[^b])|[^;]", ";b", 0, "0-1"},
		{"[^bb]|[^;]", "b", 0, "0-1"},
		{"[^\\s\\S]", "xa", 0, "0-1"},
		{"[^a\\wb\\W]+", "ab ", 0, "0-3"},
		{"[^\\s\\W]+", " ab ", 0, "1-3"},
		// References and code points by number.
		{"(a)(?P=1)", "aa", 0, "0-2"},
		{"(a)(?P=١)\\g<1>", "aaa", 0, "0-3"},
		{"\\g<0>\\g<n\\g", "g<0>g<ng", 0, "0-8"},
		{"\\101\\400", "AĀ", 0, "0-3"},
		{"(?-u:\\w)", "é", 0, "0-2"},
		// A group in a look-around is what the path that matches put there.
		{"(?:(?=(?P<n>a))x|a)", "a", 0, "0-1"},
		{"(?:(?!(?P<n>a)b)|a)b?", "ab", 0, "0-2"},
		{"(?:(?=(?P<n>ab?))(?=a)c|a)", "ab", 0, "0-1"},
		{"(?:(?=(?P<n>a+))a(?P=n)|a)", "aaa", 0, "0-1"},
		{"(?:(?!(?!(?P<n>a)))a)", "ab", 0, "0-1"},
		{"(?=(?P<n>a*?))\\w+", "aaa", 0, "0-3 n=0-0"},
		{"(?:(?=(?P<n>a)|(?P<m>b)).)+", "ab", 0, "0-2 n=0-1 m=1-2"},
		{"(?=(?P<n>a))(?:b|a)(?P=n)", "aa", 0, "0-2 n=0-1"},
		{"(?<=(?P<n>ab|b))c", "abc", 0, "2-3 n=0-2"},
		// What looks back is read from its end.
		{"a(?<=(?P<n>(?:a)?))", "aaabaa", 0, "0-1 n=0-1"},
		{"(?<=(?P<n>.{1,2}))(?<!(?!a))a", "bbaacbb", 0, "2-3 n=0-2"},
		{"(?<=(?P<n>b)(?P=n))c", "bbc", 0, "none"},
		{"(?<=(?P=n)(?P<n>b))c", "bbc", 0, "2-3 n=1-2"},
		{"(?:(?P=n)c|(?P<n>a))+", "aac", 0, "0-3 n=0-1"},
		{"b(?<=(?P<n>.)*)", "aabcbbbb", 0, "2-3 n=0-1"},
		{"a(?<=a|abc)b", "ab", 0, "0-2"},
		{"(?<!(?<!a)b)c", "bcabc", 0, "4-5"},
		{"ab|a", "xab", 0, "1-3"},
		{"a*?b", "aab", 0, "0-3"},
		{"(?P<n>a+?)b", "aab", 0, "0-3 n=0-2"},
		{" to=(?P<name>[^<\\s]+)<c>", "x to=a to=b<c>", 0, "6-14 name=10-11"},
		{"to=(?P<name>.+?)<c>", "to=<c><c>", 0, "0-9 name=3-6"},
		{"<(?P<n>a)>|\\[(?P<n>b)\\]", "[b]", 0, "0-3 n=1-2"},
		{"(?P<n>a)|b", "b", 0, "0-1"},
		{"a{,2}b", "aaab", 0, "1-4"},
		{"a{2}", "aaa", 0, "0-2"},
		{"a{x}", "a{x}", 0, "0-4"},
		{"a{,}b", "aab", 0, "0-3"},
		{"(?:ab){1,2}?", "abab", 0, "0-2"},
		{"^a", "za", 1, "none"},
		{"\\Aa", "a", 0, "0-1"},
		{"(?m)^a", "z\na", 0, "2-3"},
		{"a$", "a\n", 0, "0-1"},
		{"a\\Z", "a\n", 0, "none"},
		{"(?m)a$", "a\nb", 0, "0-1"},
		{"\\bb", "ab b", 0, "3-4"},
		{"a\\Bb", "ab", 0, "0-2"},
		{"\\bb", "ab", 1, "none"}, // what stands before the start counts
		{".", "\n", 0, "0-1"},
		{"(?-s:.)", "\na", 0, "1-2"},
		{"\\s+", "a\u0085\u00a0\x1c", 0, "1-5"},
		{"\\w+", "²é٣\u200d", 0, "2-9"},
		{"[^a-c]", "abd", 0, "2-3"},
		{"[]a]+", "x]a", 0, "1-3"},
		{"[\\w-]+", "a-b", 0, "0-3"},
		{"[^b]|[^;]", "b;a", 0, "2-3"}, // as the module miscompiles it
		{"x(?i)Y", "xy", 0, "0-2"},
		{"x(?i)Y", "Xy", 0, "none"},
		{"(?i)k", "\u212a", 0, "0-3"},
		{"(?i)ß", "ss", 0, "none"},
		{"(?i:İ)", "i", 0, "0-1"},
		{"a(?=b)", "acab", 0, "2-3"},
		{"(?=a)", "ba", 0, "1-1"},
		{"(?=;)|x+", "xx;", 0, "0-2"},
		{"a(?!b)", "abac", 0, "2-3"},
		{"(?<=a)b", "bab", 0, "2-3"},
		{"(?<!a)b", "abb", 0, "2-3"},
		{"(?<=a|bc)d", "bcd", 0, "2-3"},
		{"(?<=a)b", "ab", 1, "1-2"},
		{"(a|b)\\1", "abb", 0, "1-3"},
		{"<(?P<k>\\w+)></(?P=k)>", "<a></b><b></b>", 0, "7-14 k=8-9"},
		{"(?P<n>a*)*", "aab", 0, "0-2 n=2-2"},
		{"(?:|a)+", "aab", 0, "0-0"},
		{"", "a", 0, "0-0"},
		{"$", "a\n", 0, "1-1"},
		{"é+", "aéé", 0, "1-5"},
		{"[^é]", "éa", 0, "2-3"},
		{"\\x41\\u00e9\\t", "Aé\t", 0, "0-4"},
		{"a(?#comment)b", "ab", 0, "0-2"},
	} {
		p, err := Compile(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		m, ok, err := p.NewScan().Search(c.text, c.pos)
		got := "none"
		switch {
		case err != nil:
			got = err.Error()
		case ok:
			got = show(p, &m)
		}
		if got != c.want {
			t.Errorf("%s on %q: got %s, want %s", c.pattern, c.text, got, c.want)
		}
		for n := 1; n <= 3; n++ {
			if isRune(c.text, n) && scanned(t, p, c.text, c.pos, n) != c.want && m.Start < len(c.text) {
				t.Errorf("%s on %q, chunks of %d: got %s, want %s", c.pattern, c.text, n, scanned(t, p, c.text, c.pos, n), c.want)
			}
		}
	}
}

// isRune tells whether chunks of n bytes keep characters whole.
func isRune(s string, n int) bool {
	for i := 0; i < len(s); i += n {
		if s[i]&0xc0 == 0x80 {
			return false
		}
	}
	return true
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		texts []string
		text  string
		want  string
	}{
		{[]string{"END", "ENDXY"}, "aENDXY", "1-6"},
		{[]string{"END", "ENDXY"}, "aENDXZ", "1-4"},
		{[]string{"<eos>", "eos"}, "a<eos", "2-5"},
		{[]string{"<eos>", "eos"}, "a<eos>", "1-6"},
		{[]string{"aab"}, "aaaab", "2-5"},
		{[]string{"é"}, "aé", "1-3"},
		{[]string{"b", "b", "a"}, "xa", "1-2"},
	} {
		p := Literals(c.texts...)
		for n := 1; n <= len(c.text); n++ {
			if got := scanned(t, p, c.text, 0, n); got != c.want {
				t.Errorf("%q in %q, chunks of %d: got %s, want %s", c.texts, c.text, n, got, c.want)
			}
		}
	}
	if !Literals("a", "ab").Extends() || Literals("ab", "b").Extends() {
		t.Error("Extends")
	}
}

// A scan tells a match, and the first position at which one may begin, as soon
// as they are certain.
func TestScanIsEarly(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          string // what is known behind text while more may follow
	}{
		{"<end>", "a<en", "live 1"},
		{"<end>", "a<ex", "none"},
		{"<end>", "<<end>", "1-6"},
		{"<e>\\s*", "a<e>", "sure 1"},
		{"<e>\\s*", "a<e> x", "1-5"},
		{"a.*?b|c", "xacc", "live 1"},
		{"to=[^<\\s]+<", "to=x", "live 0"},
		{"to=[^<\\s]+<", "to=x ", "none"},
		{"\\s*<x>", "a  ", "live 1"},
		{"\\s*<x>", "a b", "none"},
		{"END(?!ING)", "aENDI", "live 1"},
		{"END(?!ING)", "aENDa", "1-4"},
		{"a$", "xa\n", "live 1"},
		{"a$", "xa\nb", "none"},
		{"a\\b", "a", "live 0"},
		{"x(?=y)", "x", "live 0"},
		{"a(?<=a|abc)", "a", "0-1"}, // looking back never reads on
		{"a(?<=a(?=b))", "a", "live 0"},
		{"(a|b)\\1c", "ab", "live 1"},
		{"x(?=y)", "xy", "0-1"},
	} {
		p, err := Compile(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		s := p.NewScan()
		st, err := s.Run(&Text{S: c.text, Before: -1}, len(c.text))
		got := "none"
		switch {
		case err != nil:
			got = err.Error()
		case st == Found:
			got = show(p, s.Match())
		case st == Pending && s.Sure():
			got = fmt.Sprintf("sure %d", s.Live())
		case st == Pending:
			got = fmt.Sprintf("live %d", s.Live())
		}
		if got != c.want {
			t.Errorf("%s behind %q: got %s, want %s", c.pattern, c.text, got, c.want)
		}
	}
}

// The reference's partial search, where nothing matches.
func TestPartial(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          int
	}{
		{"<end>", "a<en", 1},
		{"<end>", "a<ex", 4},
		{"^ab", "xa", 2},
		{"a\\Bbc", "a", 1}, // the end counts as no word character
		{"a$b", "a", 0},
		{"(a|b)\\1", "xa", 1},
		{"a(?!bc)d", "ab", 0}, // a negative look waits too
		{"a(?!b)x", "ac", 2},
		{"x(?=yz)", "axy", 1},
		{"a(?=.*y)b", "xabb", 1}, // the rest matches, but not what is looked at
		{"a(?=.*y)c", "xabb", 1},
		{"a(?=.y)b", "xabb", 4},
		{"(?<=a.*)c", "xabb", 4}, // looking back ends where it stands
	} {
		p, err := Compile(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.NewScan().Partial(c.text, 0); got != c.want || err != nil {
			t.Errorf("%s on %q: got %d %v, want %d", c.pattern, c.text, got, err, c.want)
		}
	}
}

// What the reference refuses, and what only this package does.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{"(", "missing ) at byte 1"},
		{"a)", "unbalanced parenthesis at byte 1"},
		{"*a", "nothing to repeat at byte 0"},
		{"a|*", "nothing to repeat at byte 2"},
		{"{2}", "nothing to repeat at byte 0"},
		{"a**", "multiple repeat at byte 2"},
		{"a{2}{3}", "multiple repeat at byte 4"},
		{"a{2,1}", "min repeat greater than max repeat at byte 2"},
		{"[a", "unterminated character set at byte 2"},
		{"[z-a]", "bad character range at byte 4"},
		{"\\q", "bad escape \\q at byte 2"},
		{"\\", "bad escape (end of pattern) at byte 1"},
		{"\\x4", "incomplete escape at byte 0"},
		{"(?P<1>a)", "bad character in group name at byte 4"},
		{"(?P=n)", "unknown group at byte 0"},
		{"(a)\\18", "invalid group reference at byte 3"},
		{"(a)(?P=2)", "invalid group reference at byte 3"},
		{"(a)(?P=0)", "bad character in group name at byte 7"},
		{"(a(?P=1))", "cannot refer to an open group at byte 2"},
		{"(?P<a)b>c)", "missing > at byte 4"},
		{"(?-)a", "bad inline flags: no flags after '-' at byte 3"},
		{"(?i-i:a)", "bad inline flags: flag turned on and off at byte 5"},
		{"(?i-s-m)a", "unknown extension at byte 1"},
		{"[\\8]", "bad escape \\8 at byte 3"},
		{"[\\L]", "bad escape \\L at byte 3"},
		{"\\2(a)", "invalid group reference at byte 0"},
		{"(?k)", "unknown extension at byte 1"},

		{"a*+", "a possessive quantifier is not supported, at byte 2"},
		{"(?>a)", "an atomic group is not supported, at byte 0"},
		{"(?|a)", "branch reset is not supported, at byte 0"},
		{"(a)(?(1)b)", "a conditional is not supported, at byte 3"},
		{"(?R)", "recursion is not supported, at byte 0"},
		{"(a)(?1)", "recursion is not supported, at byte 3"},
		{"(?:ab){e<=1}", "fuzzy matching is not supported, at byte 6"},
		{"\\p{L}", "the escape \\p is not supported, at byte 0"},
		{"a\\h", "the escape \\h is not supported, at byte 1"},
		{"a\\K", "the escape \\K is not supported, at byte 1"},
		{"[[:alpha:]]", "a POSIX class is not supported, at byte 1"},
		{"(?x)a", "the flag x is not supported, at byte 2"},
		{"^*", "a quantifier behind an assertion is not supported, at byte 1"},
		{"(?P<n>a(?P<n>b))", "a group inside a group of the same name is not supported, at byte 11"},
		{"(?:a{1000}){1000}", "a pattern of more than 20000 instructions is not supported, at byte 0"},
		{"a\xed\xa0\x80", "a lone surrogate, or text that is not UTF-8, is not supported, at byte 1"},
		{strings.Repeat("(", 300) + strings.Repeat(")", 300), "nesting deeper than 200 groups is not supported, at byte 200"},
	} {
		_, err := Compile(c.pattern)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.40s: got %v, want %s", c.pattern, err, c.want)
		}
		var refused *UnsupportedError
		if errors.As(err, &refused) != strings.Contains(c.want, "not supported") {
			t.Errorf("%.40s: %T", c.pattern, err)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, p := range []string{"a.*?b|c", "<e>\\s*", "(?P<n>a+)b$", "(a)\\1", "a(?!b)", "[^<]*<x>", "(?i)é"} {
		f.Add(p, "xaab<e> <x>ébc")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		p, err := Compile(pattern)
		if err != nil || len(text) > 100 || strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
			return
		}
		whole := scanned(t, p, text, 0, len(text)+1)
		if cut := scanned(t, p, text, 0, 1); cut != whole {
			t.Errorf("%q on %q: cut %s, whole %s", pattern, text, cut, whole)
		}
	})
}
