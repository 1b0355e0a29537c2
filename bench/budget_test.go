package bench_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/beamdiff/beamdiff/bench"
)

var update = flag.Bool("update", false, "rewrite budget.txt")

// What the hot paths allocate and look at is what budget.txt says: no more, and
// no less without its being told.
func TestBudget(t *testing.T) {
	counted := &bench.Results{}
	for _, c := range all().Gated() {
		body, err := c.Prepare(&bench.Env{Context: t.Context()})
		if err != nil {
			t.Fatalf("%s: %v", c.Name(), err)
		}
		values, err := bench.Counted(c, body)
		if err != nil {
			t.Fatal(err)
		}
		counted.Records = append(counted.Records, &benchfmt.Result{Name: benchfmt.Name(c.Name()), Iters: 1, Values: values})
	}
	if *update {
		var b bytes.Buffer
		b.WriteString("# What the gated cases may allocate and look at, exactly. Written by go test ./bench -run Budget -update\n")
		if err := counted.Write(&b, nil); err != nil {
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
