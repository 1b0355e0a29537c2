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
	"time"

	embeddedpip "github.com/kluctl/go-embed-python/pip"
	embedded "github.com/kluctl/go-embed-python/python"
)

//go:embed watch.py
var watchScript string

//go:embed compile.py
var compileScript string

// build fills dir with CPython and the packages of the lock, and compiles what a
// worker loads. Its errors are *SetupError.
func build(ctx context.Context, dir string, o *Options) error {
	w, err := openWorkshop(ctx, dir, o)
	if err != nil {
		return err
	}
	defer w.close()
	if err := w.install(ctx, o); err != nil {
		return err
	}
	o.report(Event{Step: StepCompile, Text: "compiling and trying the packages"})
	return w.compile(ctx, o.Lock.Modules)
}

// workshop is a folder with CPython, and pip and a scratch folder for as long as
// it is open.
type workshop struct {
	dir     string
	scratch string
	pip     string
}

func openWorkshop(ctx context.Context, dir string, o *Options) (*workshop, error) {
	o.report(Event{Step: StepUnpack, Text: "unpacking CPython " + Version})
	w := &workshop{dir: dir, scratch: filepath.Join(dir, "scratch")}
	err := unpack(dir)
	if err == nil {
		w.pip, err = unpackPip(dir)
	}
	if err == nil {
		err = os.Mkdir(w.scratch, 0o755)
	}
	if err != nil {
		w.close()
		return nil, failure(ctx, StepUnpack, dir, "", err)
	}
	return w, nil
}

func (w *workshop) close() {
	os.RemoveAll(w.scratch)
	if w.pip != "" {
		os.RemoveAll(w.pip)
		os.Remove(w.pip + ".lock")
	}
}

// unpack puts CPython into dir/python, without what a worker never runs: the
// copies of the program under other names, the library (on Linux the program
// holds all of it), and Tk.
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
		"bin/*", "lib/libpython3*.so*", "lib/libtcl*", "lib/libtk*", "lib/itcl*", "lib/tcl*", "lib/tk*", "lib/thread*",
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
// the temporary folder, under a name that nobody can guess, until it is closed.
func unpackPip(dir string) (path string, err error) {
	name := "beamdiff-" + rand.Text()
	if rel, err := filepath.Rel(os.TempDir(), filepath.Join(dir, "pip")); err == nil {
		name = fmt.Sprintf("%[1]c..%[1]c%[2]s", filepath.Separator, rel)
	}
	files, err := embeddedpip.NewPipLib(name)
	if err != nil {
		return "", err
	}
	return files.GetExtractedPath(), nil
}

// pipProgram runs pip with the arguments that follow it.
const pipProgram = "import runpy\nrunpy.run_module('pip', run_name='__main__', alter_sys=True)\n"

// install runs pip on the lock.
func (w *workshop) install(ctx context.Context, o *Options) error {
	requirements, err := o.Lock.Requirements()
	if err != nil {
		return err
	}
	if len(requirements) == 0 {
		if err := os.Mkdir(siteIn(w.dir), 0o755); err != nil {
			return failure(ctx, StepInstall, siteIn(w.dir), "", err)
		}
		return nil
	}
	lock := filepath.Join(w.scratch, "requirements.lock")
	if err := os.WriteFile(lock, o.Lock.Text, 0o644); err != nil {
		return failure(ctx, StepInstall, lock, "", err)
	}
	args := []string{
		"install", "--require-hashes", "--no-deps", "--only-binary=:all:", "--requirement", lock, "--target", siteIn(w.dir),
		"--no-compile", "--no-user", "--prefix=", "--progress-bar=off", "--no-input", "--no-color", "--disable-pip-version-check", "--no-warn-script-location",
	}
	tried := "pip install --require-hashes --no-deps --only-binary=:all: --requirement requirements.lock"
	if o.Offline {
		args, tried = append(args, "--no-index"), tried+" --no-index"
	}
	words := &output{step: StepInstall, total: len(requirements), report: o.report}
	cmd, err := w.command(ctx, "pip.py", pipProgram, args...)
	if err != nil {
		return failure(ctx, StepInstall, w.scratch, "", err)
	}
	cmd.Env, err = w.pipEnviron()
	if err != nil {
		return failure(ctx, StepInstall, w.scratch, "", err)
	}
	cmd.Stdout, cmd.Stderr = words, words
	if err := run(cmd); err != nil {
		return pipFailure(ctx, StepInstall, tried, words.tail(), o.Offline, err)
	}
	// Scripts name this folder's path in their first line, and no worker runs them.
	for _, name := range []string{"bin", "Scripts"} {
		if err := os.RemoveAll(filepath.Join(siteIn(w.dir), name)); err != nil {
			return failure(ctx, StepInstall, siteIn(w.dir), "", err)
		}
	}
	return nil
}

// compile runs compile.py as a worker would be run.
func (w *workshop) compile(ctx context.Context, modules []string) error {
	words := &output{}
	cmd, err := w.command(ctx, "compile.py", compileScript, append([]string{Version, w.dir}, modules...)...)
	if err != nil {
		return failure(ctx, StepCompile, w.scratch, "", err)
	}
	cmd.Env = (&Env{cache: w.scratch, dir: w.dir}).Environ(false)
	cmd.Stdout, cmd.Stderr = words, words
	if err := run(cmd); err != nil {
		return startFailure(ctx, StepCompile, "python compile.py", words.tail(), err)
	}
	return nil
}

// command makes a command that runs a program under watch.py.
func (w *workshop) command(ctx context.Context, name, program string, args ...string) (*exec.Cmd, error) {
	path := filepath.Join(w.scratch, name)
	if err := os.WriteFile(path, []byte(watchScript+"\n"+program), 0o644); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, executableIn(w.dir), append([]string{"-s", "-P", path}, args...)...)
	cmd.WaitDelay = 5 * time.Second
	return cmd, nil
}

// run holds the command's standard input open until it ends, as watch.py needs.
func run(cmd *exec.Cmd) error {
	if _, err := cmd.StdinPipe(); err != nil {
		return err
	}
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
	if !errors.As(err, &start) || ctx.Err() != nil {
		return failure(ctx, step, tried, output, err)
	}
	if errors.Is(err, fs.ErrPermission) {
		return &SetupError{Kind: NoAccess, Step: step, Tried: tried, Err: err,
			Advice: fmt.Sprintf("programs may not be run from that folder (it may be mounted noexec): set %s to another", CacheVariable)}
	}
	return &SetupError{Kind: NoPlatform, Step: step, Tried: tried, Advice: advice(NoPlatform), Err: err}
}

// pipFailure is startFailure, and knows that a package that is not found where
// no index was to be asked is one that only the network has.
func pipFailure(ctx context.Context, step Step, tried, output string, offline bool, err error) error {
	err = startFailure(ctx, step, tried, output, err)
	var setup *SetupError
	if errors.As(err, &setup) && setup.Kind == NoWheel && (offline || os.Getenv("PIP_NO_INDEX") != "") {
		setup.Kind, setup.Advice = NoNetwork, advice(NoNetwork)
	}
	return err
}
