//go:build unix

package ci

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe is written to and stays one; so does a device.
func TestWriteSpecial(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		data, _ := os.ReadFile(path)
		got <- string(data)
	}()
	code, _, errs := command(t, `{"messages":[{"role":"user","content":"x"}]}`, "mask", "-", "--out", path)
	if code != ExitSame {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if text := <-got; !strings.HasPrefix(text, `{"text": `) {
		t.Errorf("the pipe got %q", text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Type() != os.ModeNamedPipe {
		t.Errorf("the pipe is %v, %v", info, err)
	}
}

// A link to a file stays a link.
func TestWriteLink(t *testing.T) {
	dir := t.TempDir()
	link, file := filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := command(t, `{"messages":[{"role":"user","content":"x"}]}`, "mask", "-", "--out", link); code != ExitSame {
		t.Fatalf("exit %d, %s", code, errs)
	}
	data, _ := os.ReadFile(file)
	if to, err := os.Readlink(link); err != nil || to != "file" || !strings.HasPrefix(string(data), `{"text": `) {
		t.Errorf("the link goes to %q (%v), and the file is %q", to, err, data)
	}
}

// A command that waits for its input ends when it is interrupted.
func TestInterruptedReading(t *testing.T) {
	for _, args := range [][]string{{"render", "-"}, {"parse", "-"}, {"mask", "-"}, {"diff", "-"}, {"list", "-"}} {
		never, w := io.Pipe()
		defer w.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		err := run(ctx, args, &terminal{stdin: never, stdout: io.Discard, stderr: io.Discard})
		if f, ok := err.(*failure); !ok || f.code != ExitEngine || f.err.Error() != "interrupted" {
			t.Errorf("%v: %v", args, err)
		}
	}
}
