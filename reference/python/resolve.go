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

// Platforms are those that a lock is made for.
type Platforms string

// What a lock may be made for: this platform; every one that the embedded Python
// serves; or those of them that have wheels, the others being named in the lock.
const (
	Here       Platforms = "--here"
	Everywhere Platforms = ""
	Served     Platforms = "--served"
)

// wish is what a lock is to be made of.
type wish struct {
	requirements []byte
	platforms    Platforms
	like         []byte
}

// Resolve makes a lock from a list of requirements, as pip and the index stand
// today. It takes from o where and how; o.Lock and o.Release are not read. The error
// is a *SetupError.
func Resolve(ctx context.Context, o Options, name string, requirements []byte, platforms Platforms) (Lock, error) {
	o.Lock, o.Release = Lock{}, ""
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
	text, err := s.resolve(ctx, &o, wish{requirements: requirements, platforms: platforms})
	return Lock{Name: name, Text: text}, err
}

// resolve makes the text of a lock. The caller holds the lock of the store.
func (s store) resolve(ctx context.Context, o *Options, want wish) ([]byte, error) {
	dir, err := s.fresh()
	if err != nil {
		return nil, failure(ctx, StepCache, s.dir(), "", err)
	}
	defer os.RemoveAll(dir)
	w, err := openWorkshop(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	defer w.close()
	return w.resolve(ctx, o, want)
}

func (w *workshop) resolve(ctx context.Context, o *Options, want wish) ([]byte, error) {
	wanted, like := filepath.Join(w.scratch, "requirements.in"), filepath.Join(w.scratch, "like.lock")
	if err := os.WriteFile(wanted, want.requirements, 0o644); err != nil {
		return nil, failure(ctx, StepResolve, wanted, "", err)
	}
	args := []string{wanted}
	if want.platforms != Everywhere {
		args = append(args, string(want.platforms))
	}
	if want.like != nil {
		if err := os.WriteFile(like, want.like, 0o644); err != nil {
			return nil, failure(ctx, StepResolve, like, "", err)
		}
		args = append(args, "--like", like)
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
		tried := "pip install --dry-run of the requirements, once for each platform"
		if want.platforms == Here {
			tried = "pip install --dry-run of the requirements"
		}
		return nil, pipFailure(ctx, StepResolve, tried, words.tail(), o.Offline, err)
	}
	return lock.Bytes(), nil
}
