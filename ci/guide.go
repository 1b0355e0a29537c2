package ci

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/beamdiff/beamdiff/fuzz/campaign"
	"github.com/beamdiff/beamdiff/fuzz/campaign/counters"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/python"
)

// guide makes a campaign one that sees what its cases reach: in native Go by
// building this program again with coverage counters and becoming it, in Python
// by asking the reference.
type guide struct {
	t   *terminal
	off bool
	why string // it is not guided by native Go; "" where it is
}

// guidedVariable is set for the program that was built for it.
const guidedVariable = "BEAMDIFF_GUIDED"

const (
	commandPackage = "github.com/beamdiff/beamdiff/ci/beamdiff"
	covered        = "github.com/beamdiff/beamdiff/harmony/" // what is to be reached
)

// start becomes the program with counters, unless this is it. Where that is not
// possible, why says so, and the campaign runs unguided. It returns only where
// this program goes on.
func (g *guide) start(ctx context.Context, m *meter) error {
	if g.off {
		g.why = "--unguided"
		return nil
	}
	_, err := counters.Open()
	switch {
	case err == nil:
		return nil
	case g.t.getenv(guidedVariable) != "":
		g.why = "this program was built for it and has no counters: " + err.Error()
	case !slices.Equal(os.Args[1:], g.t.args):
		g.why = "it runs inside another program"
	case runtime.GOOS == "windows":
		g.why = "a program cannot become another one on Windows"
	default:
		m.say("fuzz: building a program that tells what cases reach", true)
		var bin, dir string
		if bin, dir, g.why = build(ctx); g.why != "" || ctx.Err() != nil {
			break
		}
		m.clear()
		env := append(slices.Clone(g.t.env), guidedVariable+"=1", "GOCOVERDIR="+dir)
		g.why = "the program that was built does not start: " + become(bin, append([]string{os.Args[0]}, g.t.args...), env).Error()
	}
	if ctx.Err() != nil {
		return broken(fmt.Errorf("interrupted"))
	}
	m.say("fuzz: runs unguided by native Go: "+g.why, true)
	return nil
}

// build builds the program, and gives the folder in which the counters are left
// at its end.
func build(ctx context.Context) (bin, dir, why string) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return "", "", "there is no Go toolchain"
	}
	cache, err := python.CacheDir()
	if err != nil {
		return "", "", err.Error()
	}
	home := filepath.Join(cache, "fuzz", "guided")
	dir = filepath.Join(home, "counters")
	os.RemoveAll(dir) // of earlier runs; nobody reads them
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err.Error()
	}
	// The main package has to be among them: it is what starts the counters.
	args := []string{"build", "-cover", "-covermode=atomic", "-coverpkg=" + covered + "...," + commandPackage}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				args = append(args, "-tags="+s.Value)
			}
		}
	}
	fresh := filepath.Join(home, fmt.Sprintf("beamdiff.%d", os.Getpid()))
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, goTool, append(args, "-o", fresh, commandPackage)...)
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		text, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return "", "", "it cannot be built again: " + orElse(text, err.Error())
	}
	bin = filepath.Join(home, "beamdiff")
	if err := os.Rename(fresh, bin); err != nil {
		return "", "", err.Error()
	}
	return bin, dir, ""
}

// coverage is what guides a campaign over the engines: native Go where this
// program has counters, and Python where the reference runs.
func (g *guide) coverage(ctx context.Context, engines []engine.Engine) ([]campaign.Coverage, error) {
	var sides []campaign.Coverage
	if g.off {
		return nil, nil
	}
	for _, e := range engines {
		switch e := e.(type) {
		case *engine.Native:
			if g.why != "" {
				continue
			}
			side, err := campaign.Native(e, covered)
			if err != nil {
				g.why = err.Error()
				continue
			}
			sides = append(sides, side)
		case engine.Measurer:
			if _, is := release(e.Name()); !is {
				continue // another program need not tell what it reaches
			}
			side, err := campaign.Reference(ctx, e)
			if err != nil {
				return nil, broken(err)
			}
			sides = append(sides, side)
		}
	}
	return sides, nil
}
