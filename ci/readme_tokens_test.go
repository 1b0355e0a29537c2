package ci

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/harmony/token"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

// What the README says of one case at a time, and of token ids, is so: its lines
// can be run as they stand, and in this build what takes an encoder ends as the
// table says.
func TestREADMETokens(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^    echo '(.*)' \| go run \./ci/beamdiff (.*)$`).FindAllStringSubmatch(string(data), -1)
	ids := 0
	for _, line := range lines {
		code, out, errs := command(t, line[1], strings.Fields(line[2])...)
		if code != ExitSame || out == "" {
			t.Errorf("%s: exit %d\n%s%s", line[0], code, out, errs)
		}
		if strings.Contains(out, `"input_ids": [563, `) {
			ids++
		}
	}
	if len(lines) < 6 || ids != 2 {
		t.Errorf("%d lines to run, %d with token ids", len(lines), ids)
	}

	column := 3 // with the tag
	var without *token.NoEncoderError
	if _, err := token.NewEncoder(checkpoint.Default().Tokenizer); errors.As(err, &without) {
		column = 2
	}
	for row, run := range map[string]struct{ stdin, verb, flag string }{
		"`parse` of `reply_ids`, `prefix_ids`; `parse --ids`": {"[564,370,267,566,87,569]", "parse", "--ids"},
		"`render --tokens`, `mask --tokens`":                  {`{"messages":[{"role":"user","content":"Hi"}]}`, "render", "--tokens"},
	} {
		_, rest, ok := strings.Cut(string(data), "\n| "+row+" |")
		cells := strings.Split(rest, "|")
		if !ok || len(cells) < 3 {
			t.Errorf("the README has no row %s", row)
			continue
		}
		want := map[string]int{"yes": ExitSame, "exit code 3, and says how to get it": ExitEngine}
		says := strings.TrimSpace(cells[column-2])
		code, _, errs := command(t, run.stdin, run.verb, run.flag, "-")
		if expected, known := want[says]; !known || code != expected || code == ExitEngine && !strings.Contains(errs, "scripts/tokenizers") {
			t.Errorf("%s: the README says %q, and it exits %d\n%s", row, says, code, errs)
		}
	}
}
