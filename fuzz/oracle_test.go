package fuzz

import (
	"testing"

	"github.com/beamdiff/beamdiff/fuzz/suite"
)

// makeInput makes input i for a template: well-formed, of one construct, or
// damaged.
func makeInput(t *Template, i int) *Input {
	s := FromSeed(suite.Seed(t.Name, i))
	var in *Input
	if i%4 == 3 {
		in = GenerateOne(s, t)
	} else {
		in = Generate(s, t)
	}
	if i%4 == 1 || i%8 == 3 || i%8 == 6 {
		Mutate(s, in)
	}
	in.Cut = CutOf(s, in)
	return in
}

func TestLaws(t *testing.T) {
	for _, template := range Templates() {
		t.Run(template.Name, func(t *testing.T) {
			t.Parallel()
			bad := 0
			for i := range 3 * suite.Pairs(t) {
				in := makeInput(template, i)
				if v := Check(Native, in, in.Cut, ByteCut(FromSeed(uint64(i)), in)); v != nil {
					t.Error(v)
					if bad++; bad == 3 {
						break
					}
				}
			}
		})
	}
}

// Nothing inside a region is lost either.
func TestNothingInsideIsLost(t *testing.T) {
	for _, template := range Templates() {
		t.Run(template.Name, func(t *testing.T) {
			t.Parallel()
			bad := 0
			for i := range 4 * suite.Pairs(t) {
				in := makeInput(template, i)
				if !PlantToken(FromSeed(uint64(i)), in) {
					continue
				}
				if v := Guard(CheckInside)(Native, in); v != nil {
					t.Error(v)
					if bad++; bad == 3 {
						break
					}
				}
			}
		})
	}
}
