package fuzz

import (
	"fmt"
	"hash/fnv"
	"os"
	"testing"
)

// seedOf makes a seed of a name, a number and the variable BEAMDIFF_SEED, which
// is empty in CI: other values give other inputs.
func seedOf(name string, i int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%d%s", name, i, os.Getenv("BEAMDIFF_SEED"))
	return h.Sum64()
}

// makeInput makes input i for a template: well-formed, of one construct, or
// damaged.
func makeInput(t *Template, i int) *Input {
	s := FromSeed(seedOf(t.Name, i))
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
			for i := range 3 * pairs(t) {
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
			for i := range 4 * pairs(t) {
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
