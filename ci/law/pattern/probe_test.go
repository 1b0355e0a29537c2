package pattern

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

func TestProbe(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	type named struct {
		n string
		v value.Value
	}
	var all []named
	pub, err := fuzz.Public(context.Background(), python.Options{CacheDir: "/tmp/bdcache"})
	if err != nil {
		fmt.Println(err)
	}
	for _, p := range pub {
		all = append(all, named{p.Name, p.Spec})
	}
	for _, p := range fuzz.Templates() {
		all = append(all, named{p.Name, p.Spec})
	}
	for _, c := range corpus.Embedded() {
		if len(c.ID) > 14 && c.ID[:14] == "templates/cuts" {
			rt, _ := c.Input.Get("response_template")
			all = append(all, named{c.ID, rt})
		}
	}
	ref, err := reference.Open(context.Background(), reference.Options{Workers: 1, Python: python.Options{CacheDir: "/tmp/bdcache"}})
	if err != nil {
		t.Fatal(err)
	}
	defer ref.Close()
	for _, n := range all {
		start := time.Now()
		tm := Read(n.v)
		fmt.Println("==", n.n, tm.Unread)
		preds := tm.Predict()
		if err := tm.Confirm(context.Background(), asker{ref}, preds); err != nil {
			t.Fatal(err)
		}
		for _, c := range preds {
			fmt.Println("  ", c.Confirmed, c.Kind, c.Engine, c.Part.Path, c.Part.shown(), "|", c.Cause, "|", c.Shown)
		}
		fmt.Println("   ", time.Since(start))
	}
}

type asker struct{ e engine.Engine }

func (a asker) Ask(ctx context.Context, op engine.Op, cases []corpus.Case) ([]corpus.Outcome, error) {
	var out []corpus.Outcome
	for _, c := range cases {
		out = append(out, a.e.Do(ctx, engine.Request{Op: op, Case: c.Input}))
	}
	return out, nil
}
