//go:build unix

package ci

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hanging starts beamdiff with an engine that hangs, and waits until it does. It
// gives the engine's process id, too. A shell runs before first.
func hanging(t *testing.T, before, verb string, stdout io.Writer) (cmd *exec.Cmd, engine int) {
	t.Helper()
	hung := filepath.Join(t.TempDir(), "hung")
	cmd = exec.Command("sh", "-c", before+"exec beamdiff "+verb+` --engine native --engine "mine=engine hang" --timeout 5m --jobs 1`)
	cmd.Stdin, cmd.Stdout = strings.NewReader(`{"messages":[{"role":"user","content":"Hello!"}],"id":"hello"}`), stdout
	cmd.Env = append(os.Environ(), hungVariable+"="+hung, "BEAM_MODEL_ID=", "CI=")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for range 1000 {
		if text, err := os.ReadFile(hung); err == nil && len(text) > 0 {
			if engine, err = strconv.Atoi(string(text)); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { syscall.Kill(engine, syscall.SIGKILL) })
			return cmd, engine
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the engine does not hang")
	return nil, 0
}

// gone tells whether a process ends within a second or two.
func gone(pid int) bool {
	for range 100 {
		stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || strings.Contains(string(stat), ") Z ") { // nobody reaps it
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// One signal, or more at once, end a run with its report, and the engine with it.
func TestSignals(t *testing.T) {
	// A signal that this process handles has its default in those that it starts, also
	// where this one was told to ignore it (nohup).
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(handled) })
	for name, c := range map[string]struct {
		before string
		send   []syscall.Signal
	}{
		"SIGTERM":                        {"", []syscall.Signal{syscall.SIGTERM}},
		"SIGTERM to it and its group":    {"", []syscall.Signal{syscall.SIGTERM, syscall.SIGTERM, syscall.SIGCONT}},
		"SIGINT, SIGTERM":                {"", []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}},
		"SIGHUP":                         {"", []syscall.Signal{syscall.SIGHUP}},
		"SIGHUP that is ignored, SIGINT": {"trap '' HUP; ", []syscall.Signal{syscall.SIGHUP, 0, syscall.SIGINT}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			cmd, engine := hanging(t, c.before, "diff -", &out)
			for _, s := range c.send {
				if s == 0 { // it goes on
					time.Sleep(500 * time.Millisecond)
				}
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatalf("%v: %v", s, err)
				}
				time.Sleep(2 * time.Millisecond) // or the system makes one of two
			}
			defer time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }).Stop()
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != ExitEngine || !strings.Contains(out.String(), "INTERRUPTED after 0 cases") {
				t.Errorf("%v, the report is %q", cmd.ProcessState, out.String())
			}
			if !gone(engine) {
				t.Error("the engine is still running")
			}
		})
	}
}

// A signal that comes later ends a run that cannot end, and its engine.
func TestLaterSignal(t *testing.T) {
	r, w, err := os.Pipe() // that is full: the report is never written
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	w.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	if _, err := w.Write(make([]byte, 1<<24)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("the pipe is not full: %v", err)
	}
	cmd, engine := hanging(t, "", "fuzz --unguided --dir "+t.TempDir(), w)
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-ended:
		t.Fatalf("the first signal ended it, with its report unwritten: %v", cmd.ProcessState)
	case <-time.After(oneSignal + 200*time.Millisecond):
	}
	if err := syscall.Kill(engine, 0); err != nil {
		t.Fatalf("the engine has ended already, and nothing is tested: %v", err)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("the second signal does not end it")
	}
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("%v", cmd.ProcessState)
	}
	if !gone(engine) {
		t.Error("the engine is still running")
	}
}
