package ci

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// The line that repeats a case keeps what decides on its answers.
func TestRepeat(t *testing.T) {
	const head = goRun + " diff"
	for _, tt := range []struct{ args, want string }{
		{"", " --run x --seed 1"},
		{"--jobs 3 --format json --out o.json --all", " --run x --seed 1"},
		{"--timeout 10s --memory 2048", " --run x --seed 1"},
		{"--timeout 1m30s --memory 0", " --run x --seed 1 --timeout 1m30s --memory 0"},
		{"a.json --run a* --skip b --seed 7", " a.json --run x --seed 7"},
		{"--known k.toml --known l.toml", " --run x --seed 1 --known k.toml --known l.toml"},
		{"--checkpoint d --as beam --decide call-content=drop --today 2026-01-31",
			" --run x --seed 1 --checkpoint d --as beam --decide call-content=drop --today 2026-01-31"},
		{"--engine native --engine mine=e", " --run x --seed 1 --engine native --engine mine=e"},
		{"a.json -", " a.json - --run x --seed 1 < stdin.json  # a file with what came on standard input"},
	} {
		g, _, err := parseArgs(append([]string{"diff"}, strings.Fields(tt.args)...), io.Discard, io.Discard)
		if err != nil {
			t.Errorf("%s: %v", tt.args, err)
			continue
		}
		if got := g.Diff.repeat(goRun, "x"); got != head+tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.args, got, head+tt.want)
		}
	}
}

// The line begins as the program was started; go run leaves nothing to start.
func TestProgram(t *testing.T) {
	for name, want := range map[string]string{
		"beamdiff":                            "beamdiff",
		"./dist/beamdiff":                     "./dist/beamdiff",
		"/home/my go/beamdiff":                "'/home/my go/beamdiff'",
		"/home/go-builder":                    "/home/go-builder",
		"":                                    goRun,
		"/tmp/go-build1234/b001/exe/beamdiff": goRun,
		"/home/me/.cache/go-build/1f/" + strings.Repeat("1f", 32) + "-d/beamdiff": goRun,
		"/var/gocache/1f/" + strings.Repeat("1f", 32) + "-d/beamdiff":             goRun,
	} {
		if got := program(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// A checkpoint that the environment named is named by the line, and the line is
// one that a shell runs: it finds the difference again.
func TestRepeatRuns(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "a checkpoint")
	if err := checkpoint.Default().Write(dir); err != nil {
		t.Fatal(err)
	}
	const one = `{"id": "hello", "messages": [{"role": "user", "content": "Hello!"}], "want": {"value": "other"}}`
	stdin := filepath.Join(home, "stdin.json")
	if err := os.WriteFile(stdin, []byte(one), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	code := Main([]string{"diff", "-", "--engine", "native"}, strings.NewReader(one), &out, &errs, []string{"BEAM_MODEL_ID=" + dir})
	if code != ExitDifferences {
		t.Fatalf("exit %d\n%s%s", code, out.String(), errs.String())
	}
	found := regexp.MustCompile(`(?m)^  repeat: (.*)$`).FindStringSubmatch(out.String())
	if found == nil || !strings.Contains(found[1], " --checkpoint '"+dir+"' ") {
		t.Fatalf("the report says\n%s", out.String())
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Fatalf("NOT RUN: the line is for a shell, and there is none: %v", err)
	}
	cmd := exec.Command("sh", "-c", strings.Replace(found[1], program(os.Args[0]), "beamdiff", 1))
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "BEAM_MODEL_ID=")
	again, err := cmd.Output()
	found[0] = strings.Replace(found[0], program(os.Args[0]), "beamdiff", 1)
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != ExitDifferences || !strings.Contains(string(again), found[0]) {
		t.Errorf("%v\n%s", err, again)
	}
}
