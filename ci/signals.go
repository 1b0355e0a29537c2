package ci

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/beamdiff/beamdiff/reference/engine"
)

// oneSignal is how long signals count as one: who ends a program and its process
// group, as timeout of GNU does, signals the program twice.
const oneSignal = time.Second

// untilSignal gives a context that ends at the first signal that asks the program
// to end, so that it can still tell what it has. A further one, when oneSignal is
// over, ends the program at once, and the engines with it. SIGHUP is left alone
// where the program was started to ignore it (nohup).
//
// stop gives the signals back, unless there has been one: then the program is
// about to end, and nothing may come between.
func untilSignal() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	got, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(got, signals...)
	go func() {
		select {
		case <-got:
		case <-stopped:
			return
		}
		cancel()
		for first := time.Now(); ; {
			if s := <-got; time.Since(first) >= oneSignal {
				dieOf(s)
			}
		}
	}()
	return ctx, func() {
		if ctx.Err() == nil {
			signal.Stop(got)
			close(stopped)
		}
		cancel()
	}
}

// dieOf ends the program as the signal does where nobody waits for it.
func dieOf(s os.Signal) {
	engine.KillAll()
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(s) == nil {
		time.Sleep(time.Second) // it is on its way
	}
	os.Exit(ExitEngine)
}
