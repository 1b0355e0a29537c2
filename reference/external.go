package reference

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"unicode"

	"github.com/beamdiff/beamdiff/reference/engine"
)

// External makes an engine of "name=command args…", with a program that speaks
// the protocol on its standard input and output. Arguments are separated by
// space; single and double quotes keep space, and a backslash outside single
// quotes keeps the next character (on Windows it stands for itself). Nothing is
// expanded and no shell is run. o gives the limits; its Name and Command are set
// here. The error is a *SpecError.
func External(spec string, o engine.Options) (*engine.Pool, error) {
	name, line, ok := strings.Cut(spec, "=")
	if !ok || name == "" || strings.ContainsAny(name, " '\"/\\") || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return nil, &SpecError{spec, "it must be name=command args…"}
	}
	args, err := split(line, runtime.GOOS == "windows")
	if err != nil {
		return nil, &SpecError{spec, err.Error()}
	}
	if len(args) == 0 {
		return nil, &SpecError{spec, "it has no command"}
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return nil, &SpecError{spec, err.Error()}
	}
	o.Name = name
	o.Command = func(context.Context) *exec.Cmd { return exec.Command(args[0], args[1:]...) }
	return engine.NewPool(o), nil
}

// SpecError is an engine that cannot be run as it is written.
type SpecError struct{ Spec, Why string }

func (e *SpecError) Error() string { return fmt.Sprintf("engine %q: %s", e.Spec, e.Why) }

// split cuts a command line into arguments.
func split(line string, windows bool) ([]string, error) {
	var args []string
	var arg strings.Builder
	inArg := false
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && !windows:
			if i++; i == len(line) {
				return nil, fmt.Errorf("it ends in a backslash")
			}
			arg.WriteByte(line[i])
			inArg = true
		case quote != 0:
			arg.WriteByte(c)
		case c == '\'' || c == '"':
			quote, inArg = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inArg {
				args = append(args, arg.String())
			}
			arg.Reset()
			inArg = false
		default:
			arg.WriteByte(c)
			inArg = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c is not closed", quote)
	}
	if inArg {
		args = append(args, arg.String())
	}
	return args, nil
}
