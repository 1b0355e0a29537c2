package campaign_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/beamdiff/beamdiff/ci"
	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// A renderer that takes white space away is found by the first user who sends
// some; the checkpoint's own Python in its place is reference.Open.
func ExampleCampaign_Run() {
	mine := change(engine.OpRender, func(v value.Value) value.Value {
		prompt, _ := v.AsString()
		return value.String(strings.ReplaceAll(prompt, " <|end|>", "<|end|>"))
	})
	mine.Native, mine.name = newNative(), "mine"
	dir, err := os.MkdirTemp("", "campaign")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := campaign.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	c := &campaign.Campaign{
		Engines:    []engine.Engine{mine, reference()},
		Judge:      (&ci.Runner{Format: "beam", Seed: 1}).Judge(),
		Generators: []campaign.Generator{campaign.Conversations(corpus.Render, 1)},
		Seed:       1, Count: 200,
	}
	report, err := c.Run(context.Background(), store)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Println(f.Signature)
		fmt.Println("the case has", len(value.Dumps(f.Case.Input.Value())), "bytes")
	}
	// Output:
	// render, value differs, mine/reference, $, space in turns
	// the case has 48 bytes
}
