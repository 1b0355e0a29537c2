package bench

import (
	"bytes"
	_ "embed"
	"fmt"
)

// budget.txt holds what each gated case may allocate and look at.
//
//go:embed budget.txt
var shippedBudget []byte

// ShippedBudget is the budget that is checked in (budget.txt).
func ShippedBudget() (*Results, error) { return Read(bytes.NewReader(shippedBudget), "budget.txt") }

// Overrun is a count that is not the budget's. Less is told too, so that the
// budget is kept tight.
type Overrun struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Budget float64 `json:"budget"`
	Used   float64 `json:"used"`
}

func (o Overrun) String() string {
	return fmt.Sprintf("%s: %.0f %s, the budget is %.0f", o.Name, o.Used, o.Unit, o.Budget)
}

// CheckBudget holds counts against a budget, exactly. strays are benchmarks that
// only one of the two has.
func CheckBudget(budget, counted *Results) (over []Overrun, strays []string) {
	for _, name := range counted.names() {
		known := false
		for _, unit := range Exact {
			want, got := budget.sample(name, unit), counted.sample(name, unit)
			known = known || len(want) > 0
			if len(want) > 0 && len(got) > 0 && want[0] != got[0] {
				over = append(over, Overrun{name, unit, want[0], got[0]})
			}
		}
		if !known {
			strays = append(strays, name)
		}
	}
	for _, name := range budget.names() {
		if len(counted.at(name)) == 0 {
			strays = append(strays, name)
		}
	}
	return over, strays
}

// HoldToBudget holds the counts of a run to a budget. What was not run is not
// asked for.
func HoldToBudget(budget, results *Results) *BudgetReport {
	b := &BudgetReport{Overruns: []Overrun{}}
	over, _ := CheckBudget(budget, results)
	b.Overruns = append(b.Overruns, over...)
	for _, name := range results.names() {
		if len(budget.at(name)) > 0 {
			b.Held++
		}
	}
	return b
}
