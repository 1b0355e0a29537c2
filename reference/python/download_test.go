package python

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A wheel is fetched with its hash, alone, and nothing else stays in the folder
// or changes in the environment.
func TestDownload(t *testing.T) {
	e, err := Ensure(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	wheels := t.TempDir()
	onlyWheels(t, wheels)
	hash := writeWheel(t, wheels, "alpha", "1.5", "py3-none-any", "beta>=1")
	lock := func(version, hash string) Lock {
		return Lock{Name: "alpha", Text: fmt.Appendf(nil, "alpha==%s --hash=sha256:%s\n", version, hash)}
	}
	dir := t.TempDir()
	if err := e.Download(t.Context(), Options{}, lock("1.5", hash), dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "alpha-1.5-py3-none-any.whl" {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if err := e.Verify(false); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name    string
		lock    Lock
		offline bool
		kind    Kind
		parts   []string
	}{
		{"another hash", lock("1.5", strings.Repeat("0", 64)), false, BadHash, []string{"alpha==1.5"}},
		{"offline", lock("1.6", hash), true, NoNetwork, []string{"pip download", "--no-index", "beamdiff setup", CacheVariable, "PIP_FIND_LINKS", "alpha==1.6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			err := e.Download(t.Context(), Options{Offline: c.offline}, c.lock, dir)
			var setup *SetupError
			if !errors.As(err, &setup) || setup.Kind != c.kind || setup.Step != StepFetch {
				t.Fatalf("got %v", err)
			}
			for _, part := range c.parts {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in the message:\n%v", part, err)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
				t.Errorf("it left %q", left)
			}
		})
	}
	var bad *LockError
	if err := e.Download(t.Context(), Options{}, Lock{Text: []byte("alpha>=1\n")}, t.TempDir()); !errors.As(err, &bad) {
		t.Errorf("an open version gives %v", err)
	}
}

// A file of a package is given only as it was installed.
func TestPackageFile(t *testing.T) {
	e, err := Ensure(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	text, err := e.PackageFile("jinja2/__init__.py")
	if err != nil || !strings.Contains(string(text), "Environment") {
		t.Errorf("got %d bytes, %v", len(text), err)
	}
	for i, f := range e.m.files { // of this Env alone
		if f.path == "site/jinja2/loaders.py" {
			e.m.files[i].sha256 = strings.Repeat("0", 64)
		}
	}
	for _, name := range []string{"jinja2/loaders.py", "jinja2/none.py", "../python/bin/python3", ""} {
		var damage *DamageError
		if _, err := e.PackageFile(name); !errors.As(err, &damage) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
