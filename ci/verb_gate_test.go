package ci

import (
	"context"
	"errors"
	"io"
	"testing"
)

// A gate that is interrupted while its sides are read is no wrong use.
func TestGateInterruptedReading(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	v := &gateVerb{Base: "HEAD:model", Candidate: t.TempDir(), FailOn: "error", findingFlags: findingFlags{Format: "text"}}
	err := v.run(ctx, &terminal{stdout: io.Discard, stderr: io.Discard})
	var f *failure
	if !errors.As(err, &f) || f.code != ExitEngine || f.err.Error() != "interrupted" {
		t.Errorf("%v", err)
	}
}
