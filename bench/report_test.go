package bench

import (
	"encoding/json"
	"strings"
	"testing"
)

// The three forms of a report tell the same: how many are worse beside the mean,
// which, and what the budget says.
func TestReport(t *testing.T) {
	before := resultsOf(t, "Parse/kind=a/impl=native", 3, around(100, 10)...)
	after := resultsOf(t, "Parse/kind=a/impl=native", 4, around(130, 10)...)
	budget := resultsOf(t, "Parse/kind=a/impl=native", 3, 1)
	c := Compare(before.plus(resultsOf(t, "Parse/kind=gone/impl=native", 1, 1)), after, Judging{})
	r := &Report{Comparison: c, Budget: HoldToBudget(budget, after), Note: "A note."}
	const summary = "2 of 2 comparisons worse; geometric mean of 1 time: +30.0 %; 1 of 1 counts differ; 1 benchmark on one side only"
	for form, want := range map[string][]string{
		"text": {summary + "\n", "Parse/kind=a/impl=native  allocs/op  3", "more\n", "Parse/kind=a/impl=native: 4 allocs/op, the budget is 3\n",
			"1 count not as in the budget (bench/budget.txt), of 1 benchmark\n", "A note.\n"},
		"markdown": {"> A note.\n\n**" + summary + "**\n\n| benchmark | unit |", "|---|---|--:|--:|--:|--:|---|\n| Parse/kind=a/impl=native | sec/op | ",
			"| Parse/kind=a/impl=native | allocs/op | 3 | 4 | +33.3 % |  | more |\n", "- Parse/kind=a/impl=native: 4 allocs/op, the budget is 3\n"},
	} {
		var b strings.Builder
		write := r.WriteText
		if form == "markdown" {
			write = r.WriteMarkdown
		}
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s lacks %q:\n%s", form, w, b.String())
			}
		}
	}
	var b strings.Builder
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Comparison struct {
			Regressed, Compared int
			Changes             []struct {
				Before, After, P *float64
				Verdict          string
			}
		}
		Budget struct{ Overruns []map[string]any }
	}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	changes := got.Comparison.Changes
	if got.Comparison.Regressed != 2 || got.Comparison.Compared != 2 || len(changes) != 3 || len(got.Budget.Overruns) != 1 ||
		changes[0].P == nil || changes[1].P != nil || changes[2].Before != nil || changes[2].Verdict != "only on one side" {
		t.Errorf("%s", b.String())
	}
	if !r.Worse() || (&Report{Budget: HoldToBudget(before, before)}).Worse() {
		t.Error("what is worse fails a gate, and nothing else")
	}
}

// More than before is let pass where the budget says just that.
func TestBudgetAllows(t *testing.T) {
	before, after := resultsOf(t, "A", 3, 1), resultsOf(t, "A", 5, 1)
	for budget, want := range map[int]Verdict{5: Allowed, 4: More, 6: More} {
		c := Compare(before, after, Judging{Budget: resultsOf(t, "A", budget, 1), ExactOnly: true})
		if len(c.Changes) != 1 || c.Changes[0].Verdict != want {
			t.Errorf("a budget of %d: %+v", budget, c.Changes)
		}
	}
}
