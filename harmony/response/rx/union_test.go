package rx

import "testing"

// Alternations of negated sets, and what else the regex module reads otherwise than
// it is written, with its answer.
func TestUnions(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          string
	}{
		// Neighbours are one set, also behind what all branches begin with (end with, in what
		// looks back), unless something is between them: a range is, and another flag.
		{"x[^b]|x[^;]", "xb;xa", "3-5"},
		{"(?:[^a]|[^a])|[^c]", "a", "0-1"},
		{"[^b]|[a-z]|[^;]", "b", "0-1"},
		{"(?i)[^b]|\\w|[^;]", "b", "0-1"},
		{"(?i)[^b]|\\n|[^;]", "b", "0-1"},
		{"(?=)[^b]|[^;]", "b;a", "2-3"},
		{"(?:)[^b]|[^;]", "b;a", "2-3"},
		{"(?:)*[^b]|[^;]", "b;a", "2-3"},
		{"(?<=[^b]x|[^;]x)a", "bxacxa", "5-6"},
		// Sets are the same where they are written alike.
		{"[xa-][^b]|[xa\\-][^;]", "xb", "0-2"},
		{"(?i)[^xa-][^b]|[^xa\\-][^;]", "cbc;ca", "1-3"},
		{"[xa][^b]|[ax][^;]", "xb", "0-2"},
		// The sets that a match may begin with become one, where one that ignores case makes
		// all ignore it, and what negated sets leave out is put together.
		{"(?i:b)|[^ac]", "Ad", "1-2"},
		{"(?i:;)|[^ac]", "Ad", "1-2"},
		{"(?i:;=)?[^ac]", "Ad", "0-1"},
		{"(?i:;b)?[^ac]", "Ad", "1-2"},
		{"(?i:;)+[^b]|(?i:1)*[^ac]", "Ad", "1-2"},
		{"(?i:b)|[^a-c]", "A", "0-1"},
		{"(?:[^a]|[^b])x|(?:[^c]|[^d])y", "cxby ax", "none"},
		{"(?:[^a]|[^b])x|[c-d]y", "cx", "0-2"},
		{"(?i:1)*\\W|[^ac]", "A ", "1-2"},
		{"(?:\\s|\\S)x|(?:[^c]|[^d])y|(?:[^a]|[^b])z", "cx", "0-2"},
		// What is repeated may have a comment or a flag behind it.
		{"a(?#c)+", "aaa", "0-3"},
		{"a(?i)*B", "aab", "0-3"},
		{"a(?#x\\)y)b", "ab", "0-2"},
	} {
		p, err := Compile(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		got := "none"
		if m, ok, err := p.NewScan().Search(c.text, 0); err != nil {
			got = err.Error()
		} else if ok {
			got = show(p, &m)
		}
		if got != c.want {
			t.Errorf("%s on %q: got %s, want %s", c.pattern, c.text, got, c.want)
		}
		for n := 1; n <= 3; n++ {
			if cut := scanned(t, p, c.text, 0, n); cut != c.want {
				t.Errorf("%s on %q, chunks of %d: got %s, want %s", c.pattern, c.text, n, cut, c.want)
			}
		}
	}
}
