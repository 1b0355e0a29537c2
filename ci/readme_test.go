package ci

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference"
)

// What the README shows, the command prints. go test ./ci -run README -update
// brings it up to date.
func TestREADME(t *testing.T) {
	const readme = "../README.md"
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)

	t.Run("main job", func(t *testing.T) {
		code, out, errs := command(t, "", "diff")
		if code != ExitSame {
			t.Fatalf("exit %d\n%s%s", code, out, errs)
		}
		parts := strings.Split(out, "\n\n") // the first tells versions of this machine
		table, end := parts[1], parts[len(parts)-1]
		text = shows(t, text, "  cases  same", table+"\n\n"+end)
		for name, n := range defaultSuites() {
			if !regexp.MustCompile(`(?m)^ +` + itoa(n) + ` .* ` + name + `$`).MatchString(table) {
				t.Errorf("the table does not have %d cases of %s:\n%s", n, name, table)
			}
		}
	})

	t.Run("difference", func(t *testing.T) {
		edited(t)
		const id = "documentation/effort/medium"
		code, out, errs := command(t, "", "diff", "--checkpoint", "./edited", "--run", id)
		_, block, ok := strings.Cut(out, "\n"+id+"\n")
		if code != ExitDifferences || !ok {
			t.Fatalf("exit %d\n%s%s", code, out, errs)
		}
		block, _, _ = strings.Cut(block, "\n\n")
		text = shows(t, text, "$ go run ./ci/beamdiff diff --checkpoint ./edited",
			"$ go run ./ci/beamdiff diff --checkpoint ./edited\n"+id+"\n"+block+"\n")
	})

	t.Run("library", func(t *testing.T) {
		example, err := os.ReadFile("../harmony/example_test.go")
		if err != nil {
			t.Fatal(err)
		}
		_, code, _ := strings.Cut(string(example), "\n\ttemplate, err := ")
		code, _, ok := strings.Cut("\ttemplate, err := "+code, "\n\n")
		if !ok {
			t.Fatal("the example has no such lines")
		}
		text = shows(t, text, "template, err := ", regexp.MustCompile(`(?m)^\t`).ReplaceAllString(code, "")+"\n")
	})

	t.Run("public checkpoints", func(t *testing.T) {
		n := 0
		for _, r := range reference.Recipes().Recipes {
			if r.Of == "" { // a training variant counts with the checkpoint that it is of
				n++
			}
		}
		if !strings.Contains(text, itoa(n)+" of them") {
			t.Errorf("there are %d public checkpoints, and the README says otherwise", n)
		}
	})

	if *update && text != string(data) {
		if err := os.WriteFile(readme, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// edited goes to a folder that has the README's edited checkpoint.
func edited(t *testing.T) {
	t.Helper()
	dir := plant(t, "chat_template.jinja", "'medium': 64", "'medium': 96")
	t.Chdir(filepath.Dir(dir))
	if err := os.Rename(dir, "edited"); err != nil {
		t.Fatal(err)
	}
}

// shows checks that the README's fenced block with this beginning is just this
// text. Under -update it puts the text there.
func shows(t *testing.T, readme, beginning, text string) string {
	t.Helper()
	start := strings.Index(readme, "\n"+beginning) + 1
	end := strings.Index(readme[start:], "```")
	if start == 0 || end < 0 {
		t.Errorf("the README has no block that begins with %q", beginning)
		return readme
	}
	end += start
	if readme[start:end] != text && !*update {
		t.Errorf("the README shows\n%s\nand now it is\n%s\n(go test ./ci -run README -update)", readme[start:end], text)
	}
	return readme[:start] + text + readme[end:]
}

// defaultSuites counts the cases of each suite that name no checkpoint.
func defaultSuites() map[string]int {
	suites := map[string]int{}
	for _, c := range corpus.Embedded() {
		if c.Checkpoint == "" {
			suites[c.Suite]++
		}
	}
	return suites
}
