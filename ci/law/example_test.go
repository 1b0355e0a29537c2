package law_test

import (
	"context"
	"fmt"

	"github.com/beamdiff/beamdiff/ci/law"
	"github.com/beamdiff/beamdiff/reference/checkpoint"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// The default checkpoint, asked through native Go. With reference.Open in its
// place it is the checkpoint's own Python that answers, and findings name lines of
// the template.
func ExampleCheck() {
	c := checkpoint.Default()
	s, err := law.Of(engine.NewNative(c, engine.NativeOptions{}), c)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := law.Check(context.Background(), s, law.RenderLaws())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range r.Rules[:2] {
		fmt.Printf("%s: held %d times of %d\n", rule.ID, rule.Held, rule.Asked)
	}
	for _, f := range r.Findings {
		if f.Rule == "render/nothing-lost" {
			fmt.Println(f.Level, f.Message, f.Cases)
		}
	}
	fmt.Println(r.NotChecked)
	// Output:
	// render/renders: held 118 times of 118
	// render/repeatable: held 14 times of 14
	// warning system-last: messages[1].content is not in the prompt, and nothing says so [check/system-late/2 check/system-last/2]
	// warning developer-late: messages[2].content is not in the prompt, and nothing says so [check/developer-late/2]
	// [render/unprepared could not be asked: the engine takes no chat template but its own]
}
