package python

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// These tests use the real environment, in the cache folder that everything
// else uses: on a machine that has none the first of them installs it.

func TestReferenceEnvironment(t *testing.T) {
	e, err := Ensure(t.Context(), Options{Progress: func(e Event) { t.Log(e.Text) }})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.Verify(true); err != nil {
		t.Error(err)
	}
	// A module of the working folder must not be found before the library's, and
	// the parent's settings must not reach the process.
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "random.py"), []byte("raise SystemExit('wrong module')\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", folder)
	t.Setenv("PYTHONHASHSEED", "7")
	t.Setenv("TZ", "Asia/Tokyo")
	cmd := e.Command(t.Context(), "-c", `
import importlib.metadata, json, locale, os, platform, random, site, sys, time
import transformers, jinja2, tokenizers, regex
print(json.dumps({
    "python": platform.python_version(),
    "packages": {d.metadata["Name"].lower().replace("_", "-"): d.version for d in importlib.metadata.distributions()},
    "transformers": transformers.__version__,
    "torch": transformers.utils.is_torch_available(),
    "path": [p for p in sys.path if p.startswith(os.getcwd()) or p == ""],
    "hash": hash("beam"),
    "zone": time.tzname[0],
    "encoding": [sys.getfilesystemencoding(), sys.stdout.encoding, locale.getpreferredencoding(False)],
    "user": site.ENABLE_USER_SITE,
    "writes": not sys.dont_write_bytecode,
    "prefix": sys.prefix,
}))`)
	cmd.Dir = folder
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if stderr.Len() > 0 {
		t.Errorf("it wrote to standard error: %s", stderr.String())
	}
	var got struct {
		Python, Transformers, Zone, Prefix string
		Packages                           map[string]string
		Torch, User, Writes                bool
		Path, Encoding                     []string
		Hash                               int64
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if got.Python != Version || got.Transformers != "5.24.0" || got.Torch {
		t.Errorf("Python %s, Transformers %s, PyTorch %v", got.Python, got.Transformers, got.Torch)
	}
	if len(got.Path) > 0 || got.User || got.Writes || got.Zone != "UTC" || got.Prefix != e.Home() {
		t.Errorf("not frozen: %+v", got)
	}
	// hash("beam") under PYTHONHASHSEED=0 on a 64-bit machine.
	if want := []string{"utf-8", "utf-8", "utf-8"}; !slices.Equal(got.Encoding, want) {
		t.Errorf("encodings %q", got.Encoding)
	}
	if again, err := e.Command(t.Context(), "-c", `print(hash("beam"))`).Output(); err != nil || strings.TrimSpace(string(again)) != jsonInt(got.Hash) {
		t.Errorf("the hash seed is not fixed: %d, then %s, %v", got.Hash, again, err)
	}
	if len(e.Packages()) != len(got.Packages) {
		t.Errorf("the manifest has %d packages, Python finds %d", len(e.Packages()), len(got.Packages))
	}
	for _, p := range e.Packages() {
		if got.Packages[p.Name] != p.Version {
			t.Errorf("%s is %s, the manifest says %s", p.Name, got.Packages[p.Name], p.Version)
		}
	}
	// Running it changed nothing.
	if err := e.Verify(false); err != nil {
		t.Error(err)
	}
}

func jsonInt(n int64) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// BenchmarkEnsure is a start with the environment in place: the check of its
// files against the manifest.
func BenchmarkEnsure(b *testing.B) {
	e, err := Ensure(b.Context(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	for b.Loop() {
		again, err := Ensure(b.Context(), Options{})
		if err != nil {
			b.Fatal(err)
		}
		again.Close()
	}
	b.ReportMetric(float64(len(e.m.files)), "files")
}

// The real set-up where the index cannot be reached.
func TestNoNetwork(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().String()
	closed.Close()
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	t.Setenv("PIP_INDEX_URL", "http://"+address+"/simple")
	t.Setenv("PIP_EXTRA_INDEX_URL", "")
	t.Setenv("PIP_FIND_LINKS", "")
	t.Setenv("PIP_PROXY", "")
	t.Setenv("NO_PROXY", "127.0.0.1")
	t.Setenv("PIP_NO_CACHE_DIR", "1")
	t.Setenv("PIP_RETRIES", "0")
	cache := t.TempDir()
	_, err = Ensure(t.Context(), Options{CacheDir: cache})
	var setup *SetupError
	if !errors.As(err, &setup) || setup.Kind != NoNetwork || setup.Step != StepInstall {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"pip install", address, "beamdiff setup", CacheVariable, "PIP_NO_INDEX", "PIP_FIND_LINKS"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in the message:\n%v", part, err)
		}
	}
	wantNames(t, cache, "lock")
}

// A cache folder that was copied elsewhere is as good: no file holds its path,
// and compiled modules are not checked against the source's time.
func TestReferenceCanBeMoved(t *testing.T) {
	e, err := Ensure(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	elsewhere, err := os.MkdirTemp(e.CacheDir(), "moved-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(elsewhere)
	copied := store(elsewhere).path(DefaultLock())
	for _, f := range append(slices.Clone(e.m.files), file{path: manifestName}) {
		from, to := filepath.Join(e.Dir(), filepath.FromSlash(f.path)), filepath.Join(copied, filepath.FromSlash(f.path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Link(from, to)); err != nil {
			t.Fatal(err)
		}
	}
	moved, err := ensure(t.Context(), Options{CacheDir: elsewhere}, func(context.Context, string, *Options) error {
		return errors.New("it was built again")
	})
	if err != nil {
		t.Fatal(err)
	}
	defer moved.Close()
	out, err := moved.Command(t.Context(), "-c", "import transformers; print(transformers.__file__)").CombinedOutput()
	if want := filepath.Join(moved.Site(), "transformers", "__init__.py") + "\n"; err != nil || string(out) != want {
		t.Errorf("got %s%v, want %s", out, err, want)
	}
	compiled := filepath.Join(e.Site(), "transformers", "__pycache__", "__init__.cpython-314.pyc")
	head, err := os.ReadFile(compiled)
	// PEP 552: four bytes of flags after the magic number; 1 is "by hash, unchecked".
	if err != nil || len(head) < 8 || binary.LittleEndian.Uint32(head[4:8]) != 1 {
		t.Errorf("%s is not marked as unchecked: %v", compiled, err)
	}
}

// A helper ends with the process that started it, which a kill shows by closing
// the helper's standard input.
func TestHelperEndsWithItsParent(t *testing.T) {
	e, err := Ensure(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	w := &workshop{dir: e.Dir(), scratch: t.TempDir()}
	cmd, err := w.command(t.Context(), "sleep.py", "import time\nprint('up', flush=True)\ntime.sleep(60)\n")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = e.Environ(false)
	held, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "up\n" {
		t.Fatalf("it said %q, %v", line, err)
	}
	held.Close()
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 70 {
		t.Errorf("it ended with %v, want exit status 70", err)
	}
}
