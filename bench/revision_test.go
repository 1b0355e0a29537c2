package bench

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// repository is a git repository of two commits: one without benchmarks, and one
// with.
func repository(t *testing.T) (root string, git func(args ...string) string) {
	root = t.TempDir()
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=n@example.org"}, args...)...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSuffix(string(out), "\n")
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	write("go.mod", "module example.org/m\n\ngo 1.26.0\n")
	git("add", "-A")
	git("commit", "-q", "-m", "before")
	git("tag", "bare")
	write("bench/bench_test.go", "package bench\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n")
	git("add", "-A")
	git("commit", "-q", "-m", "benchmarks")
	return root, git
}

// What git does not give is told by what is wrong with it; and no work tree is
// left, whether the build ends well, fails or is interrupted.
func TestBuildRevision(t *testing.T) {
	root, git := repository(t)
	to := t.TempDir()
	clean := func(what string) {
		t.Helper()
		if list := git("worktree", "list"); strings.Count(list, "\n") > 0 {
			t.Errorf("%s: a work tree is left:\n%s", what, list)
		}
		if _, err := os.Stat(filepath.Join(to, "tree")); err == nil {
			t.Errorf("%s: its folder is left", what)
		}
	}
	for revision, want := range map[string]string{
		"nowhere":     "revision nowhere: git knows no such commit here",
		"HEAD-dirty":  "revision HEAD-dirty: git knows no such commit here",
		"--version":   "revision --version: git knows no such commit here",
		"HEAD:go.mod": "revision HEAD:go.mod: git knows no such commit here",
		"bare":        "revision bare: it has no benchmarks in bench/ yet; choose a later one",
	} {
		_, err := BuildRevision(t.Context(), revision, root, to)
		if gone := (*RevisionError)(nil); !errors.As(err, &gone) || err.Error() != want {
			t.Errorf("%s: %v", revision, err)
		}
		clean(revision)
	}
	side, err := BuildRevision(t.Context(), "HEAD", root, to)
	if err != nil || !strings.HasPrefix(side.Name, "HEAD (") {
		t.Fatal(side, err)
	}
	clean("HEAD")

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // as soon as the tree is there
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(to, "tree", "go.mod")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := BuildRevision(ctx, "HEAD", root, to); err == nil || ctx.Err() == nil {
		t.Errorf("it was not interrupted: %v", err)
	}
	clean("interrupted")

	if err := os.WriteFile(filepath.Join(root, "bench", "broken_test.go"), []byte("package bench\n\nvar x int = \"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	git("add", "-A")
	git("commit", "-q", "-m", "broken")
	_, err = BuildRevision(t.Context(), "HEAD", root, to)
	if failed := (*BuildError)(nil); !errors.As(err, &failed) || !strings.Contains(failed.Output, "cannot use \"\"") {
		t.Errorf("%v", err)
	}
	clean("broken")
}
