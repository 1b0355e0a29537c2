package bench_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/beamdiff/beamdiff/bench"
)

var update = flag.Bool("update", false, "rewrite budget.txt")

// What the hot paths allocate and look at is what budget.txt says: no more, and
// no less without its being told.
func TestBudget(t *testing.T) {
	counted, err := bench.Count(&bench.Env{Context: t.Context()}, all())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		var b bytes.Buffer
		if err := bench.WriteBudget(&b, counted); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("budget.txt", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	budget, err := bench.ShippedBudget()
	if err != nil {
		t.Fatal(err)
	}
	over, strays := bench.CheckBudget(budget, counted)
	for _, o := range over {
		t.Errorf("%v; if that is meant: go test ./bench -run Budget -update", o)
	}
	for _, name := range strays {
		t.Errorf("%s is on one side only; go test ./bench -run Budget -update", name)
	}
}
