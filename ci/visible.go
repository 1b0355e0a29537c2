package ci

import (
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Visible writes text so that every character of it can be seen and no two
// texts look the same: see [report.Visible].
func Visible(text string) string { return report.Visible(text) }

func short(v value.Value) string        { return report.Short(v) }
func printable(text string) string      { return report.Printable(text) }
func window(text string, at int) string { return report.Window(text, at) }
func firstDifference(a, b string) int   { return report.FirstDifference(a, b) }
