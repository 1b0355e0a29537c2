package python

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/gofrs/flock"
)

// Version is the embedded CPython's.
const Version = "3.14.6"

// moduleVersion is the pinned version of go-embed-python. It is part of an
// environment's name, and a test holds it equal to go.mod.
const moduleVersion = "v0.0.0-3.14.6-20260610-1"

// Options say where and from what an environment is made. The zero value is the
// default lock in the default cache folder.
type Options struct {
	// CacheDir is the cache folder; "" is CacheDir().
	CacheDir string
	// Lock names the packages; without text it is DefaultLock().
	Lock Lock
	// Release, where Lock has no text, is the version of Transformers to install;
	// "" and that of DefaultLock() are the default lock. Any other release is
	// resolved the first time, and frozen in the cache folder.
	Release string
	// Offline forbids pip to ask an index. A folder named by PIP_FIND_LINKS
	// still serves.
	Offline bool
	// Progress, when set, is called for what happens, as it happens, from the
	// goroutine of Ensure or another, one call at a time. It is never called
	// when the environment is there and whole.
	Progress func(Event)
}

// Event is one piece of progress.
type Event struct {
	Step Step
	Text string // one line for a person
	// Done of Total packages are fetched; both are 0 where nothing is counted.
	Done, Total int
}

func (o *Options) report(e Event) {
	if o.Progress != nil {
		o.Progress(e)
	}
}

// Env is an environment that is in place. Close it when its processes are done.
type Env struct {
	cache string
	dir   string
	m     *manifest
	inUse *flock.Flock // shared, so that Prune of another process leaves it; nil in a cache that cannot be written
}

// Ensure gives the environment of the lock, building it first where it is
// missing or damaged. The error is a *SetupError, a *LockError or a *VersionError.
func Ensure(ctx context.Context, o Options) (*Env, error) {
	return ensure(ctx, o, build)
}

// Find gives the environment of the lock where it is in place and whole; it
// builds nothing. The error is a *DamageError, whose Path is "." where there is
// no environment, a *SetupError, a *LockError or a *VersionError.
func Find(o Options) (*Env, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	return store(o.CacheDir).find(&o)
}

// complete fills in the lock, but for that of another release, and the cache
// folder as an absolute path. The error is a *SetupError, a *LockError or a
// *VersionError.
func (o *Options) complete() (err error) {
	switch {
	case len(o.Lock.Text) > 0 || o.Release == "" || o.Release == Release():
		if o.Release = ""; len(o.Lock.Text) == 0 {
			o.Lock = DefaultLock()
		}
		if _, err := o.Lock.Requirements(); err != nil {
			return err
		}
	default:
		if err := CheckRelease(o.Release); err != nil {
			return err
		}
	}
	if o.CacheDir == "" {
		o.CacheDir, err = CacheDir()
		return err
	}
	if o.CacheDir, err = filepath.Abs(o.CacheDir); err != nil {
		return &SetupError{Kind: NoCache, Step: StepCache, Tried: "the folder that was given", Advice: "give an absolute path", Err: err}
	}
	return nil
}

// builder fills dir with python/ and site/.
type builder func(ctx context.Context, dir string, o *Options) error

func ensure(ctx context.Context, o Options, build builder) (*Env, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	st := store(o.CacheDir)
	if e, err := st.find(&o); err == nil {
		return e, nil
	}
	unlock, err := st.lock(ctx, &o)
	if err != nil {
		return nil, err
	}
	defer unlock()
	// Another run may have built it while this one waited.
	e, damage := st.find(&o)
	if damage == nil {
		return e, nil
	}
	st.sweep()
	if len(o.Lock.Text) == 0 {
		if o.Lock, err = st.freeze(ctx, &o); err != nil {
			return nil, err
		}
	}
	if _, err := os.Lstat(st.path(o.Lock)); err == nil {
		o.report(Event{Step: StepCache, Text: "the environment is damaged (" + damage.Error() + "): building it again"})
	}
	if err := st.install(ctx, &o, build); err != nil {
		if o.Release != "" {
			err = releaseFailure(err, o.Release)
		}
		return nil, err
	}
	e, err = st.open(o.Lock)
	if err != nil {
		return nil, failure(ctx, StepSeal, st.path(o.Lock), "", err)
	}
	return e, nil
}

// Close says that no process of this environment is left, so that another run
// may remove it.
func (e *Env) Close() error {
	if e.inUse == nil {
		return nil
	}
	return e.inUse.Close()
}

// Verify compares the environment with its manifest: the names and sizes of its
// files, and with deep the hash of each. The error is a *DamageError.
func (e *Env) Verify(deep bool) error {
	if err := e.m.check(e.dir); err != nil || !deep {
		return err
	}
	return e.m.checkHashes(e.dir)
}

// find gives the environment that the options name when it is whole, else a
// *DamageError. It fills in the lock of a release that is frozen.
func (s store) find(o *Options) (_ *Env, err error) {
	if len(o.Lock.Text) == 0 {
		if o.Lock, err = s.frozen(o.Release); err != nil {
			return nil, err
		}
	}
	return s.open(o.Lock)
}

// Name is the environment's name: CPython's version, platform, lock.
func (e *Env) Name() string { return filepath.Base(e.dir) }

// CacheDir is the cache folder that the environment lies in.
func (e *Env) CacheDir() string { return e.cache }

// Dir is the environment's folder. Nothing may be written in it.
func (e *Env) Dir() string { return e.dir }

// Home is the folder of CPython itself, the value of PYTHONHOME.
func (e *Env) Home() string { return homeIn(e.dir) }

// Site is the folder of the installed packages, the value of PYTHONPATH.
func (e *Env) Site() string { return siteIn(e.dir) }

// Executable is the path of the Python program.
func (e *Env) Executable() string { return executableIn(e.dir) }

// PythonVersion is that of CPython.
func (e *Env) PythonVersion() string { return e.m.python }

// Packages are those installed, in the lock's order. They come from the
// manifest; no process is started.
func (e *Env) Packages() []Package { return slices.Clone(e.m.packages) }

// PackageVersion is the version of one package, by the lock's name; "" for one
// that is not installed.
func (e *Env) PackageVersion(name string) string {
	for _, p := range e.m.packages {
		if p.Name == name {
			return p.Version
		}
	}
	return ""
}

func homeIn(dir string) string { return filepath.Join(dir, "python") }
func siteIn(dir string) string { return filepath.Join(dir, "site") }

func executableIn(dir string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(homeIn(dir), "python.exe")
	}
	return filepath.Join(homeIn(dir), "bin", "python3")
}
