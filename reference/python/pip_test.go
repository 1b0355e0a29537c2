package python

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const pipWords = `Ignoring colorama: markers 'sys_platform == "win32"' don't match your environment
Collecting annotated-doc==0.0.7 (from -r requirements.lock (line 12))
  Downloading annotated_doc-0.0.7-py3-none-any.whl (5.3 kB)
Collecting numpy==2.5.5 (from -r requirements.lock (line 52))
  WARNING: Retrying (Retry(total=4)) after connection broken by 'x': /numpy/
  Downloading numpy-2.5.5-cp314-cp314-manylinux_2_28_x86_64.whl (16.6 MB)
Installing collected packages: numpy, annotated-doc
`

func TestOutputTellsProgress(t *testing.T) {
	want := []Event{
		{StepInstall, "fetching package 1 of 2: annotated-doc 0.0.7", 1, 2},
		{StepInstall, "fetching package 2 of 2: numpy 2.5.5", 2, 2},
		{StepInstall, "no answer from the package index: trying again", 2, 2},
		{StepInstall, "installing 2 packages", 2, 2},
	}
	for _, size := range []int{1, 7, len(pipWords)} {
		var got []Event
		p := &output{step: StepInstall, total: 3, report: func(e Event) { got = append(got, e) }}
		for chunk := range slices.Chunk([]byte(pipWords), size) {
			if n, err := p.Write(chunk); n != len(chunk) || err != nil {
				t.Fatal(n, err)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("in pieces of %d: %v", size, got)
		}
	}
}

func TestOutputTail(t *testing.T) {
	p := &output{}
	p.Write([]byte(pipWords))
	p.Write([]byte("ERROR: the end, without a newline"))
	want := "  Downloading" // the routine lines before the warning count as one
	lines := strings.Split(p.tail(), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "Collecting numpy") || strings.HasPrefix(lines[0], want) ||
		!strings.Contains(lines[1], "Retrying") || !strings.HasPrefix(lines[2], "Installing") || lines[3] != "ERROR: the end, without a newline" {
		t.Errorf("got %q", lines)
	}
	for range 3 * tailLines {
		p.Write([]byte("x\r\n"))
	}
	if got := strings.Split(p.tail(), "\n"); len(got) != tailLines || got[tailLines-1] != "x" {
		t.Errorf("got %d lines, the last %q", len(got), got[len(got)-1])
	}
}

// The parent's settings of the way to the index are passed on, and nothing that
// says what to install or where.
func TestPipEnviron(t *testing.T) {
	for name, value := range map[string]string{
		"PIP_INDEX_URL": "http://index.invalid", "PIP_CERT": "c", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "f", "PIP_CONFIG_FILE": "p", "HTTPS_PROXY": "x",
		"PIP_TARGET": "t", "PIP_USER": "1", "PIP_PREFIX": "p", "PIP_REQUIRE_VIRTUALENV": "1", "PIP_NO_BINARY": ":all:", "PIP_CONSTRAINT": "c",
		"PIP_PYTHON": "/usr/bin/python3", "PYTHONPATH": "/evil", "PYTHONSTARTUP": "s", "TMPDIR": t.TempDir(),
	} {
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	w := &workshop{dir: dir, scratch: dir, pip: filepath.Join(dir, "pip")}
	env, err := w.pipEnviron()
	if err != nil {
		t.Fatal(err)
	}
	get := map[string]string{}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		get[name] = value // the last one holds, as for exec
	}
	for name, want := range map[string]string{
		"PIP_INDEX_URL": "http://index.invalid", "PIP_CERT": "c", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "f", "PIP_CONFIG_FILE": "p", "HTTPS_PROXY": "x",
		"PIP_TARGET": "", "PIP_USER": "", "PIP_PREFIX": "", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_NO_BINARY": "", "PIP_CONSTRAINT": filepath.Join(dir, "nothing.txt"),
		"PIP_PYTHON": "", "PYTHONPATH": w.pip, "PYTHONSTARTUP": "", "TMPDIR": dir, "PATH": os.Getenv("PATH"),
	} {
		if got := get[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "nothing.txt")); err != nil || len(text) != 0 {
		t.Errorf("constraints: %q, %v", text, err)
	}
}

func TestKindsOfFailure(t *testing.T) {
	exit := &exec.ExitError{}
	for _, c := range []struct {
		name   string
		step   Step
		output string
		err    error
		want   Kind
	}{
		{"refused", StepInstall, "WARNING: Retrying after connection broken by 'NewConnectionError(...)'\nERROR: No matching distribution found for a==1", exit, NoNetwork},
		{"no such name", StepInstall, "getaddrinfo failed\nERROR: No matching distribution found", exit, NoNetwork},
		{"nothing served", StepInstall, "ERROR: Could not find a version that satisfies the requirement a==1 (from versions: none)\nERROR: No matching distribution found for a==1", exit, NoNetwork},
		{"not served", StepInstall, "ERROR: Could not find a version that satisfies the requirement a==1 (from versions: 2, 3)\nERROR: No matching distribution found for a==1", exit, NoWheel},
		{"hash", StepInstall, "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", exit, BadHash},
		{"pip finds the disk full", StepInstall, "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", exit, NoSpace},
		{"old C library", StepCompile, "python3: /lib/libc.so.6: version `GLIBC_2.28' not found", exit, NoPlatform},
		{"unknown words", StepInstall, "something else", exit, Other},
		{"disk full", StepUnpack, "", &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, NoSpace},
		{"quota", StepUnpack, "", syscall.EDQUOT, NoSpace},
		{"read-only", StepUnpack, "", syscall.EROFS, NoAccess},
		{"no permission", StepUnpack, "", fs.ErrPermission, NoAccess},
		{"no such folder", StepCache, "", fs.ErrNotExist, NoAccess},
		{"cannot be started", StepInstall, "", &startError{syscall.ENOEXEC}, NoPlatform},
		{"mounted noexec", StepInstall, "", &startError{fs.ErrPermission}, NoAccess},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := startFailure(t.Context(), c.step, "tried this", c.output, c.err)
			var setup *SetupError
			if !errors.As(err, &setup) || setup.Kind != c.want || setup.Step != c.step || !errors.Is(err, c.err) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			text := err.Error()
			for _, part := range []string{string(c.step), string(c.want), "tried this", "what to do: "} {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in the message:\n%s", part, text)
				}
			}
			if c.output != "" && !strings.Contains(text, strings.Split(c.output, "\n")[0]) {
				t.Errorf("the output is not in the message:\n%s", text)
			}
		})
	}
}

// What is not found where no index may be asked is one more case of no network.
func TestNotFoundOffline(t *testing.T) {
	const words = "ERROR: No matching distribution found for a==1"
	t.Setenv("PIP_NO_INDEX", "")
	for _, c := range []struct {
		offline bool
		noIndex string
		want    Kind
	}{{false, "", NoWheel}, {true, "", NoNetwork}, {false, "1", NoNetwork}} {
		t.Setenv("PIP_NO_INDEX", c.noIndex)
		var setup *SetupError
		err := pipFailure(t.Context(), StepInstall, "", words, c.offline, &exec.ExitError{})
		if !errors.As(err, &setup) || setup.Kind != c.want {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

func TestCanceledFailureKeepsTheCause(t *testing.T) {
	cause := errors.New("the user's wish")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	var setup *SetupError
	err := failure(ctx, StepInstall, "pip", "many lines", &exec.ExitError{})
	if !errors.As(err, &setup) || setup.Kind != Canceled || !errors.Is(err, cause) || setup.Output != "" {
		t.Errorf("got %v", err)
	}
}
