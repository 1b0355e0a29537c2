package ci

import (
	"io"
	"strings"
	"syscall"
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
	if verbs != 14 {
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

// An argument is taken byte by byte: the name of a file need not be UTF-8.
func TestArgumentBytes(t *testing.T) {
	const name, glob = "a\xff\u00e9 ,\\.json", "b\xfe/*"
	g, _, err := parseArgs([]string{"diff", name, "--run", glob, "--checkpoint", name}, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if d := g.Diff; d.Cases[0] != name || d.Run[0] != glob || d.Checkpoint != name {
		t.Errorf("%q %q %q", d.Cases, d.Run, d.Checkpoint)
	}
	if code, _, errs := command(t, "", "render", "a\xff.json"); code != ExitUsage || !strings.Contains(errs, `a\xff.json cannot be read`) {
		t.Errorf("exit %d, %s", code, errs)
	}
	if _, _, err := parseArgs([]string{"render"}, io.Discard, io.Discard); err == nil {
		t.Error("no case was asked for")
	}
}

// fullDisk is a writer that cannot write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// What was asked for and cannot be written is no success, nor a wrong use.
func TestHelpIsNotWritten(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"diff", "--help"}, {"--version"}, {"list"}} {
		var errs strings.Builder
		if code := Main(args, strings.NewReader(""), fullDisk{}, &errs, nil); code != ExitEngine || !strings.Contains(errs.String(), "standard output: ") {
			t.Errorf("%v: exit %d, %s", args, code, errs.String())
		}
	}
}
