package corpus

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// rule is a sentence, a warning, a table row or an example of the page.
type rule struct {
	Line  int      `toml:"line"`
	Text  string   `toml:"text"`  // words that stand on the line
	Cases []string `toml:"cases"` // ids without "documentation/"
}

// checkRules holds a list of rules against the page and the cases: it gives what
// is wrong.
func checkRules(page string, rules []rule, prose []int, cases []Case) []string {
	var faults []string
	fail := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	lines := strings.Split(page, "\n")
	source := map[string]string{}
	for _, c := range cases {
		if c.Suite == "documentation" {
			source[strings.TrimPrefix(c.ID, "documentation/")] = c.Source
		}
	}
	listed := map[string]bool{}
	ruled := map[int]bool{}
	for _, r := range rules {
		ruled[r.Line] = true
		if r.Line < 1 || r.Line > len(lines) || !strings.Contains(lines[r.Line-1], r.Text) {
			fail("rule %d: %q does not stand on that line", r.Line, r.Text)
		}
		if len(r.Cases) == 0 {
			fail("rule %d: no case proves %q", r.Line, r.Text)
		}
		for _, id := range r.Cases {
			if want := fmt.Sprintf("beam-harmony-format.md:%d", r.Line); source[id] != want {
				fail("rule %d: case %s has the source %q", r.Line, id, source[id])
			}
			if listed[id] {
				fail("rule %d: case %s stands at two rules", r.Line, id)
			}
			listed[id] = true
		}
	}
	for id := range source {
		if !listed[id] {
			fail("case %s proves no rule", id)
		}
	}
	code := false
	for i, line := range lines {
		switch {
		case fence.MatchString(line) || strings.TrimSpace(line) == "```":
			code = !code
		case code || strings.TrimSpace(line) == "":
		case ruled[i+1] == slices.Contains(prose, i+1):
			fail("line %d is neither a rule nor prose, or both: %s", i+1, line)
		}
	}
	return faults
}

func readRules(t *testing.T) (rules []rule, prose []int) {
	t.Helper()
	data, err := os.ReadFile("documentation/rules.toml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Rule  []rule `toml:"rule"`
		Prose []int  `toml:"prose"`
	}
	meta, err := toml.Decode(string(data), &file)
	if err != nil || len(meta.Undecoded()) > 0 {
		t.Fatal(err, meta.Undecoded())
	}
	return file.Rule, file.Prose
}

// Every line of the page is prose or has a rule, every rule has a case, and
// every case of the documentation proves a rule.
func TestRules(t *testing.T) {
	rules, prose := readRules(t)
	for _, fault := range checkRules(Page, rules, prose, Embedded()) {
		t.Error(fault)
	}
	if len(rules) < 100 {
		t.Errorf("only %d rules", len(rules))
	}
}

// The check sees each kind of fault, planted one at a time.
func TestRulesPlanted(t *testing.T) {
	rules, prose := readRules(t)
	cases := Embedded()
	for name, plant := range map[string]func() []string{
		"words of another line": func() []string {
			r := slices.Clone(rules)
			r[0].Line++
			return checkRules(Page, r, prose, cases)
		},
		"no case": func() []string {
			r := slices.Clone(rules)
			r[3].Cases = nil
			return checkRules(Page, r, prose, cases)
		},
		"a rule is missing": func() []string { return checkRules(Page, rules[1:], prose, cases) },
		"a line of the page is new": func() []string {
			return checkRules(Page+"\n* One more rule.", rules, prose, cases)
		},
		"a case is missing": func() []string {
			i := slices.IndexFunc(cases, func(c Case) bool { return c.Suite == "documentation" })
			return checkRules(Page, rules, prose, slices.Delete(slices.Clone(cases), i, i+1))
		},
		"a case proves nothing": func() []string {
			return checkRules(Page, rules, prose, append(slices.Clone(cases), Case{ID: "documentation/new", Suite: "documentation"}))
		},
		"prose and rule": func() []string { return checkRules(Page, rules, append(slices.Clone(prose), 16), cases) },
	} {
		if len(plant()) == 0 {
			t.Errorf("%s: not seen", name)
		}
	}
}
