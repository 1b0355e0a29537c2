//go:build unix

package reference_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference"
	"github.com/beamdiff/beamdiff/reference/engine"
	"github.com/beamdiff/beamdiff/reference/enginetest"
	"github.com/beamdiff/beamdiff/reference/worker"
)

// With parentKey set this binary is a parent that hangs a worker on a case and
// waits to be killed.
const parentKey = "BEAMDIFF_TEST_PARENT"

func init() {
	if os.Getenv(parentKey) != "" {
		beParent()
		os.Exit(0)
	}
}

func beParent() {
	e, err := reference.Open(context.Background(), reference.Options{Workers: 1, Timeout: time.Hour})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	code, _ := value.Members(value.Member{Name: "code", Value: value.String("import os; print(os.getpid())")}).AsObject()
	pid, _ := e.Do(context.Background(), engine.Request{Op: worker.OpExec, Case: code}).Value.Get("output").AsString()
	fmt.Print(pid)
	e.Do(context.Background(), enginetest.Render("x", value.Member{Name: "chat_template", Value: value.String(endless)}))
}

// A worker does not outlive the process that started it, even amid a case.
func TestOrphan(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), parentKey+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4096)
	n, _ := out.Read(buf)
	pid, err := strconv.Atoi(strings.TrimSpace(string(buf[:n])))
	if err != nil {
		t.Fatalf("NOT RUN: the reference is not there: %s", buf[:n])
	}
	time.Sleep(200 * time.Millisecond) // into the case
	cmd.Process.Kill()
	cmd.Wait()
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(stat), ") Z ") {
			return // nobody reaps it here
		}
		time.Sleep(50 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Error("the worker was still running five seconds later")
}
