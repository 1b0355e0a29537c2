package reference_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
)

var update = flag.Bool("update", false, "write the default checkpoint's hash into the cases")

// each runs f over items on as many goroutines as the reference has workers.
func each[T any](items []T, f func(int, T)) {
	next := make(chan int)
	done := make(chan struct{})
	for range 8 {
		go func() {
			for i := range next {
				f(i, items[i])
			}
			done <- struct{}{}
		}()
	}
	for i := range items {
		next <- i
	}
	close(next)
	for range 8 {
		<-done
	}
}

// Every shipped case of the default checkpoint, and every one that brings its own
// template, gives in the checkpoint's Python what it wants.
func TestCorpus(t *testing.T) {
	testCorpus(t, "", 2, 500)
}

// So does every case of the other shipped checkpoints.
func TestCorpusOfVariants(t *testing.T) {
	for _, v := range checkpoint.Variants() {
		testCorpus(t, v.Name, 1, 30)
	}
}

func testCorpus(t *testing.T, name string, workers, least int) {
	e := open(t, reference.Options{Workers: workers, Checkpoint: name})
	cases := slices.DeleteFunc(corpus.Embedded(), func(c corpus.Case) bool { return c.Checkpoint != name || c.Want == nil })
	faults := make([]string, len(cases))
	each(cases, func(i int, c corpus.Case) {
		faults[i] = reference.Differs(&c, reference.Ask(t.Context(), e, &c, c.Input))
	})
	for i, fault := range faults {
		if fault != "" {
			t.Errorf("%s:\n%s", cases[i].ID, fault)
		}
	}
	if len(cases) < least {
		t.Errorf("only %d cases of %q were run", len(cases), name)
	}
}

// An undocumented want holds for the default checkpoint as it is. After a change
// of the checkpoint, run TestCorpus, put its wants right, and then this test
// with -update.
func TestCorpusHash(t *testing.T) {
	hash := checkpoint.Default().Hash()
	stale := map[string]bool{}
	for _, c := range corpus.Embedded() {
		if c.Domain == corpus.Undocumented && c.Checkpoint == "" && c.CheckpointHash != hash && c.CheckpointHash != "" {
			stale[c.CheckpointHash] = true
			if !*update {
				t.Errorf("%s holds for the checkpoint %s; the default one is now %s", c.ID, c.CheckpointHash, hash)
			}
		}
	}
	if !*update {
		return
	}
	for _, suite := range []string{"documentation", "decisions", "library", "bugs", "tokens", "regressions"} {
		files, err := os.ReadDir("../corpus/" + suite)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			name := "../corpus/" + suite + "/" + f.Name()
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			for old := range stale {
				text = strings.ReplaceAll(text, old, hash)
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// decision is a decision of the checkpoint's README and the name that cases
// know it by.
type decision struct {
	Name string `toml:"name"`
	Text string `toml:"text"` // words of its row or bullet, or of another sentence
}

// checkDecisions holds the names against the README and the cases: it gives
// what is wrong.
func checkDecisions(readme string, decisions []decision, cases []corpus.Case) []string {
	var faults []string
	used := map[string]bool{}
	for _, c := range cases {
		if c.Decision != "" {
			used[c.Decision] = true
			if !slices.ContainsFunc(decisions, func(d decision) bool { return d.Name == c.Decision }) {
				faults = append(faults, c.ID+": no decision is called "+c.Decision)
			}
		}
	}
	lines := decided(readme)
	named := make([]bool, len(lines))
	for _, d := range decisions {
		if !used[d.Name] {
			faults = append(faults, d.Name+": no case depends on it")
		}
		at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, d.Text) })
		if at >= 0 {
			named[at] = true
		} else if !strings.Contains(readme, d.Text) {
			faults = append(faults, d.Name+": the README does not say "+d.Text)
		}
	}
	for i, line := range lines {
		if !named[i] {
			faults = append(faults, "no name for: "+line)
		}
	}
	return faults
}

// decided gives the rows and bullets of the README that decide something: those
// of a table of names, such as the tokenizers', do not.
func decided(readme string) []string {
	var lines []string
	names := false
	for line := range strings.Lines(strings.ReplaceAll(readme, "\n  ", " ")) {
		row := strings.HasPrefix(line, "| ")
		names = (names || strings.HasPrefix(line, "| name |")) && strings.HasPrefix(line, "|")
		if strings.HasPrefix(line, "- ") || row && !names && !strings.HasPrefix(line, "| decision") && !strings.HasPrefix(line, "| question") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

func readDecisions(t *testing.T) (string, []decision) {
	t.Helper()
	readme, err := os.ReadFile("checkpoint/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Decision []decision `toml:"decision"`
	}
	if _, err := toml.DecodeFile("../corpus/decisions/decisions.toml", &file); err != nil {
		t.Fatal(err)
	}
	return string(readme), file.Decision
}

// Every decision of the README has a name and a case, and every name that a
// case gives is one.
func TestDecisions(t *testing.T) {
	readme, decisions := readDecisions(t)
	for _, fault := range checkDecisions(readme, decisions, corpus.Embedded()) {
		t.Error(fault)
	}
	if n := len(decided(readme)); n < 38 {
		t.Errorf("only %d rows and bullets were found", n)
	}
}

func TestDecisionsPlanted(t *testing.T) {
	readme, decisions := readDecisions(t)
	cases := corpus.Embedded()
	for name, faults := range map[string][]string{
		"a new row":    checkDecisions(readme+"\n| `new` | why |\n", decisions, cases),
		"a new bullet": checkDecisions(readme+"\n- New.\n", decisions, cases),
		"a row less":   checkDecisions(strings.Replace(readme, "| `content-parts`", "`content-parts`", 1), decisions, cases),
		"a new name":   checkDecisions(readme, append(slices.Clone(decisions), decision{"x", "`content-parts`"}), cases),
		"a name less":  checkDecisions(readme, decisions[1:], cases),
		"a wrong name": checkDecisions(readme, decisions, append(cases, corpus.Case{ID: "x", Decision: "y"})),
	} {
		if len(faults) == 0 {
			t.Errorf("%s: not seen", name)
		}
	}
}
