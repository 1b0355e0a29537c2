package ci

import (
	"github.com/beamdiff/beamdiff/ci/report"
	"github.com/beamdiff/beamdiff/harmony/value"
)

// Visible writes text so that every character of it can be seen and no two
// texts look the same: see [report.Visible].
func Visible(text string) string { return report.Visible(text) }

func printable(text string) string                              { return report.Printable(text) }
func window(text string, at int) string                         { return report.Window(text, at) }
func clip(text string, at int, show func(string) string) string { return report.Clip(text, at, show) }
func firstDifference(a, b string) int                           { return report.FirstDifference(a, b) }

// short is v as json.dumps writes it, cut for one line of a report.
func short(v value.Value) string {
	const most = 80
	text := value.Dumps(v)
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
