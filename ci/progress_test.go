package ci

import (
	"strings"
	"testing"
	"time"
)

// Off a terminal a phase shows nothing at its begin, then a line for each period.
func TestProgressOffATerminal(t *testing.T) {
	var b strings.Builder
	m := &meter{w: &b, start: time.Now().Add(-time.Hour)}
	later := func() { m.last = m.last.Add(-plainPeriod) }
	m.step(Progress{Phase: "starting engines", Total: 2})
	later()
	m.step(Progress{Phase: "comparing", Done: 1, Total: 1000})
	m.step(Progress{Phase: "comparing", Done: 2, Total: 1000})
	if b.Len() > 0 {
		t.Errorf("shown at the begin: %q", b.String())
	}
	later()
	m.step(Progress{Phase: "comparing", Done: 500, Total: 1000})
	m.step(Progress{Phase: "comparing", Done: 501, Total: 1000})
	later()
	m.step(Progress{Phase: "comparing", Done: 900, Total: 1000})
	if want := "comparing: 500 of 1000, 50%\ncomparing: 900 of 1000, 90%\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
