// Package suite is what the tests of generated inputs share: how many there are,
// from which seeds, and the reference that they are compared with.
package suite

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"testing"

	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Pairs is how many inputs each template, or each suite, is tried with: 150, or
// what the variable BEAMDIFF_PAIRS says, which is 3000 at night.
func Pairs(t testing.TB) int {
	text := os.Getenv("BEAMDIFF_PAIRS")
	if text == "" {
		return 150
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("BEAMDIFF_PAIRS must be a number, not %q", text)
	}
	return n
}

// Seed makes a seed of a name, a number and the variable BEAMDIFF_SEED, which is
// empty in CI: other values give other inputs.
func Seed(name string, i int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%d%s", name, i, os.Getenv("BEAMDIFF_SEED"))
	return h.Sum64()
}

// Reference opens the reference for a test, which fails without it: then nothing is
// shown.
func Reference(t testing.TB) engine.Engine { return ReferenceOf(t, "") }

// ReferenceOf opens the reference with a checkpoint, "" for the default one.
func ReferenceOf(t testing.TB, checkpoint string) engine.Engine {
	ref, err := reference.Open(context.Background(), reference.Options{Checkpoint: checkpoint})
	if err == nil {
		t.Cleanup(func() { ref.Close() })
		_, err = ref.Info(t.Context())
	}
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	return ref
}
