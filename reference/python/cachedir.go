package python

import (
	"fmt"
	"os"
	"path/filepath"
)

// CacheVariable names the folder that holds everything beamdiff keeps between
// runs.
const CacheVariable = "BEAMDIFF_CACHE"

// Megabytes is the size of an environment on disk. While it is built, what pip
// downloads and unpacks takes as much again: advice asks for roomMegabytes.
const (
	Megabytes     = 224
	roomMegabytes = 500
)

// CacheDir gives the cache folder as an absolute path, without making it:
// $BEAMDIFF_CACHE, else beamdiff in the user's cache folder. The error is a
// *SetupError.
func CacheDir() (string, error) {
	dir, tried := os.Getenv(CacheVariable), "$"+CacheVariable
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", &SetupError{
				Kind:   NoCache,
				Step:   StepCache,
				Tried:  fmt.Sprintf("$%s is not set, and this user has no cache folder", CacheVariable),
				Advice: fmt.Sprintf("set %s to a folder that can be written, with %d MB free", CacheVariable, roomMegabytes),
				Err:    err,
			}
		}
		dir, tried = filepath.Join(base, "beamdiff"), "the user's cache folder"
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", &SetupError{Kind: NoCache, Step: StepCache, Tried: tried, Advice: fmt.Sprintf("set %s to an absolute path", CacheVariable), Err: err}
	}
	return abs, nil
}
