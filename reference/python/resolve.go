package python

import (
	"bytes"
	"context"
	_ "embed"
	"os"
	"path/filepath"
)

//go:embed lock.py
var lockScript string

// Resolve makes a lock from a list of requirements, as pip and the index stand
// today: for every platform that the embedded Python serves, or only for the one
// that this runs on. It takes from o where and how; o.Lock is not read. The
// error is a *SetupError.
func Resolve(ctx context.Context, o Options, name string, requirements []byte, everywhere bool) (Lock, error) {
	o.Lock = Lock{}
	if err := o.complete(); err != nil {
		return Lock{}, err
	}
	s := store(o.CacheDir)
	unlock, err := s.lock(ctx, &o)
	if err != nil {
		return Lock{}, err
	}
	defer unlock()
	s.sweep()
	dir, err := s.fresh()
	if err != nil {
		return Lock{}, failure(ctx, StepCache, s.dir(), "", err)
	}
	defer os.RemoveAll(dir)
	w, err := openWorkshop(ctx, dir, &o)
	if err != nil {
		return Lock{}, err
	}
	defer w.close()
	text, err := w.resolve(ctx, &o, requirements, everywhere)
	return Lock{Name: name, Text: text}, err
}

func (w *workshop) resolve(ctx context.Context, o *Options, requirements []byte, everywhere bool) ([]byte, error) {
	wanted := filepath.Join(w.scratch, "requirements.in")
	if err := os.WriteFile(wanted, requirements, 0o644); err != nil {
		return nil, failure(ctx, StepResolve, wanted, "", err)
	}
	args := []string{wanted}
	if !everywhere {
		args = append(args, "--here")
	}
	cmd, err := w.command(ctx, "lock.py", lockScript, args...)
	if err != nil {
		return nil, failure(ctx, StepResolve, w.scratch, "", err)
	}
	cmd.Env, err = w.pipEnviron()
	if err != nil {
		return nil, failure(ctx, StepResolve, w.scratch, "", err)
	}
	if o.Offline {
		cmd.Env = append(cmd.Env, "PIP_NO_INDEX=1")
	}
	var lock bytes.Buffer
	words := &output{step: StepResolve, report: o.report}
	cmd.Stdout, cmd.Stderr = &lock, words
	if err := run(cmd); err != nil {
		return nil, pipFailure(ctx, StepResolve, "pip install --dry-run of the requirements, once for each platform", words.tail(), o.Offline, err)
	}
	return lock.Bytes(), nil
}
