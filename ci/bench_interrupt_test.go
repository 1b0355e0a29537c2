package ci

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// endsAfter is a context that has ended once it was looked at so often.
type endsAfter struct {
	context.Context
	left atomic.Int32
}

func (c *endsAfter) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// An interrupted run of bench writes what it has measured, marked as unfinished,
// and judges nothing: here the budget would not fail, and a comparison would.
func TestBenchInterrupted(t *testing.T) {
	dir := t.TempDir()
	against, out := filepath.Join(dir, "before.txt"), filepath.Join(dir, "now.txt")
	if err := os.WriteFile(against, []byte("BenchmarkJudge/kind=same/size=1KiB/impl=native 1 1 ns/op 0 B/op 0 allocs/op\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := &endsAfter{Context: t.Context()}
	ctx.left.Store(6)
	var stdout, stderr bytes.Buffer
	v := benchVerb{Native: true, Run: []string{"Judge/kind=same"}, Time: time.Millisecond, Count: 2, Threshold: 10, Format: "text", Out: out, Against: against}
	err := v.run(ctx, &terminal{stdout: &stdout, stderr: &stderr})
	var f *failure
	if !errors.As(err, &f) || f.code != ExitEngine || f.err.Error() != "interrupted" {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\nBenchmarkJudge/kind=same/"); n == 0 || n >= 18 || !strings.Contains(string(text), "\nunfinished: true\n") {
		t.Errorf("%d measurements are kept:\n%s", n, text)
	}
	if got := stdout.String(); !strings.Contains(got, "kind=same/size=") || !strings.HasSuffix(got, unfinished+"\n") || strings.Contains(got, "worse") {
		t.Errorf("%s", got)
	}
}
