package response

import (
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony"
)

// Words split at runs of space, and lines, are each searched for once.
func TestWordsAreLinear(t *testing.T) {
	const template = `{"start_anchor":"@","fields":{"x":{"open":"<x>","content":"kv-lines","content_args":{"line_sep":SEP}}}}`
	for sep, word := range map[string]string{`null`: "word ", `"\n"`: "word\n"} {
		tpl := compileJSON(t, strings.Replace(template, "SEP", sep, 1))
		perByte := func(size int) float64 {
			p, err := tpl.NewParser(Options{Prefix: &noPrefix})
			if err != nil {
				t.Fatal(err)
			}
			reply := "<x>" + strings.Repeat(word, size/len(word))
			if _, err := p.Feed(reply); err != nil {
				t.Fatal(err)
			}
			if _, _, err := p.Finalize(harmony.Stop{}); err != nil {
				t.Fatal(err)
			}
			return float64(p.Steps()) / float64(len(reply))
		}
		if small, large := perByte(64<<10), perByte(1<<20); large > 1.05*small {
			t.Errorf("line_sep %s: %.2f steps a byte at 64 KiB, %.2f at 1 MiB", sep, small, large)
		}
	}
}
