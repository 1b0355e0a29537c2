package campaign

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// DiskError is a file of a campaign's folder that could not be read or written.
// What the journal says was done before it holds.
type DiskError struct {
	Path string
	Err  error
}

func (e *DiskError) Error() string {
	var p *os.PathError
	err := e.Err
	if errors.As(err, &p) {
		err = p.Err
	}
	if errors.Is(e.Err, syscall.ENOSPC) {
		return fmt.Sprintf("the disk is full: %s cannot be written; make room and start the campaign again, it goes on where it stopped", e.Path)
	}
	return fmt.Sprintf("%s: %v", e.Path, err)
}

func (e *DiskError) Unwrap() error { return e.Err }

// file is what is written to: a test may put one that fails in its place.
type file interface {
	io.Writer
	Sync() error
	Close() error
}

// disk opens the files that a campaign writes.
type disk struct {
	// create makes a new file, append opens one to write at its end.
	create, append func(path string) (file, error)
}

// realDisk is the operating system's.
var realDisk = disk{
	create: func(path string) (file, error) { return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644) },
	append: func(path string) (file, error) { return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644) },
}

// replace puts data in the place of a file: after a crash at any moment there is
// the old file or the new one, whole.
func (d disk) replace(path string, data []byte) (err error) {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".new")
	defer func() {
		if err != nil {
			os.Remove(temp)
			err = &DiskError{path, err}
		}
	}()
	f, err := d.create(temp)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = os.Rename(temp, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the names in a folder last. Not every system can.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) && !os.IsPermission(err) {
		return err
	}
	return nil
}
