package python

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A test that needs a second process runs this program again with childVariable
// set: it then ensures the environment of lockOf("1.0") in the cache folder that
// the variable names, and does with its builder what modeVariable says.
const (
	childVariable = "BEAMDIFF_TEST_CACHE"
	modeVariable  = "BEAMDIFF_TEST_MODE"
)

func TestMain(m *testing.M) {
	if cache := os.Getenv(childVariable); cache != "" {
		os.Exit(child(cache, os.Getenv(modeVariable)))
	}
	os.Exit(m.Run())
}

func child(cache, mode string) int {
	build := func(_ context.Context, dir string, _ *Options) error {
		fmt.Println("building")
		if mode == "hang" {
			if err := os.MkdirAll(siteIn(dir), 0o755); err != nil {
				return err
			}
			time.Sleep(time.Minute) // until the parent kills this process
		}
		time.Sleep(300 * time.Millisecond) // the other run comes in now
		return writeFake(dir, "1.0")
	}
	e, err := ensure(context.Background(), Options{CacheDir: cache, Lock: lockOf("1.0")}, build)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("have", e.Name())
	return 0
}

func childCommand(t *testing.T, cache, mode string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), childVariable+"="+cache, modeVariable+"="+mode)
	return cmd
}

func TestKillWhileBuilding(t *testing.T) {
	cache := t.TempDir()
	cmd := childCommand(t, cache, "hang")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "building\n" {
		t.Fatalf("the child said %q, %v", line, err)
	}
	// While it builds, another run waits, and a canceled wait ends.
	ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
	defer cancel()
	var told []Event
	o := Options{CacheDir: cache, Lock: lockOf("1.0"), Progress: func(e Event) { told = append(told, e) }}
	f := &fake{}
	var setup *SetupError
	if _, err := ensure(ctx, o, f.build); !errors.As(err, &setup) || setup.Kind != Canceled || setup.Step != StepLock || f.runs != 0 {
		t.Errorf("while another builds: %v, %d builds", err, f.runs)
	}
	if len(told) != 1 || told[0].Step != StepLock {
		t.Errorf("told %v", told)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if left := names(t, cache); !strings.HasPrefix(left[0], newPrefix) {
		t.Fatalf("the killed run left %q", left)
	}
	e := mustEnsure(t, Options{CacheDir: cache, Lock: lockOf("1.0")}, f)
	wantNames(t, cache, e.Name(), e.Name()+useSuffix, "lock")
	if err := e.Verify(true); err != nil {
		t.Error(err)
	}
}

func TestTwoRunsAtOnce(t *testing.T) {
	cache := t.TempDir()
	var outs [2]strings.Builder
	var cmds [2]*exec.Cmd
	for i := range cmds {
		cmds[i] = childCommand(t, cache, "")
		cmds[i].Stdout = &outs[i]
		if err := cmds[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	built := 0
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("run %d: %v\n%s", i, err, outs[i].String())
		}
		built += strings.Count(outs[i].String(), "building\n")
		if !strings.Contains(outs[i].String(), "have "+environmentName(lockOf("1.0"))) {
			t.Errorf("run %d said %q", i, outs[i].String())
		}
	}
	if built != 1 {
		t.Errorf("built %d times", built)
	}
	if _, err := os.Stat(filepath.Join(store(cache).path(lockOf("1.0")), manifestName)); err != nil {
		t.Error(err)
	}
}
