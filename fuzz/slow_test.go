package fuzz

import (
	"testing"

	"github.com/beamdiff/beamdiff/fuzz/suite"
)

// TestDelivery asks the slow oracle of short replies for every template.
func TestDelivery(t *testing.T) {
	asked := 0
	for _, template := range Templates() {
		t.Run(template.Name, func(t *testing.T) {
			for i, done := 0, 0; done < 6; i++ {
				in := makeInput(template, i)
				if len(in.Reply) == 0 || len(in.Reply) > 120 {
					continue
				}
				done++
				asked++
				if v := Guard(CheckDelivery)(Native, in); v != nil {
					t.Error(v)
					break
				}
			}
		})
	}
	if asked < 100 {
		t.Errorf("the oracle of delivery saw %d replies", asked)
	}
}

func TestSteps(t *testing.T) {
	for _, template := range Templates() {
		t.Run(template.Name, func(t *testing.T) {
			for i := range suite.Pairs(t) / 10 {
				if v := Guard(CheckSteps)(Native, makeInput(template, i)); v != nil {
					t.Error(v)
					break
				}
			}
		})
	}
}
