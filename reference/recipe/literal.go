package recipe

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/python"
)

//go:embed literal.py
var literalScript string

// module is the text of a Python module and the values that are given for
// variables of it.
type module struct {
	text  string
	given map[string]bool
}

// want asks for the value of a module's variable.
type want struct {
	module        int // an index
	variable, key string
}

// literal is what a want gave.
type literal struct {
	value value.Value
	why   string // why it has no value; "" where it has
}

// literalTime bounds the reading of all modules of a call.
const literalTime = time.Minute

// readLiterals reads variables from modules in the environment's Python, which
// runs nothing of them.
func readLiterals(ctx context.Context, env *python.Env, modules []module, wants []want) ([]literal, error) {
	ctx, cancel := context.WithTimeout(ctx, literalTime)
	defer cancel()
	cmd := env.Command(ctx, "-c", literalScript)
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(request(modules, wants)), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, errors.Join(fmt.Errorf("reading response templates from modules: %w", err), tail(stderr.String()))
	}
	answer, err := value.Loads(stdout.String())
	if err != nil {
		return nil, fmt.Errorf("reading response templates from modules: %w", err)
	}
	list, _ := answer.AsArray()
	if list.Len() != len(wants) {
		return nil, fmt.Errorf("reading response templates from modules: %d answers to %d questions", list.Len(), len(wants))
	}
	out := make([]literal, len(wants))
	for i, item := range list.All() {
		out[i].value = item.Get("ok")
		out[i].why, _ = item.Get("error").AsString()
	}
	return out, nil
}

// request is what literal.py reads.
func request(modules []module, wants []want) string {
	ms, ws := make([]value.Value, len(modules)), make([]value.Value, len(wants))
	for i, m := range modules {
		given := &value.Object{}
		for name, v := range m.given {
			given.Set(name, value.Bool(v))
		}
		ms[i] = value.Members(value.Member{Name: "text", Value: value.String(m.text)}, value.Member{Name: "given", Value: given.Value()})
	}
	for i, w := range wants {
		ws[i] = value.Members(value.Member{Name: "module", Value: value.Int(int64(w.module))},
			value.Member{Name: "variable", Value: value.String(w.variable)}, value.Member{Name: "key", Value: value.String(w.key)})
	}
	return value.Dumps(value.Members(value.Member{Name: "modules", Value: value.List(ms...)}, value.Member{Name: "wants", Value: value.List(ws...)}))
}

// tail is the last line of what a process wrote, as an error; nil for none.
func tail(text string) error {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return errors.New(last)
	}
	return nil
}
