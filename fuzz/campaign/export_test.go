package campaign

import (
	"os"
	"sync/atomic"
	"syscall"
)

// OpenSmall opens a folder on a disk that has room for so many more bytes.
func OpenSmall(dir string, room int64) (*Store, error) {
	var left atomic.Int64
	left.Store(room)
	limited := func(open func(string) (file, error)) func(string) (file, error) {
		return func(path string) (file, error) {
			f, err := open(path)
			return &smallFile{f, &left}, err
		}
	}
	return openOn(dir, disk{create: limited(realDisk.create), append: limited(realDisk.append)})
}

// smallFile writes as much as there is room for and then fails as a full disk
// does.
type smallFile struct {
	file
	left *atomic.Int64
}

func (f *smallFile) Write(b []byte) (int, error) {
	if left := f.left.Add(-int64(len(b))); left < 0 {
		n, _ := f.file.Write(b[:max(0, len(b)+int(left))])
		return n, &os.PathError{Op: "write", Path: "file", Err: syscall.ENOSPC}
	}
	return f.file.Write(b)
}
