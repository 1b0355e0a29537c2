package ci

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

func (v *renderVerb) run(ctx context.Context, t *terminal) error {
	if v.Tokens {
		return v.one(ctx, t, corpus.EncodeIDs, func(e engine.Engine, in *value.Object) (string, error) {
			return t.tokens(ctx, e, engine.OpEncode, in)
		})
	}
	return v.one(ctx, t, corpus.Render, func(e engine.Engine, in *value.Object) (string, error) {
		answer, err := t.ask(ctx, e, engine.OpRender, in)
		prompt, _ := answer.AsString()
		return prompt, err
	})
}

func (v *maskVerb) run(ctx context.Context, t *terminal) error {
	return v.one(ctx, t, corpus.Mask, func(e engine.Engine, in *value.Object) (string, error) {
		if v.Tokens {
			return t.tokens(ctx, e, engine.OpMask, in)
		}
		answer, err := t.ask(ctx, e, engine.OpMask, in)
		if err != nil {
			return "", err
		}
		return inBytes(e, textValue(answer))
	})
}

func (v *parseVerb) run(ctx context.Context, t *terminal) error {
	if (v.Problems || v.Lenient) && v.Engine != engine.NativeName {
		return usagef("--problems and --lenient are of the native engine alone")
	}
	v.ids = v.IDs
	return v.one(ctx, t, corpus.Parse, func(e engine.Engine, in *value.Object) (string, error) {
		if n, ok := e.(*engine.Native); ok {
			return v.native(t, n, in)
		}
		if err := readsIDs(ctx, e, in); err != nil {
			return "", err
		}
		op := engine.OpParse
		if v.Events {
			op = engine.OpStream
		}
		answer, err := t.ask(ctx, e, op, in)
		if err != nil {
			return "", err
		}
		var lines []string
		if v.Events {
			for _, name := range []string{"initial", "feeds", "final"} {
				lines = append(lines, eventLines(answer.Get(name))...)
			}
			answer = answer.Get("message")
		}
		return strings.Join(append(lines, value.Dumps(answer)), "\n") + "\n", nil
	})
}

// eventLines writes a list of events, or of lists of them, an event a line.
func eventLines(v value.Value) []string {
	var out []string
	list, _ := v.AsArray()
	for _, item := range list.All() {
		if item.Kind() == value.KindArray {
			out = append(out, eventLines(item)...)
			continue
		}
		out = append(out, value.Dumps(item))
	}
	return out
}

// native reads the reply in Go, which can say more than the protocol carries.
func (v *parseVerb) native(t *terminal, n *engine.Native, in *value.Object) (string, error) {
	if err := tokenizerError(n); err != nil && inIDs(in) {
		return "", broken(fmt.Errorf("engine %s reads no token ids: %w", n.Name(), err))
	}
	// With the problems, which tell of a reply without its markers, asked for or not.
	r := n.Read(in, engine.ReadOptions{Events: v.Events, Problems: true, Lenient: v.Lenient})
	var lines []string
	if v.Events {
		for _, e := range r.Events() {
			lines = append(lines, value.Dumps(e))
		}
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(t.stderr, "warning: %s\n", printable(warning))
	}
	err := t.refused(n.Name(), r.Outcome)
	if err == nil || v.Lenient && r.Outcome.Kind == corpus.Raised {
		message := r.Outcome.Value
		if err != nil {
			message = r.Outcome.Partial
		}
		lines = append(lines, value.Dumps(message))
		if v.Problems {
			lines = append(lines, value.Dumps(object("problems", list(r.Problems, problemValue))))
		}
	}
	if len(lines) == 0 {
		return "", err
	}
	return strings.Join(lines, "\n") + "\n", err
}

func problemValue(p harmony.Problem) value.Value {
	call := value.Null()
	if p.Call >= 0 {
		call = value.Int(int64(p.Call))
	}
	return object("kind", value.String(p.Kind.String()), "severity", value.String(p.Kind.Severity().String()),
		"span", value.List(value.Int(p.Span.Start), value.Int(p.Span.End)),
		"field", value.String(p.Field), "call", call, "detail", value.String(p.Detail))
}

// one opens the engine, reads the case, and writes what do makes of it; also
// beside an error, where there is something to write.
func (f *oneFlags) one(ctx context.Context, t *terminal, kind corpus.Kind, do func(engine.Engine, *value.Object) (string, error)) error {
	if err := checkOut(f.Out); err != nil {
		return err
	}
	m := t.meter()
	o := &opener{t: t, meter: m, checkpointFlags: f.checkpointFlags, limitFlags: f.limitFlags, jobs: 1}
	if err := o.check([]string{f.Engine}); err != nil {
		return err
	}
	c, err := awaited(ctx, func() (corpus.Case, error) { return f.read(t.stdin, kind) })
	if err != nil {
		return err
	}
	if err := checkNames([]corpus.Case{c}); err != nil {
		return err
	}
	if c.Checkpoint != "" {
		o.checkpointFlags = checkpointFlags{Checkpoint: c.Checkpoint}
	}
	open, err := o.open(ctx, []string{f.Engine})
	m.clear()
	if err != nil {
		return err
	}
	defer open.close()
	stop := context.AfterFunc(ctx, open.close)
	defer stop()
	if why := (&Runner{Format: open.format, Checkpoint: c.Checkpoint}).outside(c); why != "" {
		return usagef("the case cannot be asked: %s", why)
	}
	result, failed := do(open.engines[0], c.Input)
	if ctx.Err() != nil {
		return broken(fmt.Errorf("interrupted"))
	}
	if kind != corpus.Parse && failed == nil && open.checkpoint != nil {
		if v, err := engine.NewNative(open.checkpoint, engine.NativeOptions{}).Vocabulary(); err == nil {
			for _, f := range forged(v, c.Input) {
				fmt.Fprintf(t.stderr, "warning: %s\n", printable(f.String()))
			}
		}
	}
	if result != "" || failed == nil {
		err := t.writeOut(f.Out, func(w io.Writer) error {
			_, err := io.WriteString(w, result)
			return err
		})
		if err != nil {
			return err
		}
	}
	return failed
}

// read reads the case.
func (f *oneFlags) read(stdin io.Reader, kind corpus.Kind) (corpus.Case, error) {
	name := f.Case
	var data []byte
	var err error
	if name == "-" {
		name = "stdin"
		data, err = corpus.ReadAll(stdin)
	} else {
		data, err = corpus.ReadFile(name)
	}
	if err != nil {
		return corpus.Case{}, usagef("%s cannot be read: %v (give a case file, or - for standard input)", name, reason(err))
	}
	if f.ids {
		return readIDs(data, name)
	}
	c, err := corpus.DecodeOne(data, name, kind)
	if err != nil {
		return c, usage(err)
	}
	return c, nil
}

// ask gives the engine's value, or the error that ends the command.
func (t *terminal) ask(ctx context.Context, e engine.Engine, op engine.Op, in *value.Object) (value.Value, error) {
	if _, err := e.Info(ctx); err != nil {
		return value.Null(), broken(&EngineError{Engine: e.Name(), Err: err})
	}
	o := e.Do(ctx, engine.Request{Op: op, Case: in})
	return o.Value, t.refused(e.Name(), o)
}

// refused is the error that an outcome without a value is; nil for a value. An
// error of the format is written as CLASS: message and nothing else.
func (t *terminal) refused(name string, o corpus.Outcome) error {
	switch o.Kind {
	case corpus.OK:
		return nil
	case corpus.Raised:
		fmt.Fprintf(t.stderr, "%s: %s\n", printable(o.Class), printable(o.Message))
		return &failure{code: ExitDifferences}
	case corpus.Cannot:
		return usagef("engine %s cannot answer this case: %s", name, o.Why)
	}
	return broken(fmt.Errorf("engine %s failed: %s", name, o.Why))
}
