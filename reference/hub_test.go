package reference

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/beamdiff/beamdiff/reference/engine"
)

// A name that is no directory and cannot be had from the hub may be a directory's,
// misspelt: the error says both.
func TestHubError(t *testing.T) {
	r := &reference{hub: "my/modle", Pool: engine.NewPool(engine.Options{Name: "reference",
		Command: func(context.Context) *exec.Cmd { return exec.Command("no-such-program") }})}
	defer r.Pool.Close()
	_, err := r.Info(t.Context())
	var hub *HubError
	var start *engine.StartError
	if !errors.As(err, &hub) || !errors.As(err, &start) || !strings.Contains(err.Error(), `"my/modle": there is no such directory`) {
		t.Errorf("%v", err)
	}
	r.hub = ""
	if _, err := r.Info(t.Context()); errors.As(err, &hub) || !errors.As(err, &start) {
		t.Errorf("a directory: %v", err)
	}
}
