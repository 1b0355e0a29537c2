//go:build unix

package checkpoint

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe or a device in the place of a file of a checkpoint is refused: the one
// would be waited for, the other read until the memory is full.
func TestLoadSpecialFile(t *testing.T) {
	makers := map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
	}
	for _, name := range []string{configFile, specialFile, addedFile, templateFile, tokenizerFile} {
		for kind, make := range makers {
			t.Run(name+"/"+kind, func(t *testing.T) {
				dir := t.TempDir()
				if name != configFile {
					if err := os.WriteFile(filepath.Join(dir, configFile), []byte(`{}`), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if err := make(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				_, err := Load(dir)
				if want := filepath.Join(dir, name) + ": is not a regular file"; err == nil || !strings.HasSuffix(err.Error(), want) {
					t.Errorf("got %v, want ... %s", err, want)
				}
			})
		}
	}
}
