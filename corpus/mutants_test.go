package corpus

import (
	"fmt"
	"slices"
	"testing"
)

// checkMutants holds the table of mutants against the documentation suite and
// gives what is wrong with it. That the kills are true is for the reference to
// say: package reference runs them.
func checkMutants(f mutantsFile, cases []Case) []string {
	var faults []string
	fail := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	suite := map[string]bool{}
	for _, c := range cases {
		if c.Suite == "documentation" {
			suite[c.ID] = true
		}
	}
	alone := map[string]bool{}
	together := map[[2]string]bool{} // pairs that some mutant is killed by
	ids := map[string]bool{}
	for _, m := range f.Mutant {
		name := m.Template + " " + m.ID
		if ids[name] || m.ID == "" || m.Template != "chat_template" && m.Template != "response_template" {
			fail("mutant %s: its name stands twice or is none", name)
		}
		ids[name] = true
		if len(m.Kills) == 0 {
			fail("mutant %s: no case kills it", name)
		}
		if len(m.Kills) == 1 {
			alone[m.Kills[0]] = true
		}
		for i, a := range m.Kills {
			if !suite[a] || slices.Contains(m.Kills[:i], a) {
				fail("mutant %s: %s is no case, or stands twice", name, a)
			}
			for _, b := range m.Kills {
				together[[2]string{a, b}] = true
			}
		}
	}
	for id := range suite {
		short := id[len("documentation/"):]
		other, shares := f.Shares[short]
		switch why, beyond := f.Beyond[short]; {
		case alone[id] && !shares && !beyond:
		case shares && !alone[id] && !beyond && together[[2]string{id, "documentation/" + other}]:
		case beyond && why != "" && !alone[id] && !shares && !together[[2]string{id, id}]:
		default:
			fail("case %s: kills no mutant alone and names no case that it shares one with, or both", id)
		}
	}
	for id := range f.Shares {
		if !suite["documentation/"+id] {
			fail("shares: %s is no case", id)
		}
	}
	for id := range f.Beyond {
		if !suite["documentation/"+id] {
			fail("beyond: %s is no case", id)
		}
	}
	return faults
}

func TestMutants(t *testing.T) {
	f, err := mutants()
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range checkMutants(f, Embedded()) {
		t.Error(fault)
	}
	if len(f.Beyond) > 1 {
		t.Errorf("%d cases are beyond every mutant", len(f.Beyond))
	}
}

// The check sees each kind of fault, planted one at a time.
func TestMutantsPlanted(t *testing.T) {
	whole, err := mutants()
	if err != nil {
		t.Fatal(err)
	}
	cases := Embedded()
	one := slices.IndexFunc(whole.Mutant, func(m Mutant) bool { return len(m.Kills) == 1 && m.ID == "low" })
	for name, change := range map[string]func(*mutantsFile){
		"a case that is none":     func(f *mutantsFile) { f.Mutant[one].Kills = []string{"documentation/x"} },
		"no case":                 func(f *mutantsFile) { f.Mutant[one].Kills = nil },
		"another case":            func(f *mutantsFile) { f.Mutant[one].Kills = []string{"documentation/effort/max"} },
		"a mutant less":           func(f *mutantsFile) { f.Mutant = slices.Delete(f.Mutant, one, one+1) },
		"a mutant twice":          func(f *mutantsFile) { f.Mutant = append(f.Mutant, f.Mutant[one]) },
		"a share that is none":    func(f *mutantsFile) { f.Shares["effort/high"] = "parse/answer" },
		"a share that is useless": func(f *mutantsFile) { f.Shares["effort/low"] = "effort/high" },
		"a share of no case":      func(f *mutantsFile) { f.Shares["x"] = "effort/high" },
		"beyond without need":     func(f *mutantsFile) { f.Beyond["effort/low"] = "why" },
		"beyond without a reason": func(f *mutantsFile) { f.Beyond["parse/no-prefix"] = "" },
	} {
		f := mutantsFile{Mutant: slices.Clone(whole.Mutant), Shares: map[string]string{}, Beyond: map[string]string{}}
		for k, v := range whole.Shares {
			f.Shares[k] = v
		}
		for k, v := range whole.Beyond {
			f.Beyond[k] = v
		}
		change(&f)
		if len(checkMutants(f, cases)) == 0 {
			t.Errorf("%s: not seen", name)
		}
	}
}

func TestMutantApply(t *testing.T) {
	m := Mutant{ID: "x", Template: "chat_template", Search: "a", Replace: "b"}
	if got, err := m.Apply("cad"); got != "cbd" || err != nil {
		t.Error(got, err)
	}
	for _, text := range []string{"cd", "aa"} {
		if _, err := m.Apply(text); err == nil {
			t.Errorf("Apply(%q) gives no error", text)
		}
	}
}
