package decide

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// readmeDecisions reads the table of decisions from the default checkpoint's
// README.
func readmeDecisions(text string) []Decision {
	_, text, _ = strings.Cut(text, "\n## Rendering\n")
	text, _, _ = strings.Cut(text, "\n## ")
	code := regexp.MustCompile("`([^`]+)`")
	var list []Decision
	for _, line := range strings.Split(text, "\n") {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if len(cells) != 7 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		d := Decision{Name: strings.Trim(cells[1], " `"), Question: strings.TrimSpace(cells[2])}
		for _, choice := range append([]string{cells[3]}, strings.Split(cells[5], ";")...) {
			d.Choices = append(d.Choices, code.FindStringSubmatch(choice)[1])
		}
		list = append(list, d)
	}
	return list
}

func sameDecision(a, b Decision) bool {
	return a.Name == b.Name && a.Question == b.Question && slices.Equal(a.Choices, b.Choices)
}

func TestOfTheREADME(t *testing.T) {
	readme, err := os.ReadFile("../../../reference/checkpoint/README.md")
	if err != nil {
		t.Fatal(err)
	}
	want := readmeDecisions(string(readme))
	if got := All(); !slices.EqualFunc(got, want, sameDecision) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	// The comparison sees a choice that the README does not have.
	planted := strings.Replace(string(readme), "| `lines`", "| `line`", 1)
	planted = strings.Replace(planted, "`lines`", "`line`", 1)
	if slices.EqualFunc(All(), readmeDecisions(planted), sameDecision) {
		t.Error("a planted fault in the README is not seen")
	}
}

func TestSettings(t *testing.T) {
	var d Decisions
	if len(d.Settings()) != 0 {
		t.Errorf("the zero value sets %q", d.Settings())
	}
	for _, row := range All() {
		for k, choice := range row.Choices {
			if err := d.Set(row.Name + "=" + choice); err != nil {
				t.Fatal(err)
			}
			if got := d.Choice(row.Name); got != choice || slices.Contains(d.Settings(), row.Name+"="+choice) != (k > 0) {
				t.Errorf("%s=%s gives %s, %q", row.Name, choice, got, d.Settings())
			}
		}
	}
	for setting, want := range map[string]string{
		"content-parts=x": "content-parts=x: no such choice; content-parts is one of: join, lines, refuse",
		"content-parts":   "content-parts: no such choice; content-parts is one of: join, lines, refuse",
		"x=y":             "x=y: no such decision; use NAME=CHOICE with one of: content-parts, other-parts,",
	} {
		err := d.Set(setting)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", setting, err)
		}
	}
	broken := Decisions{EmptyTurn: 9}
	if got := broken.Choice("empty-turn"); got != "9" {
		t.Errorf("a choice that does not exist is named %q", got)
	}
}
