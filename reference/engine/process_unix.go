//go:build unix

package engine

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// ownGroup puts the process at the head of a group of its own, so that it can be
// ended with its children and an interrupt at the terminal does not reach it.
func ownGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// killGroup ends the process and its children, but for those that have left its
// group.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// peakMemory is the largest resident size that the process had, in bytes.
func peakMemory(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
