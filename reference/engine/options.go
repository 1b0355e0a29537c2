package engine

import (
	"context"
	"os/exec"
	"time"

	"github.com/beamdiff/beamdiff/harmony/value"
)

// Options say what a [Pool] runs and within which limits. Only Command is
// needed.
type Options struct {
	// Name is what verdicts call the engine.
	Name string
	// Command makes the command of one process; the pool sets its pipes. It is
	// called from several goroutines at once.
	Command func(ctx context.Context) *exec.Cmd
	// Open is the members of the protocol's open request: the checkpoint. Nil
	// asks for info only. An engine that cannot open is used as it stands.
	Open *value.Object
	// Workers is the largest number of processes; 0 means 1. A process is started
	// when there is work that no other is free for.
	Workers int
	// Pipeline is the number of requests that one process may hold; 0 means 8.
	Pipeline int
	// StartTimeout bounds the time from a process' start to its first answer; 0
	// means two minutes.
	StartTimeout time.Duration
	// CaseTimeout bounds the time that a process may take for a case, from when it
	// is the oldest of those it holds; 0 means ten seconds.
	CaseTimeout time.Duration
	// MemoryLimit bounds the memory of each process, in bytes; 0 means no limit.
	MemoryLimit int64
	// LineLimit bounds one line of an answer, in bytes; 0 means 64 MiB.
	LineLimit int
}

func (o Options) withDefaults() Options {
	def := func(p *int, n int) {
		if *p <= 0 {
			*p = n
		}
	}
	def(&o.Workers, 1)
	def(&o.Pipeline, 8)
	def(&o.LineLimit, 64<<20)
	if o.StartTimeout <= 0 {
		o.StartTimeout = 2 * time.Minute
	}
	if o.CaseTimeout <= 0 {
		o.CaseTimeout = 10 * time.Second
	}
	return o
}

// StartError says why an engine's process did not come to answer.
type StartError struct {
	Engine  string // its name
	Command string // what was run
	Reason  string // an exit status, a time-out, the engine's own error
	Stderr  string // the end of what it wrote to standard error

	ended bool // the process ended by itself, or was killed by something else
}

func (e *StartError) Error() string {
	s := "engine " + e.Engine + " did not start (" + e.Command + "): " + e.Reason
	if e.Stderr != "" {
		s += "; its standard error ends:\n" + e.Stderr
	}
	return s
}
