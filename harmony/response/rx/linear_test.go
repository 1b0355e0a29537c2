package rx

import (
	"strings"
	"testing"
)

// What compiling takes grows as the pattern does, counted in steps.
func TestCompileIsLinear(t *testing.T) {
	for _, unit := range []string{
		`\g<`, `\g<name`, "(?P<", "[:", "{", "{1,", "{e", "{1i+1d,", `[^b]|`, `x[^b]|`, "[^b]x|", "abc|", "(a)(?P=1)", `(?i:\w)`, "(?#c)", `(?#\)`,
		"(?:a|b)", "(?:ab|ac)|", "(?=)", "(?:)*", "a?", `[\d\s]`, "(?<=ab|cb)", "(?i:k)|", `\x41`, "a{2}", "(?", "[a-", "a(?#c)+",
	} {
		const times = 500
		var steps [2]int
		for i, n := range []int{times, 4 * times} {
			src := strings.Repeat(unit, n)
			_, _ = counted(src, &steps[i])
			if most := 20 * len(src); steps[i] > most {
				t.Errorf("%d times %s: %d steps, more than %d", n, unit, steps[i], most)
			}
		}
		if steps[0] == 0 || steps[1] > 4*steps[0]+100 {
			t.Errorf("%s: %d steps, and %d for four times as much", unit, steps[0], steps[1])
		}
	}
}
