package ci

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// checkOut finds out before the work is done that a file cannot be written.
func checkOut(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usagef("--out %s is a folder; name a file", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return usagef("--out %s: there is no folder %s", path, filepath.Dir(path))
	}
	if special(path) {
		return nil
	}
	f, err := create(target(path))
	if err != nil {
		return usagef("--out %s cannot be written: %v", path, reason(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// special tells whether path is there but is no regular file: a device, a pipe.
func special(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// target is the file that path is a link to, so that a link stays one.
func target(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// create makes the file that takes the place of path once it is whole.
func create(path string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
}

// writeOut writes a result to a file, or to standard output where path is "". A
// file is there whole or not at all.
func (t *terminal) writeOut(path string, write func(io.Writer) error) error {
	if path == "" {
		if err := write(t.stdout); err != nil {
			return broken(fmt.Errorf("standard output: %w", advise(err)))
		}
		return nil
	}
	if err := writeAtomic(path, write); err != nil {
		return broken(fmt.Errorf("--out %s was not written: %w", path, advise(err)))
	}
	return nil
}

func writeAtomic(path string, write func(io.Writer) error) (err error) {
	if special(path) { // a device is written to, not replaced
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	path = target(path)
	f, err := create(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err = write(f); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// advise says in plain words what a full disk is.
func advise(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk is full: %w", err)
	}
	return err
}
