package ci

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The command builds itself again with counters, becomes that program, and grows
// a corpus by what cases reach; a later run goes on with it, and prunes it. Without
// a Go toolchain it says that it runs unguided.
func TestGuided(t *testing.T) {
	dir := t.TempDir()
	bin, self := filepath.Join(dir, "beamdiff"), filepath.Join(dir, "engine")
	if out, err := exec.Command("go", "build", "-o", bin, "./beamdiff").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	test, err := os.Executable()
	if err == nil {
		err = os.Symlink(test, self) // the engine of TestMain
	}
	if err != nil {
		t.Fatal(err)
	}
	fuzz := func(path string, args ...string) (string, string) {
		cmd := exec.Command(bin, append([]string{"fuzz", "--dir", filepath.Join(dir, "work"), "--engine", "native", "--engine", "mine=" + self, "--jobs", "1"}, args...)...)
		cmd.Env = append(os.Environ(), "BEAMDIFF_CACHE="+filepath.Join(dir, "cache"), "PATH="+path)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s%s", err, &out, &errs)
		}
		return out.String(), errs.String()
	}
	path := os.Getenv("PATH")
	out, errs := fuzz(path, "--count", "80")
	if !strings.Contains(errs, "building a program that tells what cases reach") || strings.Contains(out, "not guided") || strings.Contains(out, "reaches 0 of") ||
		!strings.Contains(out, "points of native") || !strings.Contains(out, "\n0 findings are open") {
		t.Errorf("guided:\n%s%s", out, errs)
	}
	grown := entries(t, dir)
	if grown < 10 {
		t.Errorf("%d cases joined the corpus", grown)
	}
	out, _ = fuzz(path, "--prune")
	if kept := entries(t, dir); kept == 0 || kept > grown || !strings.Contains(out, "reach all that they reached") {
		t.Errorf("%d of %d are left: %s", kept, grown, out)
	}
	out, errs = fuzz(dir, "--count", "90") // there is no go there
	if !strings.Contains(errs, "runs unguided by native Go: there is no Go toolchain") || !strings.Contains(out, "not guided by native Go: there is no Go toolchain") {
		t.Errorf("without a toolchain:\n%s%s", out, errs)
	}
}

func entries(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "work", "corpus", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}
