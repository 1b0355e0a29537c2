package recipe

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// The largest wheel, and the largest file read from one, in bytes.
const (
	wheelLimit = 64 << 20
	fileLimit  = 4 << 20
)

// wheel is a package's wheel: an archive that is read in place. Nothing of it is
// unpacked, so that no name in it is ever a path on this machine.
type wheel struct {
	pack  *Package
	files *zip.ReadCloser
}

// openWheel opens a wheel whose hash is the package's.
func openWheel(p *Package, path string) (*wheel, error) {
	bad := func(what string, err error) (*wheel, error) {
		return nil, &Error{Package: p.String(), What: what, Err: err}
	}
	if err := checkWheel(p, path); err != nil {
		return bad("the wheel is not the one that the list names", err)
	}
	files, err := zip.OpenReader(path)
	if err != nil {
		return bad("the wheel cannot be read", err)
	}
	return &wheel{pack: p, files: files}, nil
}

// checkWheel compares the size and the hash of a file with the package's.
func checkWheel(p *Package, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, wheelLimit+1))
	switch {
	case err != nil:
		return err
	case n > wheelLimit:
		return fmt.Errorf("it is larger than %d bytes", wheelLimit)
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != p.SHA256 {
		return fmt.Errorf("its sha256 is %s, not %s", sum, p.SHA256)
	}
	return nil
}

func (w *wheel) close() error { return w.files.Close() }

// read gives one file of the wheel, by its exact name.
func (w *wheel) read(name string) ([]byte, error) {
	bad := func(what string, err error) ([]byte, error) {
		return nil, &Error{Package: w.pack.String(), File: name, What: what, Err: err}
	}
	var found *zip.File
	for _, f := range w.files.File {
		if f.Name != name {
			continue
		}
		if found != nil {
			return bad("stands twice in the wheel", nil)
		}
		found = f
	}
	if found == nil {
		return bad("is not in the wheel", nil)
	}
	if !found.Mode().IsRegular() {
		return bad("is no regular file", nil)
	}
	r, err := found.Open()
	if err != nil {
		return bad("cannot be read", err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, fileLimit+1))
	if err == nil && len(data) > fileLimit {
		err = errors.New("it is larger than the limit")
	}
	if err != nil {
		return bad("cannot be read", err)
	}
	return data, nil
}
