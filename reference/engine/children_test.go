//go:build unix

package engine_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/enginetest"
)

// The children of an engine end with it, though they hold its output open.
func TestChildren(t *testing.T) {
	state := t.TempDir() + "/state"
	e := pool(t, "child hangs", func(o *engine.Options) { o.Command = command("child hangs", state) })
	if out := e.Do(t.Context(), enginetest.Render("bad")); out.Kind != corpus.Failed {
		t.Fatalf("%v %q", out.Kind, out.Why)
	}
	e.Close()
	text, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	fmt.Sscan(string(text), &pid)
	for range 50 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("child %d is still running", pid)
}

// zombie tells whether the process has ended and waits to be reaped.
func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(text), ") Z ")
}
