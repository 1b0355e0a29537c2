package engine

import (
	"fmt"
	"syscall"
	"unsafe"
)

// limitMemory bounds the private memory of the process and of each child that it
// starts from now on: an allocation beyond it fails.
func (p *process) limitMemory() error {
	limit := syscall.Rlimit{Cur: uint64(p.limit), Max: uint64(p.limit)}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(p.cmd.Process.Pid), syscall.RLIMIT_DATA, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("prlimit: %w", errno)
	}
	return nil
}
