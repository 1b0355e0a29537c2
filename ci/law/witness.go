package law

import (
	"fmt"
	"unicode/utf8"

	"github.com/beamdiff/beamdiff/ci/report"
)

// around is a witness that shows a prompt around a byte.
func around(what, prompt string, at int) report.Witness {
	from, to := cut(prompt, at-60), cut(prompt, at+60)
	return report.Witness{At: fmt.Sprintf("%s, byte %d", what, at), Sides: []report.Side{{Name: "prompt", Text: prompt[from:to]}}}
}

// cut is the next byte from at on, within the text, at which a character begins.
func cut(text string, at int) int {
	at = min(max(at, 0), len(text))
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

// common is how many bytes two texts have in common at their start, whole
// characters of the first.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// window is a text around a byte.
func window(text string, at int) string { return text[cut(text, at-40):cut(text, at+80)] }
