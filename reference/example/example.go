// Package example is a whole engine for beamdiff in a few lines of Python, to
// start one's own from.
package example

import _ "embed"

// Source is engine.py, which speaks PROTOCOL.md on its standard input and output.
//
//go:embed engine.py
var Source string
