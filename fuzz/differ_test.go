package fuzz

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/reference"
)

// pairs is how many replies with a cut each template is tried with. The variable
// BEAMDIFF_PAIRS sets it: 3000 at night.
func pairs(t *testing.T) int {
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

// Native against the reference: message, merged events and class of the error.
func TestDifferential(t *testing.T) {
	ref, err := reference.Open(context.Background(), reference.Options{Workers: 2})
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	defer ref.Close()
	if _, err := ref.Info(t.Context()); err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %v", err)
	}
	n := pairs(t)
	differ := Differ{Reference: ref, Subject: Native}
	var total Report
	start := time.Now()
	for _, template := range Templates() {
		t.Run(template.Name, func(t *testing.T) {
			report := differ.Run(t.Context(), n, func(i int) *Input { return makeInput(template, i) })
			t.Log(report)
			total.Merge(report)
			for i, d := range report.Differences {
				if i == 3 {
					break
				}
				t.Error(d)
			}
			for i, f := range report.Failed {
				if i == 3 {
					break
				}
				t.Errorf("the reference did not answer: %s", f)
			}
		})
	}
	took := time.Since(start)
	t.Logf("%d templates: %v; %.0f pairs/s", len(Templates()), &total, float64(total.Pairs)/took.Seconds())
}
