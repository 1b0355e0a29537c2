package python

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A wheel that another machine's Python runs is fetched where its tag is named, and
// else is not found.
func TestDownloadTag(t *testing.T) {
	e, err := Ensure(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	wheels := t.TempDir()
	onlyWheels(t, wheels)
	hash := writeWheel(t, wheels, "alpha", "1.5", "cp313-cp313-manylinux_2_34_aarch64")
	lock := Lock{Name: "alpha", Text: fmt.Appendf(nil, "alpha==1.5 --hash=sha256:%s\n", hash)}
	err = e.Download(t.Context(), Options{}, lock, t.TempDir())
	if setup := (*SetupError)(nil); !errors.As(err, &setup) {
		t.Errorf("without a tag: %v", err)
	}
	lock.Tag = "3.13-manylinux_2_34_aarch64"
	dir := t.TempDir()
	if err := e.Download(t.Context(), Options{}, lock, dir); err != nil {
		t.Fatal(err)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*.whl")); len(found) != 1 {
		t.Errorf("the folder holds %v", found)
	}
}

// An environment of other packages than the reference's is tried by importing them,
// and one may have none.
func TestModules(t *testing.T) {
	wheels := t.TempDir()
	onlyWheels(t, wheels)
	hash := writeWheel(t, wheels, "alpha", "1.5", "py3-none-any")
	with := Lock{Name: "alpha", Text: fmt.Appendf(nil, "alpha==1.5 --hash=sha256:%s\n", hash), Modules: []string{"alpha"}}
	alone := Lock{Name: "alone", Text: []byte("# CPython alone\n"), Modules: []string{"json"}}
	for _, lock := range []Lock{with, alone} {
		e, err := Ensure(t.Context(), Options{CacheDir: t.TempDir(), Lock: lock})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		cmd := e.Command(t.Context(), "-c", "import "+lock.Modules[0]+"; print('here')")
		if out, err := cmd.Output(); err != nil || string(out) != "here"+lineEnd {
			t.Errorf("%s: %q, %v", lock.Name, out, err)
		}
	}
	with.Modules = []string{"alpha", "beta"}
	_, err := Ensure(t.Context(), Options{CacheDir: t.TempDir(), Lock: with})
	if setup := (*SetupError)(nil); !errors.As(err, &setup) || setup.Step != StepCompile {
		t.Errorf("a module that is not there: %v", err)
	}
	alone.Modules = nil
	if _, err := alone.Requirements(); err == nil {
		t.Error("a lock of the reference without a package is none")
	}
}

var lineEnd = map[bool]string{true: "\r\n", false: "\n"}[os.PathSeparator == '\\']

// A lock may leave out the platforms that a package has no wheels for; it names them.
func TestResolveServed(t *testing.T) {
	wheels := t.TempDir()
	onlyWheels(t, wheels)
	hash := writeWheel(t, wheels, "alpha", "1.5", "cp314-cp314-manylinux_2_17_x86_64")
	lock, err := Resolve(t.Context(), Options{CacheDir: t.TempDir()}, "alpha", []byte("alpha\n"), Served)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"#   Linux x86_64, glibc 2.28\n", "\n# Not all of them have one for: Linux aarch64", "; Windows AMD64\n", "alpha==1.5 \\\n    --hash=sha256:" + hash + "\n"} {
		if !strings.Contains(string(lock.Text), part) {
			t.Errorf("no %q in\n%s", part, lock.Text)
		}
	}
}
