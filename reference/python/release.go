package python

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// The package that a release is of.
const library = "transformers"

// Release gives the version of Transformers in the default lock.
func Release() string {
	requirements, _ := DefaultLock().Requirements()
	for _, r := range requirements {
		if r.Name == library {
			return r.Version
		}
	}
	return ""
}

// VersionError is a text that no release of Transformers is named by.
type VersionError struct{ Version string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("%q is not the version of a release; one is such as %s or 5.0.0rc1, with all its three numbers", e.Version, Release())
}

var version = regexp.MustCompile(`^(0|[1-9][0-9]{0,3})(\.(0|[1-9][0-9]{0,3})){2}((a|b|rc)[0-9]{1,3}|\.post[0-9]{1,3})?$`)

// CheckRelease tells whether a text is a release's version. The error is a
// *VersionError.
func CheckRelease(text string) error {
	if !version.MatchString(text) {
		return &VersionError{text}
	}
	return nil
}

// The lock of another release stands in the store, beside the environments:
//
//	release-VERSION-PYTHON-PLATFORM.lock
//
// It is made once, for this platform: the release, and everything else as in the
// default lock, but for what the release does not take. So what differs between
// two references is Transformers and what it asked for. From then on the file says
// what is installed, whatever the index serves by then.
const (
	releasePrefix = "release-"
	lockSuffix    = ".lock"
)

func releaseTail() string {
	return fmt.Sprintf("-cpython-%s-%s-%s%s", Version, runtime.GOOS, runtime.GOARCH, lockSuffix)
}

func (s store) releasePath(release string) string {
	return filepath.Join(s.dir(), releasePrefix+release+releaseTail())
}

// releases are those that have a lock in the store, in the order of their names.
func (s store) releases() []string {
	entries, _ := os.ReadDir(s.dir())
	var out []string
	for _, e := range entries {
		name, is := strings.CutSuffix(e.Name(), releaseTail())
		release, of := strings.CutPrefix(name, releasePrefix)
		if is && of && CheckRelease(release) == nil {
			out = append(out, release)
		}
	}
	return out
}

// frozen reads the lock of a release. The error is a *DamageError, with the Path
// "." where there is none.
func (s store) frozen(release string) (Lock, error) {
	path := s.releasePath(release)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Lock{}, &DamageError{Path: ".", What: "is missing"}
	}
	damage := &DamageError{Path: filepath.Base(path)}
	lock := releaseLock(release, text)
	requirements, wrong := lock.Requirements()
	switch {
	case err != nil:
		damage.What = err.Error()
	case wrong != nil:
		damage.What = wrong.Error()
	case !slices.ContainsFunc(requirements, func(r Requirement) bool { return r.Name == library && r.Version == release }):
		damage.What = fmt.Sprintf("has no %s %s", library, release)
	default:
		return lock, nil
	}
	return Lock{}, damage
}

func releaseLock(release string, text []byte) Lock {
	return Lock{Name: "reference@" + release, Text: text}
}

// freeze resolves a release and writes its lock, whole or not at all. The caller
// holds the lock of the store.
func (s store) freeze(ctx context.Context, o *Options) (Lock, error) {
	o.report(Event{Step: StepResolve, Text: "choosing the packages of Transformers " + o.Release})
	wanted := fmt.Sprintf("%s==%s\njinja2\ntokenizers\nregex\n", library, o.Release)
	text, err := s.resolve(ctx, o, wish{requirements: []byte(wanted), platforms: Here, like: DefaultLock().Text})
	if err != nil {
		return Lock{}, releaseFailure(err, o.Release)
	}
	lock := releaseLock(o.Release, text)
	if _, err := lock.Requirements(); err != nil {
		return Lock{}, failure(ctx, StepResolve, "the lock of Transformers "+o.Release, "", err)
	}
	dir, err := s.fresh()
	if err != nil {
		return Lock{}, failure(ctx, StepCache, s.dir(), "", err)
	}
	defer os.RemoveAll(dir)
	half, path := filepath.Join(dir, "lock"), s.releasePath(o.Release)
	if err := errors.Join(os.WriteFile(half, text, 0o644), os.RemoveAll(path)); err != nil {
		return Lock{}, failure(ctx, StepResolve, path, "", err)
	}
	if err := os.Rename(half, path); err != nil {
		return Lock{}, failure(ctx, StepResolve, path, "", err)
	}
	return lock, nil
}

var (
	served = regexp.MustCompile(`requirement ` + library + `==\S+ \(from versions: ([^)]*)\)`)
	others = regexp.MustCompile(`require a different python version: (.*)`)
)

// nothing is what pip says of a package that an index does not have, and also of
// one where the index could not be reached, which it then says before.
const nothing = "(from versions: none)"

// releaseFailure says of a release what a set-up's failure means for it.
func releaseFailure(err error, release string) error {
	var setup *SetupError
	if !errors.As(err, &setup) || setup.Kind == Canceled {
		return err
	}
	here := fmt.Sprintf("CPython %s on %s", Version, platform())
	said := setup.Output
	setup.Tried = strings.Replace(setup.Tried, "the requirements", library+"=="+release, 1)
	list, old := served.FindStringSubmatch(said), others.FindStringSubmatch(said)
	// The first question of two is for the release alone.
	answered := setup.Step == StepResolve && strings.Count(said, "resolving for ") > 1 && kindOfOutput(strings.ReplaceAll(said, nothing, "")) != NoNetwork
	switch {
	case list != nil && old != nil && slices.Contains(strings.Fields(old[1]), release):
		setup.Kind, setup.Output, setup.Err = NoRelease, "", nil
		setup.Advice = fmt.Sprintf("Transformers %s does not run on %s: take a release that does", release, here)
	case setup.Kind == NoNetwork && !answered:
		setup.Advice = fmt.Sprintf(`on a machine of the same platform that reaches a package index, run "beamdiff setup --engine reference@%s" and copy its cache folder here (%s names it)
  or: there, "pip download --only-binary=:all: %s==%s jinja2 tokenizers regex" into a folder; here, set PIP_NO_INDEX=1 and PIP_FIND_LINKS to that folder
  or: name an index or proxy that this machine reaches (PIP_INDEX_URL, PIP_PROXY, PIP_CERT)`, release, CacheVariable, library, release)
	case list != nil:
		setup.Kind, setup.Output, setup.Err = NoRelease, "", nil
		setup.Advice = "the index has no such release of Transformers; it has " + near(strings.Split(list[1], ", "), release)
	case answered && (setup.Kind == NoNetwork || setup.Kind == NoWheel || setup.Kind == Other):
		setup.Kind = NoRelease
		setup.Advice = fmt.Sprintf("no set of wheels runs Transformers %s on %s: take a later release, or an index that serves what is missing (PIP_INDEX_URL)", release, here)
	case setup.Step == StepCompile && setup.Kind == Other:
		setup.Kind = NoRelease
		setup.Advice = fmt.Sprintf("Transformers %s was installed and does not run on %s: take a later release", release, here)
	}
	return err
}

// near are the releases of a list that are of the same minor version as one, or
// the last of all.
func near(all []string, release string) string {
	minor := release[:strings.LastIndexByte(release, '.')+1]
	same := slices.DeleteFunc(slices.Clone(all), func(v string) bool { return !strings.HasPrefix(v, minor) })
	if len(same) == 0 {
		same = all
	}
	return strings.Join(same[max(0, len(same)-8):], ", ")
}

// Releases gives the other releases of Transformers that are frozen in a cache
// folder, for this platform: their environments may have to be built still.
func Releases(cacheDir string) []string {
	return store(cacheDir).releases()
}
