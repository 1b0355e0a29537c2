package python

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Download fetches the wheels of a lock into dir, without what they depend on
// and without installing any. dir must be there and empty; afterwards it holds
// the wheels under the names that the index gives them. pip checks each against
// the lock's hashes. It takes from o how: Offline and Progress. The error is a
// *SetupError or a *LockError.
func (e *Env) Download(ctx context.Context, o Options, lock Lock, dir string) error {
	requirements, err := lock.Requirements()
	if err != nil {
		return err
	}
	w := &workshop{dir: e.dir, scratch: filepath.Join(dir, "scratch")}
	defer w.close()
	if w.pip, err = unpackPip(dir); err == nil {
		err = os.Mkdir(w.scratch, 0o755)
	}
	list := filepath.Join(w.scratch, "requirements.lock")
	if err == nil {
		err = os.WriteFile(list, lock.Text, 0o644)
	}
	if err != nil {
		return failure(ctx, StepFetch, dir, "", err)
	}
	args := []string{
		"download", "--require-hashes", "--no-deps", "--only-binary=:all:", "--requirement", list, "--dest", dir,
		"--progress-bar=off", "--no-input", "--no-color", "--disable-pip-version-check",
	}
	wanted := ""
	for _, r := range requirements {
		wanted += " " + r.Name + "==" + r.Version
	}
	tried := "pip download --require-hashes --no-deps --only-binary=:all:" + wanted
	if lock.Tag != "" {
		version, platform, _ := strings.Cut(lock.Tag, "-")
		args = append(args, "--python-version", version, "--implementation", "cp", "--platform", platform)
	}
	if o.Offline {
		args, tried = append(args, "--no-index"), tried+" --no-index"
	}
	words := &output{step: StepFetch, total: len(requirements), report: o.report}
	cmd, err := w.command(ctx, "pip.py", pipProgram, args...)
	if err == nil {
		cmd.Env, err = w.pipEnviron()
	}
	if err != nil {
		return failure(ctx, StepFetch, w.scratch, "", err)
	}
	cmd.Stdout, cmd.Stderr = words, words
	if err := run(cmd); err != nil {
		return fetchAdvice(pipFailure(ctx, StepFetch, tried, words.tail(), o.Offline, err), wanted)
	}
	return nil
}

// fetchAdvice says what to do where the wheels cannot be had: what a failed
// installation of the lock advises is about another list of packages.
func fetchAdvice(err error, wanted string) error {
	var setup *SetupError
	if !errors.As(err, &setup) || setup.Kind != NoNetwork && setup.Kind != NoWheel {
		return err
	}
	setup.Advice = fmt.Sprintf(`on a machine that reaches a package index, run "beamdiff setup" and copy its cache folder here (%s names it)
  or: there, "pip download --no-deps --only-binary=:all:%s" into a folder; here, set PIP_NO_INDEX=1 and PIP_FIND_LINKS to that folder
  or: name an index or proxy that this machine reaches (PIP_INDEX_URL, PIP_PROXY, PIP_CERT)`, CacheVariable, wanted)
	return err
}

// PackageFile reads a file of an installed package, by its path below the
// folder of the packages, with slashes. The error is a *DamageError where the
// file is not the one that was installed.
func (e *Env) PackageFile(path string) ([]byte, error) {
	for _, f := range e.m.files {
		if f.path != "site/"+path {
			continue
		}
		full := filepath.Join(e.dir, filepath.FromSlash(f.path))
		if sum, err := hashFile(full); err != nil || sum != f.sha256 {
			return nil, &DamageError{Path: f.path, What: "has other bytes than when it was installed"}
		}
		return os.ReadFile(full)
	}
	return nil, &DamageError{Path: "site/" + path, What: "is not installed"}
}
