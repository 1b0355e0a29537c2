package bench_test

import (
	"testing"

	"github.com/beamdiff/beamdiff/bench"
)

// sideOf builds the working tree.
func sideOf(t *testing.T, name string, more ...string) bench.Side {
	s, err := bench.BuildTree(t.Context(), name, "..", t.TempDir(), more...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// few are some native cases: one kind, whole and streamed, and one that nothing is
// planted in.
func few(t *testing.T) bench.Suite {
	s, err := bench.Default().Select([]string{"Parse/kind=ordinary/size=64KiB/cut=4/impl=native", "Parse/kind=calls/size=64KiB/cut=whole/impl=native", "Scan/kind=markers/size=64KiB/impl=native"})
	if err != nil || len(s) != 3 {
		t.Fatal(len(s), err)
	}
	return s
}

// A slow-down of a fifth and one allocation, planted in the reader (plant.go),
// are found, each by its name, by the gate as beamdiff bench --base has it; and in
// what nothing was planted in nothing is.
func TestPlanted(t *testing.T) {
	a := &bench.Alternate{A: sideOf(t, "before"), B: sideOf(t, "planted", "-tags", "planted"), Cases: few(t)}
	budget, err := bench.ShippedBudget()
	if err != nil {
		t.Fatal(err)
	}
	c, _, _, err := a.Gate(t.Context(), bench.Judging{Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bench.Verdict{}
	for _, change := range c.Changes {
		got[change.Name+" "+change.Unit] = change.Verdict
		t.Logf("%s %s: %.3g, %.3g, p=%.2g: %v", change.Name, change.Unit, change.Old, change.New, change.P, change.Verdict)
	}
	for _, cs := range a.Cases[:2] {
		if got[cs.Name()+" "+bench.UnitAllocs] != bench.More {
			t.Errorf("the allocation in %s was not found", cs.Name())
		}
		if got[cs.Name()+" cpu-sec/op"] != bench.Slower && got[cs.Name()+" sec/op"] != bench.Slower {
			t.Errorf("the slow-down in %s was not found", cs.Name())
		}
	}
	for key, verdict := range got {
		if name := a.Cases[2].Name(); len(key) > len(name) && key[:len(name)] == name && verdict.Regressed() {
			t.Errorf("%s: %v, though nothing was planted there", key, verdict)
		}
	}
}
