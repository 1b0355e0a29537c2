package bench

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Env is what cases need that is outside this process. Each thing is started when
// the first case asks for it. Close ends all.
type Env struct {
	// Context ends what other processes do.
	Context context.Context
	// Reference opens the checkpoint's own Python with one worker; nil says that
	// there is none.
	Reference func(ctx context.Context) (engine.Engine, error)

	// Source is the folder of this module's source, from which peers are built; ""
	// says that there is none.
	Source string

	mu     sync.Mutex
	python engine.Engine
	failed error              // why Python could not be opened
	peers  map[string]opening // by name
	gptOSS func() (*openAI, error)
	closes []func() error
}

// NewEnv is an environment with the default checkpoint's Python.
func NewEnv(ctx context.Context) *Env {
	return &Env{Context: ctx, Reference: func(ctx context.Context) (engine.Engine, error) {
		return reference.Open(ctx, reference.Options{Workers: 1, Timeout: time.Hour})
	}}
}

// Python is the open reference. The error is an *Unavailable.
func (e *Env) Python() (engine.Engine, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.python == nil && e.failed == nil {
		e.python, e.failed = e.open()
	}
	return e.python, e.failed
}

func (e *Env) open() (engine.Engine, error) {
	if e.Reference == nil {
		return nil, &Unavailable{"the reference", "it was not asked for"}
	}
	python, err := e.Reference(e.Context)
	if err != nil {
		return nil, &Unavailable{"the reference", err.Error()}
	}
	if _, err := python.Info(e.Context); err != nil {
		python.Close()
		return nil, &Unavailable{"the reference", err.Error()}
	}
	e.closes = append(e.closes, python.Close)
	return python, nil
}

// Close ends all that was started.
func (e *Env) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	for _, end := range slices.Backward(e.closes) {
		errs = append(errs, end())
	}
	e.closes = nil
	return errors.Join(errs...)
}
