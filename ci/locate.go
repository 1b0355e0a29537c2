package ci

import (
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Where is the first place in which two answers part: see [report.Where].
type Where = report.Where

// Locate finds the first place in which two values part, nil where they are
// equal: see [report.Locate].
func Locate(path string, left, right value.Value) *Where { return report.Locate(path, left, right) }

func whereText(path, left, right string) *Where { return report.WhereText(path, left, right) }
