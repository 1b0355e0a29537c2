// Package worker is the checkpoint's own Python as an engine: worker.py, which
// speaks PROTOCOL.md over Transformers, lend.py, which lends a tokenizer where the
// checkpoint has none, monitor.py, which tells what of the checkpoint a case
// reaches, trace.py, which tells what line of a chat template wrote what of a
// prompt, and the command that runs them.
//
// The programs travel to Python in its environment, so that nothing is
// written to disk.
package worker

import (
	_ "embed"
	"os/exec"

	"github.com/beamdiff/beamdiff/reference/engine"
)

// Source is worker.py.
//
//go:embed worker.py
var Source string

// OpExec runs code in the worker: see PROTOCOL.md, section 7. No other engine
// has it.
const OpExec engine.Op = "exec"

// OpTime does an operation on a case several times and tells how long each call
// took: see PROTOCOL.md, section 7. No other engine has it.
const OpTime engine.Op = "time"

// monitor is monitor.py.
//
//go:embed monitor.py
var monitor string

// lend is lend.py.
//
//go:embed lend.py
var lend string

// trace is trace.py.
//
//go:embed trace.py
var trace string

// The variables of the environment that the programs travel in.
const (
	variable        = "BEAMDIFF_WORKER"
	monitorVariable = "BEAMDIFF_MONITOR"
	lendVariable    = "BEAMDIFF_LEND"
	traceVariable   = "BEAMDIFF_TRACE"
)

// Args are the arguments with which Python runs the worker.
var Args = []string{"-c", "import os; exec(compile(os.environ.pop('" + variable + "'), 'worker.py', 'exec'))"}

// Equip gives cmd, which runs Python with [Args], the worker's program.
func Equip(cmd *exec.Cmd) *exec.Cmd {
	cmd.Env = append(cmd.Environ(), variable+"="+Source, monitorVariable+"="+monitor, lendVariable+"="+lend, traceVariable+"="+trace)
	return cmd
}
