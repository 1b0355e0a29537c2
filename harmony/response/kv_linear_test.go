package response

import (
	"strings"
	"testing"
	"time"
)

// Words are split at spaces in the time that lines are: no word looks at the text
// behind it. Searching it took a hundred times as long; the best of three is compared.
func TestWordsAreLinear(t *testing.T) {
	best := func(tpl *Template, reply string) time.Duration {
		least := time.Hour
		for range 3 {
			from := time.Now()
			if _, err := tpl.Parse(reply, Options{Prefix: &noPrefix}); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(from))
		}
		return least
	}
	const template = `{"start_anchor":"@","fields":{"x":{"open":"<x>","content":"kv-lines","content_args":{"line_sep":SEP}}}}`
	words := "<x>" + strings.Repeat("word ", 1<<18)
	lines := best(compileJSON(t, strings.Replace(template, "SEP", `"\n"`, 1)), strings.ReplaceAll(words, " ", "\n"))
	if spaces := best(compileJSON(t, strings.Replace(template, "SEP", `null`, 1)), words); spaces > 20*lines {
		t.Errorf("split at spaces in %v, at lines in %v", spaces, lines)
	}
}
