package bench

import (
	"context"
	"testing"
	"time"
)

// What takes a second on one size is not asked about a larger one, and is shown as
// missing there.
func TestRunEndless(t *testing.T) {
	var asked []int
	suite := Suite{}
	for _, size := range []int{1 << 10, 2 << 10, 4 << 10} {
		for _, impl := range []string{"slow", "fast"} {
			suite = append(suite, Case{Family: "Parse", Impl: impl, Why: "test", Size: size, Labels: []Label{{"kind", "x"}, {"size", SizeName(size)}},
				Prepare: func(*Env) (*Body, error) {
					return &Body{Time: func(n int) (time.Duration, error) {
						if impl == "fast" {
							return time.Duration(n) * time.Millisecond, nil
						}
						asked = append(asked, size)
						return time.Duration(n*size) * time.Millisecond, nil
					}}, nil
				}})
		}
	}
	results, err := (&Run{Suite: suite, Rounds: 1, Each: time.Millisecond, Turns: 1}).Run(&Env{Context: context.Background()})
	if err != nil {
		t.Fatal(err)
	}
	want := []Missing{
		{"Parse/kind=x/size=2KiB/impl=slow", "it took a second or more on 1KiB already"},
		{"Parse/kind=x/size=4KiB/impl=slow", "it took a second or more on 1KiB already"},
	}
	if len(results.Missing) != 2 || results.Missing[0] != want[0] || results.Missing[1] != want[1] || len(results.Records) != 4 {
		t.Errorf("%v missing, %d records", results.Missing, len(results.Records))
	}
	for _, size := range asked {
		if size > 1<<10 {
			t.Errorf("%s was asked", SizeName(size))
		}
	}
}
