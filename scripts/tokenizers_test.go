//go:build unix && tokenizers

// Package scripts tests the scripts that have more than one way:
// scripts/tokenizers, where a C compiler, tar and gzip are, as for the library; and
// what .ci/run installs.
package scripts

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// library is what the script takes for a library: it has the symbol that the
// module links with.
const library = "!<arch> tokenizers_version_1_23_0"

// machine is one on which the script runs: an empty cache and a home of its own.
type machine struct {
	t     *testing.T
	env   []string
	cache string
}

func newMachine(t *testing.T, env ...string) *machine {
	m := &machine{t: t, cache: filepath.Join(t.TempDir(), "the cache")}
	m.env = append(os.Environ(), "HOME="+t.TempDir(), "BEAMDIFF_CACHE="+m.cache, "TOKENIZERS_LIB=", "TOKENIZERS_RELEASE=", "TOKENIZERS_RELEASE_SHA256=", "CGO_ENABLED=1")
	for _, name := range []string{"GOMODCACHE", "GOCACHE", "GOPATH"} { // not those of the new home
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		m.env = append(m.env, name+"="+strings.TrimSpace(string(out)))
	}
	m.env = append(m.env, env...)
	return m
}

// command is the script, started in a folder that is not the repository's.
func (m *machine) command(args ...string) *exec.Cmd {
	script, err := filepath.Abs("tokenizers")
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command(script, args...)
	cmd.Dir, cmd.Env = m.t.TempDir(), m.env
	return cmd
}

// run gives what the script printed, what it said, and its exit code.
func (m *machine) run(args ...string) (stdout, stderr string, code int) {
	m.t.Helper()
	var out, words bytes.Buffer
	cmd := m.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &words
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return out.String(), words.String(), cmd.ProcessState.ExitCode()
}

// works runs the script, which must print one folder with the library.
func (m *machine) works() string {
	m.t.Helper()
	out, words, code := m.run()
	dir, isLine := strings.CutSuffix(out, "\n")
	if code != 0 || !isLine || strings.Contains(dir, "\n") {
		m.t.Fatalf("exit %d, printed %q, said %s", code, out, words)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "libtokenizers.a")); err != nil || string(data) != library {
		m.t.Errorf("in %s: %q, %v", dir, data, err)
	}
	return dir
}

// fails runs the script, which must end with a code, say something and leave no
// library.
func (m *machine) fails(code int, say string, args ...string) {
	m.t.Helper()
	out, words, got := m.run(args...)
	if got != code || out != "" || !strings.Contains(words, say) {
		m.t.Errorf("exit %d, printed %q, said %s\nwant exit %d and %q", got, out, words, code, say)
	}
	if found, _ := filepath.Glob(filepath.Join(m.cache, "tokenizers", "*", "libtokenizers.a")); len(found) > 0 {
		m.t.Errorf("left %s", found)
	}
}

func (m *machine) write(name, text string, mode os.FileMode) string {
	m.t.Helper()
	path := filepath.Join(m.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		m.t.Fatal(err)
	}
	return path
}

// cargo gives the machine a cargo that only acts; build is what it does for a
// build. It notes each call in the file that is returned.
func (m *machine) cargo(build string) (calls string) {
	calls = filepath.Join(m.t.TempDir(), "calls")
	m.env = append(m.env, "CARGO="+m.write("cargo", fmt.Sprintf(`#!/bin/sh
echo "$1" >>%s
case $1 in
--version) echo 'cargo 1.85.0 (abc 2025-01-01)' ;;
build) mkdir -p target/release; %s ;;
esac
`, calls, build), 0o755))
	return calls
}

const makes = "printf '" + library + "' >target/release/libtokenizers.a; echo built"

func TestBuild(t *testing.T) {
	m := newMachine(t)
	calls := m.cargo(makes)
	if m.fails(2, "unknown argument", "--what"); t.Failed() {
		return
	}
	if out, words, code := m.run("--check"); code != 0 || out+words != "" {
		t.Errorf("--check: exit %d, %s%s", code, out, words)
	}
	dir := m.works()
	if again := m.works(); again != dir {
		t.Errorf("first %s, then %s", dir, again)
	}
	if said, _ := os.ReadFile(calls); strings.Count(string(said), "build") != 1 || strings.Count(string(said), "fetch") != 1 {
		t.Errorf("calls: %s", said)
	}
	if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) != 1 {
		t.Errorf("left in the cache: %v", left)
	}
}

func TestBuildFails(t *testing.T) {
	for _, c := range []struct {
		name, say string
		prepare   func(m *machine)
	}{
		{"no Rust", "lacks Rust 1.85 or newer (cargo)", func(m *machine) { m.env = append(m.env, "CARGO=no-cargo-here") }},
		{"old Rust", "lacks Rust 1.85 or newer (cargo is 1.63.0)", func(m *machine) {
			m.env = append(m.env, "CARGO="+m.write("cargo", "#!/bin/sh\necho cargo 1.63.0\n", 0o755))
		}},
		{"no C compiler", "lacks a C compiler", func(m *machine) { m.cargo(makes); m.env = append(m.env, "CC=no-cc-here") }},
		{"no C++ library", "lacks a C++ compiler", func(m *machine) {
			m.cargo(makes)
			m.env = append(m.env, "CC="+m.write("cc", "#!/bin/sh\nexit 1\n", 0o755))
		}},
		{"no network for crates", "cargo fetch failed", func(m *machine) {
			m.env = append(m.env, "CARGO="+m.write("cargo", "#!/bin/sh\n[ $1 = --version ] && echo cargo 1.90.0\n", 0o755))
		}},
		{"no network for the module", "go mod download github.com/daulet/tokenizers@v1.24.0 failed", func(m *machine) {
			m.cargo(makes)
			m.env = append(m.env, "GOMODCACHE="+m.t.TempDir(), "GOPROXY=off", "GOFLAGS=-modcacherw")
		}},
		{"a build that fails", "cargo build failed", func(m *machine) { m.cargo("printf half >target/release/libtokenizers.a; exit 101") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			c.prepare(m)
			m.fails(3, c.say)
		})
	}
}

// An interrupted build leaves no library, and the next run makes it.
func TestInterrupted(t *testing.T) {
	m := newMachine(t)
	started := filepath.Join(t.TempDir(), "started")
	m.cargo("printf half >target/release/libtokenizers.a; touch " + started + "; sleep 60")
	cmd := m.command()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(started); err == nil || time.Now().After(deadline) {
			break
		}
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
	if err := cmd.Wait(); err == nil {
		t.Error("an interrupted run has worked")
	}
	if found, _ := filepath.Glob(filepath.Join(m.cache, "tokenizers", "*", "libtokenizers.a")); len(found) > 0 {
		t.Errorf("left %s", found)
	}
	m.cargo(makes)
	m.works()
}

func TestGivenLibrary(t *testing.T) {
	m := newMachine(t, "CARGO=no-cargo-here")
	file := m.write("libtokenizers.a", library, 0o644)
	for _, given := range []string{file, filepath.Dir(file)} {
		m.env = append(m.env, "TOKENIZERS_LIB="+given)
		if dir := m.works(); dir != filepath.Dir(file) {
			t.Errorf("%s: got %s", given, dir)
		}
	}
	m.env = append(m.env, "TOKENIZERS_LIB="+m.write("libtokenizers.a", "tokenizers_version_1_22_0", 0o644))
	m.fails(2, "has no tokenizers_version_1_23_0")
	m.env = append(m.env, "TOKENIZERS_LIB="+t.TempDir())
	m.fails(2, "there is no libtokenizers.a in ")
}

// release makes an archive with one file.
func (m *machine) release(name, text string) (path, digest string) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	err := errors.Join(w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}))
	_, werr := w.Write([]byte(text))
	if err := errors.Join(err, werr, w.Close(), z.Close()); err != nil {
		m.t.Fatal(err)
	}
	return m.write("release.tar.gz", b.String(), 0o644), fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))
}

func TestRelease(t *testing.T) {
	m := newMachine(t, "CARGO=no-cargo-here")
	path, digest := m.release("libtokenizers.a", library)
	with := func(path, digest string) {
		m.env = append(m.env, "TOKENIZERS_RELEASE="+path, "TOKENIZERS_RELEASE_SHA256="+digest)
	}
	with(path, strings.Repeat("0", 64))
	m.fails(2, "the sha256 of "+path+" is "+digest)
	other, _ := m.release("README", library)
	with(other, "")
	m.fails(2, "holds no libtokenizers.a")
	old, _ := m.release("libtokenizers.a", "tokenizers_version_1_22_0")
	with(old, "")
	m.fails(2, "has no tokenizers_version_1_23_0")
	with(m.write("release.tar.gz", "no archive", 0o644), "")
	m.fails(2, "it is no .tar.gz")
	with(path+".gone", "")
	m.fails(2, "there is no file")
	with(path, digest)
	dir := m.works()
	with(path, "")
	if again := m.works(); again != dir {
		t.Errorf("first %s, then %s", dir, again)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left beside the library: %v", left)
	}
}

// The lock names the one public index; the manifest is of the module's version.
func TestLock(t *testing.T) {
	lock, err := os.ReadFile("libtokenizers/Cargo.lock")
	if err != nil {
		t.Fatal(err)
	}
	sources := regexp.MustCompile(`(?m)^source = "(.*)"$`).FindAllStringSubmatch(string(lock), -1)
	if len(sources) < 50 {
		t.Errorf("only %d crates", len(sources))
	}
	for _, s := range sources {
		if s[1] != "registry+https://github.com/rust-lang/crates.io-index" {
			t.Errorf("a crate from %s", s[1])
		}
	}
	manifest, err := os.ReadFile("libtokenizers/Cargo.toml")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`github.com/daulet/tokenizers v(\S+)`).FindSubmatch(mod)
	for name, text := range map[string]string{"Cargo.toml": string(manifest), "Cargo.lock": string(lock)} {
		if want := `version = "` + string(version[1]) + `"`; !strings.Contains(text, want) {
			t.Errorf("%s has no %s: run scripts/tokenizers --lock after a new version of the module", name, want)
		}
	}
}
