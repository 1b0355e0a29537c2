//go:build unix

package ci

import "syscall"

// become puts another program in the place of this one. It returns only where
// that fails.
func become(bin string, args, env []string) error { return syscall.Exec(bin, args, env) }
