//go:build unix

package corpus

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in a folder is not waited for.
func TestLoadPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(nil, dir); err == nil || !strings.Contains(err.Error(), "pipe.json: cannot be read: is not a regular file") {
		t.Errorf("error %v", err)
	}
}
