package law

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	py "github.com/beamdiff/beamdiff/reference/python"
)

func TestReplyProbe(t *testing.T) {
	for _, name := range strings.Fields(os.Getenv("PROBE")) {
		start := time.Now()
		ctx := context.Background()
		r := reference.Recipes().Find(name)
		dir := name
		var err error
		if r != nil {
			if dir, err = reference.Assemble(ctx, r, py.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		c, err := checkpoint.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		e, err := reference.Open(ctx, reference.Options{Checkpoint: dir, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		s, err := Of(e, c)
		if err != nil {
			t.Fatal(err)
		}
		_, un, _ := turns(ctx, s)
		rep, err := Check(ctx, s, ReplyLaws())
		fmt.Println("=====", name, time.Since(start), err, rep.NotChecked, "unaligned", un)
		for _, x := range rep.Rules {
			fmt.Println("  ", x.ID, x.Asked, x.Held)
		}
		for _, f := range rep.Findings {
			fmt.Printf("  %s %s %d %v | %s\n", f.Rule, f.Level, len(f.Cases), f.Cases[:min(3, len(f.Cases))], f.Message)
			if os.Getenv("V") != "" || !strings.HasPrefix(f.Rule, "reply/streams") && !strings.HasPrefix(f.Rule, "reply/linear") {
				for _, side := range f.Smallest.Sides {
					fmt.Printf("        %s: %.300s\n", side.Name, side.Text)
				}
			}
		}
		e.Close()
	}
}
