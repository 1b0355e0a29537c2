package python

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// store is a cache folder. What it holds of this package is in its folder
// python:
//
//	NAME/       an environment: python/, site/ and its manifest
//	NAME.use    locked shared by the runs that use it
//	release-*   the lock of another release of Transformers
//	.new-*      an environment that is being built
//	.old-*      one that is being removed
//	lock        locked by the run that changes any of these
type store string

const (
	newPrefix = ".new-"
	oldPrefix = ".old-"
	useSuffix = ".use"
)

func (s store) dir() string            { return filepath.Join(string(s), "python") }
func (s store) path(l Lock) string     { return filepath.Join(s.dir(), environmentName(l)) }
func (s store) use(name string) string { return filepath.Join(s.dir(), name+useSuffix) }
func platform() string                 { return runtime.GOOS + "/" + runtime.GOARCH }
func flockAt(path string) *flock.Flock { return flock.New(path, flock.SetPermissions(0o666)) }
func isDotFolder(name string) bool {
	return strings.HasPrefix(name, newPrefix) || strings.HasPrefix(name, oldPrefix)
}

// environmentName is made of all that an environment depends on. The recipe is
// this package's own way of building; its number changes with it.
func environmentName(l Lock) string {
	const recipe = 1
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s", recipe, moduleVersion, l.Text))
	return fmt.Sprintf("cpython-%s-%s-%s-%x", Version, runtime.GOOS, runtime.GOARCH, sum[:6])
}

// open gives the environment when it is whole, else a *DamageError.
func (s store) open(l Lock) (*Env, error) {
	dir := s.path(l)
	if _, err := os.Lstat(dir); err != nil {
		return nil, &DamageError{Path: ".", What: "is missing"}
	}
	inUse := flockAt(s.use(filepath.Base(dir)))
	ok, err := inUse.TryRLock()
	if err == nil && !ok {
		return nil, &DamageError{Path: ".", What: "is being removed"}
	}
	if err != nil {
		// A cache that cannot be written is used as it is: nobody prunes it.
		inUse = nil
	}
	m, err := readManifest(dir)
	if err == nil && (m.lockHash != l.Hash() || m.platform != platform() || m.python != Version) {
		err = &DamageError{Path: manifestName, What: "is of another environment"}
	}
	if err == nil {
		err = m.check(dir)
	}
	if err != nil {
		if inUse != nil {
			inUse.Close()
		}
		return nil, err
	}
	return &Env{cache: string(s), dir: dir, m: m, inUse: inUse}, nil
}

// fresh makes a folder to build in.
func (s store) fresh() (string, error) {
	dir, err := os.MkdirTemp(s.dir(), newPrefix)
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	return dir, err
}

// lock makes the store's folder, and waits until no other run changes the store.
func (s store) lock(ctx context.Context, o *Options) (unlock func(), err error) {
	if err := os.MkdirAll(s.dir(), 0o755); err != nil {
		return nil, failure(ctx, StepCache, s.dir(), "", err)
	}
	path := filepath.Join(s.dir(), "lock")
	l := flockAt(path)
	ok, err := l.TryLock()
	if err == nil && !ok {
		o.report(Event{Step: StepLock, Text: "another run is setting up the environment: waiting for it"})
		_, err = l.TryLockContext(ctx, 100*time.Millisecond)
	}
	if err != nil {
		return nil, failure(ctx, StepLock, path, "", err)
	}
	return sync.OnceFunc(func() { l.Close() }), nil
}

// sweep removes what a killed run left. The caller holds the lock. A folder that
// cannot be removed now is left for the next sweep: it is in nobody's way.
func (s store) sweep() {
	entries, _ := os.ReadDir(s.dir())
	for _, e := range entries {
		if isDotFolder(e.Name()) {
			os.RemoveAll(filepath.Join(s.dir(), e.Name()))
		}
	}
}

// install builds the environment and renames it into place. The caller holds
// the lock.
func (s store) install(ctx context.Context, o *Options, build builder) error {
	fresh, err := s.fresh()
	if err != nil {
		return failure(ctx, StepCache, s.dir(), "", err)
	}
	defer os.RemoveAll(fresh)
	if err := build(ctx, fresh, o); err != nil {
		return failure(ctx, StepInstall, fresh, "", err)
	}
	if err := seal(fresh, o.Lock); err != nil {
		return failure(ctx, StepSeal, fresh, "", err)
	}
	if ctx.Err() != nil {
		return failure(ctx, StepSeal, fresh, "", ctx.Err())
	}
	target := s.path(o.Lock)
	if err := s.discard(target); err != nil {
		return failure(ctx, StepSeal, target, "", err)
	}
	if err := os.Rename(fresh, target); err != nil {
		return failure(ctx, StepSeal, target, "", err)
	}
	return nil
}

// discard moves a folder out of the way at once, then removes it. A folder that
// is not there is no error.
func (s store) discard(path string) error {
	old, err := os.MkdirTemp(s.dir(), oldPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(old)
	err = os.Rename(path, filepath.Join(old, filepath.Base(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// seal writes the manifest of what was built.
func seal(dir string, l Lock) error {
	packages, err := installed(siteIn(dir), l)
	if err != nil {
		return err
	}
	files, err := list(dir)
	if err != nil {
		return err
	}
	for i := range files {
		files[i].sha256, err = hashFile(filepath.Join(dir, filepath.FromSlash(files[i].path)))
		if err != nil {
			return err
		}
	}
	m := &manifest{python: Version, platform: platform(), lockHash: l.Hash(), lockName: l.Name, packages: packages, files: files}
	return os.WriteFile(filepath.Join(dir, manifestName), m.encode(), 0o644)
}

// installed finds the lock's packages in site by their .dist-info folders.
// Those that the lock has for every platform must be there.
func installed(site string, l Lock) ([]Package, error) {
	requirements, err := l.Requirements()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(site)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".dist-info"); ok {
			name, version, _ := strings.Cut(id, "-")
			found[folded(name)+" "+version] = true
		}
	}
	var packages []Package
	for _, r := range requirements {
		if found[folded(r.Name)+" "+r.Version] {
			packages = append(packages, Package{r.Name, r.Version})
		} else if r.Marker == "" {
			return nil, &DamageError{Path: "site", What: fmt.Sprintf("has no %s %s", r.Name, r.Version)}
		}
	}
	return packages, nil
}

// folded is a package's name as the packaging standard compares it (PEP 503).
func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(name))
}

// Prune removes every environment of the cache folder but this one and those to
// keep, unless a run uses it, the locks of releases whose environments are gone,
// and what killed runs left. It gives the names of the environments removed and of
// those that are in use. The error is a *SetupError.
func (e *Env) Prune(ctx context.Context, keep ...*Env) (removed, busy []string, err error) {
	s := store(e.cache)
	unlock, err := s.lock(ctx, &Options{})
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	s.sweep()
	entries, err := os.ReadDir(s.dir())
	if err != nil {
		return nil, nil, failure(ctx, StepCache, s.dir(), "", err)
	}
	kept := []string{e.Name()}
	for _, k := range keep {
		kept = append(kept, k.Name())
	}
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() || slices.Contains(kept, name) {
			continue
		}
		gone, err := s.remove(name)
		switch {
		case err != nil:
			return removed, busy, failure(ctx, StepCache, filepath.Join(s.dir(), name), "", err)
		case gone:
			removed = append(removed, name)
		default:
			busy = append(busy, name)
		}
	}
	kept = append(kept, busy...)
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), releasePrefix) || !strings.HasSuffix(entry.Name(), lockSuffix) {
			continue
		}
		path := filepath.Join(s.dir(), entry.Name())
		text, err := os.ReadFile(path)
		if err == nil && slices.Contains(kept, environmentName(Lock{Text: text})) {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			return removed, busy, failure(ctx, StepCache, path, "", err)
		}
	}
	return removed, busy, nil
}

// remove discards an environment unless a run uses it. Its .use file stays: a
// run that has just opened the file must lock the same one as everybody.
func (s store) remove(name string) (bool, error) {
	use := flockAt(s.use(name))
	ok, err := use.TryLock()
	if err != nil || !ok {
		return false, err
	}
	defer use.Close()
	return true, s.discard(filepath.Join(s.dir(), name))
}
