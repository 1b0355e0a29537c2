//go:build unix && tokenizers

package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// CI installs Rust where none runs, under the name that the distribution has, and
// nothing where it does; then come the tests.
func TestCIInstallsRust(t *testing.T) {
	for _, c := range []struct {
		name, show, want string // show is what apt-cache ends with
		rust             bool
	}{
		{"no Rust", "1", "install -qy --no-install-recommends cargo\n", false},
		{"no Rust, on Debian 12", "0", "install -qy --no-install-recommends cargo-web\n", false},
		{"Rust", "0", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, "CARGO=no-cargo-here")
			if c.rust {
				m.cargo(makes)
			}
			root := t.TempDir()
			put := func(name, text string) {
				path := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range []string{".ci/run", "go.mod", "go.sum", "scripts/tokenizers", "scripts/libtokenizers/Cargo.toml", "scripts/libtokenizers/Cargo.lock"} {
				text, err := os.ReadFile(filepath.Join("..", name))
				if err != nil {
					t.Fatal(err)
				}
				put(name, string(text))
			}
			put("scripts/test", "#!/bin/sh\necho \"tests, with $BEAMDIFF_REQUIRE\"\n")
			put("bin/apt-get", "#!/bin/sh\n[ \"$1\" = update ] || echo \"$@\"\n")
			put("bin/apt-cache", "#!/bin/sh\nexit "+c.show+"\n")
			cmd := exec.Command(filepath.Join(root, ".ci", "run"))
			cmd.Env = append(m.env, "PATH="+filepath.Join(root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if got, want := string(out), c.want+"tests, with race,tokens\n"; err != nil || !strings.HasSuffix(got, want) || c.want == "" && got != want {
				t.Errorf("%v, printed %q, want %q", err, got, want)
			}
		})
	}
}
