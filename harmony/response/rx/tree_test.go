package rx_test

import (
	"testing"

	"github.com/beamdiff/beamdiff/harmony/response/rx"
)

// What a tree writes is a pattern of the same meaning.
func TestTreeText(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{`<a>`, `<a>`},
		{`\{"name":\s*"(?P<n>[^"]+)"`, `\{"name":\s*"([^"]+)"`},
		{`(?:a|bc)*?d{2}e{3,}f{,2}`, `(?:a|bc)*?d{2}e{3,}f{0,2}`},
		{`(?=[\s\S]*?</think>)`, `(?=.*?</think>)`},
		{`x(?!y)(?<=a)(?<!b)`, `x(?!y)(?<=a)(?<!b)`},
		{`(a)\1\W\b$\Z`, `(a)\1\W\b$\Z`},
		{`a|`, `a|`},
	} {
		tree, err := rx.Parse(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := tree.String(); got != c.want {
			t.Errorf("%s is written %s, want %s", c.pattern, got, c.want)
		}
	}
}

func TestTreeWidth(t *testing.T) {
	for _, c := range []struct {
		pattern   string
		low, high int
	}{{`ab?`, 1, 2}, {`a|bcd`, 1, 3}, {`(?:ab){2,3}`, 4, 6}, {`a*`, 0, -1}, {`(?=abc)x`, 1, 1}} {
		tree, err := rx.Parse(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if low, high := tree.Width(); low != c.low || high != c.high {
			t.Errorf("%s takes %d to %d, want %d to %d", c.pattern, low, high, c.low, c.high)
		}
	}
}
