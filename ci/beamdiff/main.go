// Beamdiff compares implementations of a chat format: native Go against the
// checkpoint's own Python. See package ci, which is all of it.
package main

import (
	"os"

	"github.com/beamdiff/beamdiff/ci"
)

func main() { os.Exit(ci.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ())) }
