package python

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	embeddedpip "github.com/kluctl/go-embed-python/pip"
	embedded "github.com/kluctl/go-embed-python/python"
)

//go:embed compile.py
var compileScript string

//go:embed pip.py
var pipScript string

// build fills dir with CPython and the packages of the lock, and compiles what a
// worker loads. Its errors are *SetupError.
func build(ctx context.Context, dir string, o *Options) error {
	o.report(StepUnpack, "unpacking CPython "+Version)
	if err := unpack(dir); err != nil {
		return failure(ctx, StepUnpack, dir, "", err)
	}
	pip, cleanup, err := unpackPip(dir)
	if err != nil {
		return failure(ctx, StepUnpack, dir, "", err)
	}
	defer cleanup()
	if err := installPackages(ctx, dir, pip, o); err != nil {
		return err
	}
	cleanup()
	o.report(StepCompile, "compiling and trying the packages")
	return compile(ctx, dir)
}

// unpack puts CPython into dir/python, without what a worker never runs: the
// copies of the program under other names, and Tk.
func unpack(dir string) error {
	home := homeIn(dir)
	if _, err := embedded.NewEmbeddedPythonWithTmpDir(home, false); err != nil {
		return err
	}
	// The module's own file lock; ours covers it.
	if err := os.Remove(home + ".lock"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, pattern := range []string{
		"bin/*", "lib/libtcl*", "lib/libtk*", "lib/itcl*", "lib/tcl*", "lib/tk*", "lib/thread*",
		"lib/python3.*/tkinter", "lib/python3.*/idlelib", "lib/python3.*/turtledemo", "lib/python3.*/config-*", "lib/python3.*/lib-dynload/_tkinter*",
		"Lib/tkinter", "Lib/idlelib", "Lib/turtledemo", "tcl", "DLLs/tcl*", "DLLs/tk*", "DLLs/_tkinter*",
	} {
		matches, err := filepath.Glob(filepath.Join(home, filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, path := range matches {
			if path == executableIn(dir) {
				continue
			}
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// unpackPip puts pip into a folder of its own within dir and gives its path.
//
// The module unpacks it at os.TempDir()/go-embedded-pip-NAME-HASH. The
// environment's folder is where it belongs, so NAME leads there from the
// temporary folder. Where no relative path does (another drive), pip stays in
// the temporary folder under a name that nobody can guess, until cleanup.
func unpackPip(dir string) (path string, cleanup func(), err error) {
	name := "beamdiff-" + rand.Text()
	if temp, err := filepath.Abs(os.TempDir()); err == nil && temp == filepath.Clean(os.TempDir()) {
		if rel, err := filepath.Rel(temp, filepath.Join(dir, "pip")); err == nil {
			name = fmt.Sprintf("%[1]c..%[1]c%[2]s", filepath.Separator, rel)
		}
	}
	files, err := embeddedpip.NewPipLib(name)
	if err != nil {
		return "", nil, err
	}
	path = files.GetExtractedPath()
	return path, func() {
		os.RemoveAll(path)
		os.Remove(path + ".lock")
	}, nil
}

// installPackages runs pip.
func installPackages(ctx context.Context, dir, pip string, o *Options) error {
	scratch := filepath.Join(dir, "scratch")
	if err := os.Mkdir(scratch, 0o755); err != nil {
		return failure(ctx, StepInstall, scratch, "", err)
	}
	defer os.RemoveAll(scratch)
	lock, nothing := filepath.Join(scratch, "lock.txt"), filepath.Join(scratch, "nothing.txt")
	for path, text := range map[string][]byte{lock: o.Lock.Text, nothing: nil} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return failure(ctx, StepInstall, path, "", err)
		}
	}
	args := []string{
		"install", "--requirement", lock, "--target", siteIn(dir), "--require-hashes", "--no-deps", "--only-binary=:all:",
		"--no-compile", "--no-user", "--prefix=", "--progress-bar=off", "--no-input", "--no-color", "--disable-pip-version-check", "--no-warn-script-location",
	}
	if o.Offline {
		args = append(args, "--no-index")
	}
	requirements, err := o.Lock.Requirements()
	if err != nil {
		return err
	}
	words := &pipOutput{total: len(requirements), report: func(text string) { o.report(StepInstall, text) }}
	cmd := exec.CommandContext(ctx, executableIn(dir), append([]string{"-s", "-P", "-c", pipScript}, args...)...)
	cmd.Env = append(pipEnviron(os.Environ()), "PYTHONHOME="+homeIn(dir), "PYTHONPATH="+pip, "PIP_CONSTRAINT="+nothing, "TMPDIR="+scratch, "TEMP="+scratch, "TMP="+scratch)
	cmd.Stdout, cmd.Stderr = words, words
	tried := "pip " + strings.Join(args, " ")
	if err := run(ctx, cmd); err != nil {
		return installFailure(ctx, tried, words.tail(), o.Offline, err)
	}
	// Scripts name this folder's path in their first line, and no worker runs them.
	for _, name := range []string{"bin", "Scripts"} {
		if err := os.RemoveAll(filepath.Join(siteIn(dir), name)); err != nil {
			return failure(ctx, StepInstall, siteIn(dir), "", err)
		}
	}
	return nil
}

// compile runs compile.py as a worker would be run.
func compile(ctx context.Context, dir string) error {
	e := &Env{cache: filepath.Join(dir, "scratch"), dir: dir}
	words := &pipOutput{}
	cmd := e.Command(ctx, "-c", compileScript, Version, dir)
	cmd.Stdout, cmd.Stderr = words, words
	if err := run(ctx, cmd); err != nil {
		return startFailure(ctx, StepCompile, "python compile.py", words.tail(), err)
	}
	return nil
}

// run keeps the command's standard input open until it ends, as pip.py needs.
func run(ctx context.Context, cmd *exec.Cmd) error {
	if _, err := cmd.StdinPipe(); err != nil {
		return err
	}
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		return &startError{err}
	}
	return cmd.Wait()
}

// startError is a program that could not be started at all.
type startError struct{ error }

func (e *startError) Unwrap() error { return e.error }

func startFailure(ctx context.Context, step Step, tried, output string, err error) error {
	var start *startError
	if errors.As(err, &start) && ctx.Err() == nil {
		advise := advice(NoPlatform)
		if errors.Is(err, fs.ErrPermission) {
			advise = fmt.Sprintf("programs may not be run from that folder (it may be mounted noexec): set %s to another", CacheVariable)
		}
		return &SetupError{Kind: NoPlatform, Step: step, Tried: tried, Advice: advise, Err: start.error}
	}
	return failure(ctx, step, tried, output, err)
}

// installFailure is startFailure with what only pip can tell.
func installFailure(ctx context.Context, tried, output string, offline bool, err error) error {
	err = startFailure(ctx, StepInstall, tried, output, err)
	var setup *SetupError
	if errors.As(err, &setup) && setup.Kind == NoWheel && (offline || os.Getenv("PIP_NO_INDEX") != "") {
		setup.Kind, setup.Advice = NoNetwork, advice(NoNetwork)
	}
	return err
}
