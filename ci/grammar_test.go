package ci

import (
	"io"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Every verb that is built says how it is used, with examples, and each example
// is a line that the command reads.
func TestHelp(t *testing.T) {
	p, err := kong.New(&grammar{})
	if err != nil {
		t.Fatal(err)
	}
	verbs := 0
	for _, node := range p.Model.Children {
		if node.Hidden {
			continue
		}
		verbs++
		_, examples, ok := strings.Cut(node.Detail, "Example")
		lines := 0
		for line := range strings.Lines(examples) {
			_, args, is := strings.Cut(line, "beamdiff ")
			if !is || !strings.HasPrefix(line, "  ") {
				continue
			}
			args, _, _ = strings.Cut(args, "   ") // what it does
			words := shellWords(args)
			if words[0] != node.Name {
				t.Errorf("%s has an example of %s", node.Name, words[0])
			}
			if _, _, err := parseArgs(words, io.Discard, io.Discard); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			lines++
		}
		if !ok || lines == 0 {
			t.Errorf("%s --help has no example", node.Name)
		}
	}
	if verbs != 7 {
		t.Errorf("%d verbs", verbs)
	}
}

// shellWords takes a line of the help apart: words, and texts in single quotes.
func shellWords(line string) (words []string) {
	for i, part := range strings.Split(strings.TrimSpace(line), "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}
