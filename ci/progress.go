package ci

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// meter shows on standard error how far a run is: one line that is rewritten on
// a terminal, else a line now and then. What is over in a second shows nothing,
// and off a terminal no phase does that is shorter than the time between lines.
type meter struct {
	w    io.Writer
	live bool // a terminal that may be rewritten

	mu    sync.Mutex
	start time.Time
	last  time.Time // of the last line, or off a terminal the begin of a phase
	phase string
	shown string // what stands on the live line
}

// On a terminal the first line comes after patience; lines are this far apart.
const (
	patience    = time.Second
	livePeriod  = 100 * time.Millisecond
	plainPeriod = 5 * time.Second
)

func (t *terminal) meter() *meter {
	return &meter{w: t.stderr, live: t.rewrites(), start: time.Now()}
}

// rewrites tells whether standard error is a terminal whose lines may be
// rewritten.
func (t *terminal) rewrites() bool {
	f, ok := t.stderr.(*os.File)
	if !ok || t.getenv("NO_COLOR") != "" || t.getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// step shows the progress of a phase.
func (m *meter) step(p Progress) {
	text := p.Phase
	if p.Total > 0 {
		text = fmt.Sprintf("%s: %d of %d, %d%%", p.Phase, p.Done, p.Total, 100*p.Done/p.Total)
	}
	m.begin(p.Phase)
	m.say(text, false)
}

// begin notes the phase: off a terminal its first line is a period away.
func (m *meter) begin(phase string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if phase != m.phase && !m.live {
		m.last = time.Now()
	}
	m.phase = phase
}

// say shows a line; one that must be seen is shown however soon it comes.
func (m *meter) say(text string, must bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	period := plainPeriod
	if m.live {
		period = livePeriod
	}
	if !must && (now.Sub(m.start) < patience || now.Sub(m.last) < period) {
		return
	}
	m.last = now
	if !m.live {
		fmt.Fprintln(m.w, text)
		return
	}
	fmt.Fprintf(m.w, "\r%-*s", len(m.shown), text)
	m.shown = text
}

// clear takes the live line away, so that other output can follow.
func (m *meter) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.live && m.shown != "" {
		fmt.Fprintf(m.w, "\r%-*s\r", len(m.shown), "")
		m.shown = ""
	}
}
