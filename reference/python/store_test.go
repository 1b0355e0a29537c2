package python

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// lockOf is a lock of one package, alpha, in the version given.
func lockOf(version string) Lock {
	return Lock{Name: "test", Text: []byte("alpha==" + version + " --hash=sha256:" + zeros + "\n")}
}

// fake builds a small environment of lockOf's package and counts its runs.
type fake struct{ runs int }

func (f *fake) build(_ context.Context, dir string, o *Options) error {
	f.runs++
	requirements, err := o.Lock.Requirements()
	if err != nil {
		return err
	}
	return writeFake(dir, requirements[0].Version)
}

func writeFake(dir, version string) error {
	for path, text := range map[string]string{
		executableIn(dir): "#!program\n",
		filepath.Join(siteIn(dir), "alpha", "__init__.py"):                  "one = 1\n",
		filepath.Join(siteIn(dir), "alpha", "a name with spaces.txt"):       "",
		filepath.Join(siteIn(dir), "alpha-"+version+".dist-info", "RECORD"): "alpha/__init__.py,,\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			return err
		}
	}
	return os.Chmod(filepath.Join(siteIn(dir), "alpha", "__init__.py"), 0o644)
}

// mustEnsure is ensure with a fake, closed at the end of the test.
func mustEnsure(t *testing.T, o Options, f *fake) *Env {
	t.Helper()
	e, err := ensure(t.Context(), o, f.build)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// names lists what a store holds.
func names(t *testing.T, cache string) []string {
	t.Helper()
	entries, err := os.ReadDir(store(cache).dir())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func wantNames(t *testing.T, cache string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := names(t, cache); !slices.Equal(got, want) {
		t.Errorf("the store holds %q, want %q", got, want)
	}
}

func TestEnsureBuildsOnce(t *testing.T) {
	cache, f := filepath.Join(t.TempDir(), "not", "there"), &fake{}
	o := Options{CacheDir: cache, Lock: lockOf("1.0")}
	e := mustEnsure(t, o, f)
	again := mustEnsure(t, o, f)
	if f.runs != 1 {
		t.Errorf("built %d times", f.runs)
	}
	name := environmentName(o.Lock)
	wantNames(t, cache, name, name+useSuffix, "lock")
	if e.Dir() != again.Dir() || e.Name() != name || e.CacheDir() != cache {
		t.Errorf("got %s and %s", e.Dir(), again.Dir())
	}
	if e.PackageVersion("alpha") != "1.0" || e.PackageVersion("beta") != "" || e.PythonVersion() != Version {
		t.Errorf("versions: %v of Python %s", e.Packages(), e.PythonVersion())
	}
	if e.m.lockHash != o.Lock.Hash() || e.m.lockName != "test" {
		t.Errorf("lock %s %s", e.m.lockName, e.m.lockHash)
	}
	// A second lock is a second environment.
	mustEnsure(t, Options{CacheDir: cache, Lock: lockOf("2.0")}, f)
	if f.runs != 2 {
		t.Errorf("built %d times for two locks", f.runs)
	}
}

// Each damage must be seen at the start, told, and mended by building again.
func TestEnsureMendsDamage(t *testing.T) {
	init := filepath.Join("site", "alpha", "__init__.py")
	for _, c := range []struct {
		name   string
		damage func(dir string) error
		told   string
	}{
		{"file missing", func(dir string) error { return os.Remove(filepath.Join(dir, init)) }, "site/alpha/__init__.py: is missing"},
		{"last file missing", func(dir string) error {
			return os.Remove(filepath.Join(dir, "site", "alpha-1.0.dist-info", "RECORD"))
		}, "site/alpha-1.0.dist-info/RECORD: is missing"},
		{"folder missing", func(dir string) error { return os.RemoveAll(filepath.Join(dir, "site")) }, "site/alpha-1.0.dist-info/RECORD: is missing"},
		{"file truncated", func(dir string) error { return os.Truncate(filepath.Join(dir, init), 0) }, "has 0 bytes, not 8"},
		{"file longer", func(dir string) error { return os.WriteFile(filepath.Join(dir, init), []byte("one = 11\n"), 0o644) }, "has 9 bytes, not 8"},
		{"file added", func(dir string) error { return os.WriteFile(filepath.Join(dir, "site", "beta.py"), nil, 0o644) }, "site/beta.py: was added"},
		{"link instead of a file", func(dir string) error {
			path := filepath.Join(dir, init)
			return errors.Join(os.Rename(path, path+"x"), os.Symlink("__init__.pyx", path))
		}, "is not a regular file"},
		{"not executable", func(dir string) error { return os.Chmod(executableIn(dir), 0o644) }, "has another mode"},
		{"manifest missing", func(dir string) error { return os.Remove(filepath.Join(dir, manifestName)) }, "manifest: is missing"},
		{"manifest empty", func(dir string) error { return os.Truncate(filepath.Join(dir, manifestName), 0) }, "manifest: has no end"},
		{"manifest is a folder", func(dir string) error {
			path := filepath.Join(dir, manifestName)
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o755))
		}, "manifest: read"},
		{"manifest of another lock", func(dir string) error { return rewrite(dir, func(m *manifest) { m.lockHash = zeros }) }, "manifest: is of another environment"},
		{"manifest of another Python", func(dir string) error { return rewrite(dir, func(m *manifest) { m.python = "3.13.0" }) }, "manifest: is of another environment"},
		{"manifest of another platform", func(dir string) error { return rewrite(dir, func(m *manifest) { m.platform = "plan9/arm" }) }, "manifest: is of another environment"},
		{"environment empty", func(dir string) error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755)) }, "manifest: is missing"},
		{"environment is a file", func(dir string) error { return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o644)) }, "manifest: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && c.name == "not executable" {
				return // no such bit
			}
			cache, f := t.TempDir(), &fake{}
			o := Options{CacheDir: cache, Lock: lockOf("1.0")}
			e := mustEnsure(t, o, f)
			if err := c.damage(e.Dir()); err != nil {
				t.Fatal(err)
			}
			var told string
			o.Progress = func(e Event) { told += e.Text + "\n" }
			mended := mustEnsure(t, o, f)
			if f.runs != 2 {
				t.Fatalf("built %d times, want 2", f.runs)
			}
			if !strings.Contains(told, c.told) {
				t.Errorf("told %q, want %q in it", told, c.told)
			}
			if err := mended.Verify(true); err != nil {
				t.Error(err)
			}
			wantNames(t, cache, e.Name(), e.Name()+useSuffix, "lock")
		})
	}
}

// rewrite changes a manifest and writes it with a good hash at its end.
func rewrite(dir string, change func(*manifest)) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	change(m)
	return os.WriteFile(filepath.Join(dir, manifestName), m.encode(), 0o644)
}

// Python compiles what a person runs by hand; that is no damage.
func TestCompiledFilesAreNoDamage(t *testing.T) {
	f := &fake{}
	o := Options{CacheDir: t.TempDir(), Lock: lockOf("1.0")}
	e := mustEnsure(t, o, f)
	folder := filepath.Join(e.Site(), "alpha", "__pycache__")
	if err := errors.Join(os.Mkdir(folder, 0o755), os.WriteFile(filepath.Join(folder, "__init__.cpython-314.pyc"), []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
	mustEnsure(t, o, f)
	if f.runs != 1 {
		t.Errorf("built %d times", f.runs)
	}
}

// Equal sizes escape the quick check, which is why there is a deep one.
func TestVerifyDeep(t *testing.T) {
	e := mustEnsure(t, Options{CacheDir: t.TempDir(), Lock: lockOf("1.0")}, &fake{})
	path := filepath.Join(e.Site(), "alpha", "__init__.py")
	if err := os.WriteFile(path, []byte("one = 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := e.Verify(false); err != nil {
		t.Errorf("quick: %v", err)
	}
	var damage *DamageError
	if err := e.Verify(true); !errors.As(err, &damage) || damage.Path != "site/alpha/__init__.py" {
		t.Errorf("deep: %v", err)
	}
}

// These are all the states that a kill can leave on the disk.
func TestEnsureAfterAKill(t *testing.T) {
	lock := lockOf("1.0")
	for _, c := range []struct {
		name  string
		leave func(s store) error
		runs  int
	}{
		{"half built", func(s store) error {
			return os.MkdirAll(filepath.Join(s.dir(), newPrefix+"1", "python", "bin"), 0o755)
		}, 1},
		{"built, not sealed", func(s store) error { return writeFake(filepath.Join(s.dir(), newPrefix+"1"), "1.0") }, 1},
		{"sealed, not in place", func(s store) error {
			dir := filepath.Join(s.dir(), newPrefix+"1")
			return errors.Join(writeFake(dir, "1.0"), seal(dir, lock))
		}, 1},
		{"damaged one moved away", func(s store) error {
			return writeFake(filepath.Join(s.dir(), oldPrefix+"1", environmentName(lock)), "1.0")
		}, 1},
		{"in place, damaged one half removed", func(s store) error {
			return errors.Join(writeFake(s.path(lock), "1.0"), seal(s.path(lock), lock),
				os.MkdirAll(filepath.Join(s.dir(), oldPrefix+"1", environmentName(lock), "site"), 0o755))
		}, 0},
		{"in place without its manifest", func(s store) error { return writeFake(s.path(lock), "1.0") }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache, f := t.TempDir(), &fake{}
			if err := c.leave(store(cache)); err != nil {
				t.Fatal(err)
			}
			e := mustEnsure(t, Options{CacheDir: cache, Lock: lock}, f)
			if f.runs != c.runs {
				t.Errorf("built %d times, want %d", f.runs, c.runs)
			}
			if err := e.Verify(true); err != nil {
				t.Error(err)
			}
			if c.runs > 0 {
				wantNames(t, cache, e.Name(), e.Name()+useSuffix, "lock")
			}
		})
	}
}

func TestEnsureFailsWhole(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	for _, c := range []struct {
		name  string
		ctx   context.Context
		build builder
		kind  Kind
		step  Step
	}{
		{"builder fails", t.Context(), func(_ context.Context, dir string, _ *Options) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "python"), 0o755), errors.New("no"))
		}, Other, StepInstall},
		{"disk full", t.Context(), func(context.Context, string, *Options) error {
			return &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
		}, NoSpace, StepInstall},
		{"own error kept", t.Context(), func(context.Context, string, *Options) error {
			return &SetupError{Kind: NoNetwork, Step: StepUnpack}
		}, NoNetwork, StepUnpack},
		{"package left out", t.Context(), func(_ context.Context, dir string, _ *Options) error { return writeFake(dir, "9.9") }, Other, StepSeal},
		{"canceled while building", canceled, func(ctx context.Context, dir string, _ *Options) error {
			cancel()
			<-ctx.Done()
			return writeFake(dir, "1.0") // too late
		}, Canceled, StepSeal},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := t.TempDir()
			_, err := ensure(c.ctx, Options{CacheDir: cache, Lock: lockOf("1.0")}, c.build)
			var setup *SetupError
			if !errors.As(err, &setup) || setup.Kind != c.kind || setup.Step != c.step {
				t.Fatalf("got %v, want %q in step %q", err, c.kind, c.step)
			}
			if c.kind == Canceled && !errors.Is(err, context.Canceled) {
				t.Error("the context's error is not in it")
			}
			left := names(t, cache)
			for _, name := range left {
				if name != "lock" && name != environmentName(lockOf("1.0"))+useSuffix {
					t.Errorf("%q was left", name)
				}
			}
		})
	}
}

// A rebuild that fails leaves the damaged environment as it was.
func TestFailedRebuildRemovesNothing(t *testing.T) {
	o := Options{CacheDir: t.TempDir(), Lock: lockOf("1.0")}
	e := mustEnsure(t, o, &fake{})
	if err := os.Remove(filepath.Join(e.Site(), "alpha", "__init__.py")); err != nil {
		t.Fatal(err)
	}
	_, err := ensure(t.Context(), o, func(context.Context, string, *Options) error { return errors.New("no") })
	if err == nil {
		t.Fatal("a damaged environment was taken")
	}
	if _, err := os.Stat(e.Executable()); err != nil {
		t.Error(err)
	}
}

func TestEnsureRefusesABadLock(t *testing.T) {
	_, err := ensure(t.Context(), Options{CacheDir: t.TempDir(), Lock: Lock{Text: []byte("alpha")}}, (&fake{}).build)
	var lockErr *LockError
	if !errors.As(err, &lockErr) {
		t.Fatalf("got %v", err)
	}
}

func TestFind(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	o := Options{CacheDir: cache, Lock: lockOf("1.0")}
	var damage *DamageError
	if _, err := Find(o); !errors.As(err, &damage) || damage.Path != "." {
		t.Errorf("without an environment: %v", err)
	}
	if _, err := os.Stat(cache); err == nil {
		t.Error("Find made the cache folder")
	}
	e := mustEnsure(t, o, &fake{})
	found, err := Find(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := found.Close(); err != nil || found.Dir() != e.Dir() {
		t.Errorf("found %s, %v", found.Dir(), err)
	}
	if err := os.RemoveAll(e.Site()); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(o); !errors.As(err, &damage) || damage.Path == "." {
		t.Errorf("damaged: %v", err)
	}
}

func TestEnsureNeedsACacheFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := ensure(t.Context(), Options{CacheDir: file, Lock: lockOf("1.0")}, (&fake{}).build)
	var setup *SetupError
	if !errors.As(err, &setup) || setup.Kind != NoCache || !strings.Contains(err.Error(), CacheVariable) {
		t.Fatalf("got %v", err)
	}
}

func TestCacheDir(t *testing.T) {
	for _, name := range []string{CacheVariable, "XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, "")
	}
	_, err := CacheDir()
	var setup *SetupError
	if !errors.As(err, &setup) || setup.Kind != NoCache || !strings.Contains(setup.Advice, CacheVariable) {
		t.Errorf("with neither: %v", err)
	}
	t.Setenv(CacheVariable, "a")
	got, err := CacheDir()
	if want, _ := filepath.Abs("a"); err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestPrune(t *testing.T) {
	cache, f := t.TempDir(), &fake{}
	unused := mustEnsure(t, Options{CacheDir: cache, Lock: lockOf("1.0")}, f)
	if err := unused.Close(); err != nil {
		t.Fatal(err)
	}
	busy := mustEnsure(t, Options{CacheDir: cache, Lock: lockOf("2.0")}, f)
	current := mustEnsure(t, Options{CacheDir: cache, Lock: lockOf("3.0")}, f)
	if err := os.Mkdir(filepath.Join(store(cache).dir(), newPrefix+"1"), 0o755); err != nil {
		t.Fatal(err)
	}
	removed, used, err := current.Prune(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(removed, []string{unused.Name()}) || !slices.Equal(used, []string{busy.Name()}) {
		t.Errorf("removed %q, in use %q", removed, used)
	}
	wantNames(t, cache, current.Name(), busy.Name(), current.Name()+useSuffix, busy.Name()+useSuffix, unused.Name()+useSuffix, "lock")
	if err := busy.Verify(true); err != nil {
		t.Error(err)
	}
}
