package python

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// index serves the wheels of a folder as a package index does.
type index struct {
	folder string
	needs  string       // what Python the wheels of Transformers need; "" for any
	asked  atomic.Int64 // how often for Transformers
}

func (x *index) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, is := strings.CutPrefix(r.URL.Path, "/files/"); is {
		http.ServeFile(w, r, filepath.Join(x.folder, filepath.Base(name)))
		return
	}
	name := folded(filepath.Base(r.URL.Path))
	needs := ""
	if name == library {
		x.asked.Add(1)
		needs = x.needs
	}
	files, _ := os.ReadDir(x.folder)
	fmt.Fprint(w, "<!DOCTYPE html><html><body>\n")
	for _, f := range files {
		if strings.HasPrefix(f.Name(), name+"-") {
			fmt.Fprintf(w, "<a href=\"/files/%s\" data-requires-python=\"%s\">%[1]s</a>\n", f.Name(), strings.ReplaceAll(needs, "<", "&lt;"))
		}
	}
	fmt.Fprint(w, "</body></html>\n")
}

// newIndex serves Transformers 1.2.3, which takes another alpha than the newest,
// and what every release needs: in the default lock's version and in a newer one.
func newIndex(t *testing.T) (*index, *httptest.Server) {
	t.Helper()
	x := &index{folder: t.TempDir()}
	server := httptest.NewServer(x)
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"PIP_INDEX_URL": server.URL + "/simple", "PIP_CONFIG_FILE": os.DevNull, "PIP_EXTRA_INDEX_URL": "", "PIP_FIND_LINKS": "", "PIP_NO_INDEX": "",
		"PIP_PROXY": "", "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "PIP_NO_CACHE_DIR": "1", "PIP_RETRIES": "0",
	} {
		t.Setenv(name, value)
	}
	requirements, err := DefaultLock().Requirements()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requirements {
		if slices.Contains([]string{"jinja2", "tokenizers", "regex"}, r.Name) {
			writeWheel(t, x.folder, r.Name, r.Version, "py3-none-any")
			writeWheel(t, x.folder, r.Name, "9999.0", "py3-none-any")
		}
	}
	writeWheel(t, x.folder, library, "1.2.3", "py3-none-any", "alpha<2", "tokenizers!="+versionOf(requirements, "tokenizers"))
	writeWheel(t, x.folder, "alpha", "1.0", "py3-none-any")
	writeWheel(t, x.folder, "alpha", "2.0", "py3-none-any")
	return x, server
}

func versionOf(requirements []Requirement, name string) string {
	for _, r := range requirements {
		if r.Name == name {
			return r.Version
		}
	}
	return ""
}

// fakeSite builds an environment that holds the metadata of the lock's packages.
func fakeSite(_ context.Context, dir string, o *Options) error {
	requirements, err := o.Lock.Requirements()
	if err != nil {
		return err
	}
	for _, r := range requirements {
		if err := os.MkdirAll(filepath.Join(siteIn(dir), r.Name+"-"+r.Version+".dist-info"), 0o755); err != nil {
			return err
		}
	}
	return writeFake(dir, "0")
}

func TestReleaseIsFrozen(t *testing.T) {
	x, server := newIndex(t)
	cache := t.TempDir()
	o := Options{CacheDir: cache, Release: "1.2.3"}
	var damage *DamageError
	if _, err := Find(o); !errors.As(err, &damage) || damage.Path != "." {
		t.Errorf("before it is there: %v", err)
	}
	// Of two runs at once one resolves and builds.
	var wait sync.WaitGroup
	var built atomic.Int64
	var both [2]*Env
	for i := range both {
		wait.Go(func() {
			var err error
			both[i], err = ensure(t.Context(), o, func(ctx context.Context, dir string, o *Options) error {
				built.Add(1)
				return fakeSite(ctx, dir, o)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if t.Failed() {
		t.FailNow()
	}
	asked := x.asked.Load()
	if built.Load() != 1 {
		t.Errorf("built %d times", built.Load())
	}
	e := both[0]
	defer both[1].Close()
	requirements, _ := DefaultLock().Requirements()
	for name, want := range map[string]string{
		library: "1.2.3", "alpha": "1.0", "jinja2": versionOf(requirements, "jinja2"), "regex": versionOf(requirements, "regex"),
		"tokenizers": "9999.0", // the release takes any but the default's
	} {
		if got := e.PackageVersion(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if e.m.lockName != "reference@1.2.3" || !slices.Equal(Releases(cache), []string{"1.2.3"}) {
		t.Errorf("the lock is named %s; releases %q", e.m.lockName, Releases(cache))
	}
	lock := filepath.Base(store(cache).releasePath("1.2.3"))
	wantNames(t, cache, e.Name(), e.Name()+useSuffix, "lock", lock)
	if again, err := Find(o); err != nil || again.Name() != e.Name() || again.Close() != nil {
		t.Errorf("found %v, %v", again, err)
	}

	// From then on the lock says what is installed, and no index.
	writeWheel(t, x.folder, "alpha", "1.5", "py3-none-any")
	if err := os.RemoveAll(e.Dir()); err != nil {
		t.Fatal(err)
	}
	again, err := ensure(t.Context(), o, fakeSite)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.PackageVersion("alpha") != "1.0" || x.asked.Load() != asked {
		t.Errorf("alpha %s, the index was asked %d times more", again.PackageVersion("alpha"), x.asked.Load()-asked)
	}

	// A lock that is damaged is made again.
	for _, text := range []string{"alpha==1.0 --hash=sha256:" + zeros + "\n", "nonsense\n"} {
		if err := os.WriteFile(filepath.Join(store(cache).dir(), lock), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Find(o); !errors.As(err, &damage) || damage.Path != lock {
			t.Errorf("with the lock %q: %v", text, err)
		}
	}
	mended, err := ensure(t.Context(), o, fakeSite)
	if err != nil {
		t.Fatal(err)
	}
	defer mended.Close()
	if mended.PackageVersion("alpha") != "1.5" {
		t.Errorf("alpha is %s, though the index has 1.5", mended.PackageVersion("alpha"))
	}

	server.Close()
	_, err = ensure(t.Context(), Options{CacheDir: cache, Release: "1.2.4"}, fakeSite)
	var setup *SetupError
	if !errors.As(err, &setup) || setup.Kind != NoNetwork || setup.Step != StepResolve || !strings.Contains(setup.Advice, "beamdiff setup --engine reference@1.2.4") {
		t.Errorf("without an index: %v", err)
	}
	if !slices.Equal(Releases(cache), []string{"1.2.3"}) {
		t.Errorf("releases %q", Releases(cache))
	}
}

func TestReleaseThatCannotBeHad(t *testing.T) {
	for _, c := range []struct {
		name    string
		release string
		plant   func(t *testing.T, x *index)
		step    Step
		want    string
	}{
		{"unknown", "1.2.4", func(*testing.T, *index) {}, StepResolve, "no such release of Transformers; it has 1.2.3"},
		{"for another Python", "1.2.3", func(_ *testing.T, x *index) { x.needs = "<3.9" }, StepResolve, "Transformers 1.2.3 does not run on CPython " + Version},
		{"no wheel of what it needs", "1.2.5", func(t *testing.T, x *index) { writeWheel(t, x.folder, library, "1.2.5", "py3-none-any", "beta") },
			StepResolve, "no set of wheels runs Transformers 1.2.5 on CPython " + Version},
		// The wheels hold nothing that could be imported as a tokenizer.
		{"does not run", "1.2.3", func(*testing.T, *index) {}, StepCompile, "Transformers 1.2.3 was installed and does not run on CPython " + Version},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, _ := newIndex(t)
			c.plant(t, x)
			cache := t.TempDir()
			_, err := Ensure(t.Context(), Options{CacheDir: cache, Release: c.release})
			var setup *SetupError
			if !errors.As(err, &setup) || setup.Kind != NoRelease || setup.Step != c.step || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v", err)
			}
			if strings.Contains(err.Error(), "exit status") {
				t.Errorf("it tells how pip ended: %v", err)
			}
			for _, name := range names(t, cache) {
				if name != "lock" && (c.step == StepResolve || name != filepath.Base(store(cache).releasePath(c.release))) {
					t.Errorf("%q was left", name)
				}
			}
		})
	}
}

func TestReleaseNames(t *testing.T) {
	for text, want := range map[string]bool{
		"5.23.0": true, "4.57.6": true, "5.0.0rc1": true, "5.10.2.post1": true, "0.1.0": true,
		"": false, "5": false, "5.23": false, "5.23.0.1": false, "v5.23.0": false, "05.23.0": false, "5.23.0 ": false, "5.23.0\n": false, "latest": false,
		"../5.1.0": false, "5.1.0/x": false, "5.1.x": false, "5.1.0+local": false, "-5.1.0": false, "99999.1.0": false,
	} {
		var bad *VersionError
		err := CheckRelease(text)
		if (err == nil) != want || err != nil && !errors.As(err, &bad) {
			t.Errorf("%q: %v", text, err)
		}
		o := Options{CacheDir: t.TempDir(), Release: text}
		if err := o.complete(); text != "" && (err == nil) != want || err != nil && !errors.As(err, &bad) {
			t.Errorf("as an option, %q: %v", text, err)
		}
	}
	// The default lock's release is the default environment.
	o := Options{CacheDir: t.TempDir(), Release: Release()}
	if err := o.complete(); err != nil || o.Release != "" || o.Lock.Hash() != DefaultLock().Hash() {
		t.Errorf("%s gives the lock %s, %v", Release(), o.Lock.Name, err)
	}
}

// A release goes with its lock, unless it is to be kept or another run uses it.
func TestPruneReleases(t *testing.T) {
	cache := t.TempDir()
	made := map[string]*Env{}
	for _, release := range []string{"1.0.0", "2.0.0", "3.0.0", "4.0.0"} {
		o := Options{CacheDir: cache, Release: release}
		text := fmt.Sprintf("alpha==1.0 --hash=sha256:%s\n%s==%s --hash=sha256:%[1]s\n", zeros, library, release)
		if err := errors.Join(os.MkdirAll(store(cache).dir(), 0o755), os.WriteFile(store(cache).releasePath(release), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
		if release == "4.0.0" {
			continue // resolved, not built
		}
		e, err := ensure(t.Context(), o, fakeSite)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		made[release] = e
	}
	current := mustEnsure(t, Options{CacheDir: cache, Lock: lockOf("1.0")}, &fake{})
	for _, release := range []string{"1.0.0", "3.0.0"} { // 3.0.0 is used on
		if err := made[release].Close(); release == "1.0.0" && err != nil {
			t.Fatal(err)
		}
	}
	busy, err := Find(Options{CacheDir: cache, Release: "3.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	removed, used, err := current.Prune(t.Context(), made["2.0.0"])
	if err != nil || !slices.Equal(removed, []string{made["1.0.0"].Name()}) || !slices.Equal(used, []string{busy.Name()}) {
		t.Errorf("removed %q, in use %q, %v", removed, used, err)
	}
	if got := Releases(cache); !slices.Equal(got, []string{"2.0.0", "3.0.0"}) {
		t.Errorf("the locks of %q are left", got)
	}
}
