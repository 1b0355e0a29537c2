// Package worker is the checkpoint's own Python as an engine: worker.py, which
// speaks PROTOCOL.md over Transformers, the programs beside it, and the command that
// runs them:
//
//   - cut.py cuts a reply into the pieces in which it comes;
//   - lend.py lends a tokenizer where the checkpoint has none;
//   - measure.py runs a caller's code and times calls;
//   - monitor.py tells what of the checkpoint a case reaches;
//   - trace.py tells what line of a chat template wrote what of a prompt.
//
// The programs travel to Python in its environment, so that nothing is
// written to disk.
package worker

import (
	"embed"
	"os/exec"
	"strings"

	"github.com/beamdiff/beamdiff/reference/engine"
)

// source is worker.py.
//
//go:embed worker.py
var source string

// OpExec runs code in the worker: see PROTOCOL.md, section 7. No other engine
// has it.
const OpExec engine.Op = "exec"

// OpTime does an operation on a case several times and tells how long each call
// took: see PROTOCOL.md, section 7. No other engine has it.
const OpTime engine.Op = "time"

// beside are the programs that worker.py runs where a case needs them.
//
//go:embed cut.py lend.py measure.py monitor.py trace.py
var beside embed.FS

// The variables of the environment that the programs travel in: of measure.py it is
// BEAMDIFF_MEASURE.
const (
	prefix   = "BEAMDIFF_"
	variable = prefix + "WORKER"
)

// Args are the arguments with which Python runs a program that it is given in its
// environment.
var Args = []string{"-c", "import os; exec(compile(os.environ.pop('" + variable + "'), 'worker.py', 'exec'))"}

// Give gives cmd, which runs Python with [Args], its program.
func Give(cmd *exec.Cmd, program string) *exec.Cmd {
	cmd.Env = append(cmd.Environ(), variable+"="+program)
	return cmd
}

// Equip gives cmd, which runs Python with [Args], the worker's programs.
func Equip(cmd *exec.Cmd) *exec.Cmd {
	Give(cmd, source)
	programs, _ := beside.ReadDir(".")
	for _, p := range programs {
		text, _ := beside.ReadFile(p.Name())
		name, _ := strings.CutSuffix(p.Name(), ".py")
		cmd.Env = append(cmd.Env, prefix+strings.ToUpper(name)+"="+string(text))
	}
	return cmd
}
