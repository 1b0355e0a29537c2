package engine

import (
	"os"
	"os/exec"
	"strconv"
)

// ownGroup does nothing: Windows has no process groups to signal.
func ownGroup(*exec.Cmd) {}

// killGroup ends the process and the children that taskkill finds by their
// parent. A child whose own parent has ended before is not found.
func killGroup(cmd *exec.Cmd) {
	exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	cmd.Process.Kill()
}

// peakMemory is not known.
func peakMemory(*os.ProcessState) int64 { return 0 }
