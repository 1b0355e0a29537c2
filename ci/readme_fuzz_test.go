package ci

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/corpus"
)

// The README's lines on fuzzing can be run as they stand, one after the other:
// the campaign meets the edited checkpoint, and what it finds goes through the
// other verbs.
func TestREADMEFuzz(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	edited(t)
	if err := os.WriteFile("case.json", []byte(`{"messages": [{"role": "system", "content": "Be kind."}, {"role": "user"}], "reasoning_effort": "medium"}`), 0o644); err != nil {
		t.Fatal(err)
	}

	codes := map[string]int{"fuzz": ExitDifferences, "replay": ExitDifferences, "minimize": ExitSame, "promote": ExitSame}
	for _, line := range regexp.MustCompile(`(?m)^    go run \./ci/beamdiff (fuzz|replay|minimize|promote) (.*)$`).FindAllStringSubmatch(string(data), -1) {
		verb := line[1]
		args := []string{verb}
		text, _, _ := strings.Cut(line[2], " #")
		for _, arg := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(text, -1) {
			if paths, _ := filepath.Glob(arg); len(paths) > 0 { // as the shell does
				args = append(args, paths...)
				continue
			}
			args = append(args, strings.Trim(arg, "'"))
		}
		if verb == "fuzz" {
			args = append(args, "--unguided") // the same, without building the program again
		}
		code, out, errs := command(t, "", args...)
		want, ok := codes[verb]
		if !ok || code != want || out == "" {
			t.Errorf("%q: exit %d\n%s%s", args, code, out, errs)
		}
		delete(codes, verb)
	}
	if len(codes) > 0 {
		t.Fatalf("the README has no line for each of %v, or two", codes)
	}

	promoted, err := os.ReadFile("mine/effort.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID   string
		Want struct{ Value string }
	}
	if err := json.Unmarshal(promoted, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 1 || cases[0].ID != "mine/effort/medium" || !strings.Contains(cases[0].Want.Value, "Reasoning effort: 64") {
		t.Errorf("promoted %s", promoted)
	}
	if _, err := corpus.Load(nil, "mine"); err != nil {
		t.Error(err)
	}
	// Once the template is mended, the case is compared with it, and holds.
	if code, out, errs := command(t, "", "diff", "mine"); code != ExitSame || strings.Contains(out, "not compared: mine") {
		t.Errorf("the promoted case, with the default checkpoint: exit %d\n%s%s", code, out, errs)
	}
}
