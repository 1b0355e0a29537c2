package ci

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// scratch makes a directory for one run of a verb, under the system's temporary one,
// and gives what removes it. Those that killed runs left are removed first: nobody
// holds the lock beside what is in them.
func scratch(verb string) (dir string, remove func(), err error) {
	const young = time.Minute // it may not have its lock yet
	prefix := "beamdiff-" + verb + "-"
	old, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, left := range old {
		info, err := os.Lstat(left)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < young {
			continue
		}
		lock := flock.New(filepath.Join(left, "lock"))
		if free, err := lock.TryLock(); err == nil && free {
			lock.Close()
			os.RemoveAll(left)
		}
	}
	home, err := os.MkdirTemp("", prefix)
	if err != nil {
		return "", nil, err
	}
	lock := flock.New(filepath.Join(home, "lock"))
	dir = filepath.Join(home, "files")
	held, err := lock.TryLock()
	if err == nil && !held {
		err = errors.New("another run holds the lock of " + home)
	}
	if err = errors.Join(err, os.Mkdir(dir, 0o700)); err != nil {
		os.RemoveAll(home)
		return "", nil, err
	}
	return dir, func() {
		lock.Close()
		os.RemoveAll(home)
	}, nil
}
