package law

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Answers asks an engine, and asks it nothing twice: laws that look at the same
// conversation share its answer. It may be used by several goroutines at once.
type Answers struct {
	engine   engine.Engine
	template *Template

	mu       sync.Mutex
	known    map[string]*answer  // by operation and input
	inputs   map[question]string // the key of an input that was asked before
	failures map[engine.Op]int   // in a row
}

// Template stands for that of the checkpoint which an engine has open.
type Template struct {
	Text string
	// Special are the special tokens that the template sees, by name.
	Special map[string]string
}

// answer is one that is there, or on its way.
type answer struct {
	done    chan struct{}
	outcome corpus.Outcome
}

// question is an input under an operation, by its address: shapes are shared by
// all subjects, and writing them down to find them would cost as much as asking.
type question struct {
	op    engine.Op
	input *value.Object
}

const (
	// ahead is how many requests are on their way at once: a pool's processes take
	// eight each.
	ahead = 32
	// giveUp is after how many failures in a row an operation is asked no more: each
	// can take as long as the engine's time limit.
	giveUp = 3
	// largest is how many bytes a prompt may have, of requests that have a few
	// thousand: the laws look at each many times. The longest of 858 public templates
	// has 45,602.
	largest = 256 << 10
)

// NewAnswers asks e, with a template in place of its checkpoint's unless t is nil.
func NewAnswers(e engine.Engine, t *Template) *Answers {
	return &Answers{engine: e, template: t, known: map[string]*answer{}, inputs: map[question]string{}, failures: map[engine.Op]int{}}
}

// Ask is of Asker. An engine's failure is an outcome; the error is the context's.
func (a *Answers) Ask(ctx context.Context, op engine.Op, cases []corpus.Case) ([]corpus.Outcome, error) {
	waits := make([]*answer, len(cases))
	slots := make(chan struct{}, ahead)
	for i, c := range cases {
		w, key, ok := a.answer(op, c.Input)
		waits[i] = w
		if ok {
			continue
		}
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			w.outcome = a.do(ctx, op, c.Input)
			if ctx.Err() != nil { // the next one who asks may have more time
				a.mu.Lock()
				delete(a.known, key)
				a.mu.Unlock()
			}
			close(w.done)
		}()
	}
	out := make([]corpus.Outcome, len(cases))
	for i, w := range waits {
		<-w.done
		out[i] = w.outcome
	}
	return out, ctx.Err()
}

// answer is that to an input; known is false for one that the caller has to get.
func (a *Answers) answer(op engine.Op, input *value.Object) (w *answer, key string, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := question{op, input}
	if key, known = a.inputs[q]; !known {
		key = string(op) + " " + value.Dumps(input.Value())
		a.inputs[q] = key
	}
	if w, known = a.known[key]; !known {
		w = &answer{done: make(chan struct{})}
		a.known[key] = w
	}
	return w, key, known
}

// do asks the engine.
func (a *Answers) do(ctx context.Context, op engine.Op, input *value.Object) corpus.Outcome {
	a.mu.Lock()
	failed := a.failures[op]
	a.mu.Unlock()
	if failed >= giveUp {
		return corpus.Outcome{Kind: corpus.Failed, Why: fmt.Sprintf("not asked: the engine failed on %d cases in a row", giveUp), Offset: -1}
	}
	o := bounded(a.engine.Do(ctx, engine.Request{Op: op, Case: a.whole(op, input)}))
	a.mu.Lock()
	defer a.mu.Unlock()
	if o.Kind == corpus.Failed {
		a.failures[op]++
	} else if a.failures[op] < giveUp {
		a.failures[op] = 0
	}
	return o
}

// bounded makes a failure of a prompt that is too long.
func bounded(o corpus.Outcome) corpus.Outcome {
	prompt, ok := promptOf(o)
	if !ok {
		prompt = text(o.Value.Get("text"))
	}
	if len(prompt) > largest {
		return corpus.Outcome{Kind: corpus.Failed, Why: fmt.Sprintf("a short request gives %d bytes, more than %d", len(prompt), largest), Offset: -1}
	}
	return o
}

// whole is a case with the template that goes with it.
func (a *Answers) whole(op engine.Op, input *value.Object) *value.Object {
	if a.template == nil || op == engine.OpParse || op == engine.OpStream {
		return input
	}
	in := value.NewObject(input.Len() + 2)
	in.Set("chat_template", value.String(a.template.Text))
	special := value.NewObject(len(a.template.Special))
	for _, name := range slices.Sorted(maps.Keys(a.template.Special)) {
		special.Set(name, value.String(a.template.Special[name]))
	}
	in.Set("template_kwargs", special.Value())
	for name, v := range input.All() {
		if given, ok := v.AsObject(); ok && name == "template_kwargs" {
			for k, v := range given.All() {
				special.Set(k, v)
			}
			continue
		}
		in.Set(name, v)
	}
	return in
}

// Trace is of Asker. An engine that cannot is no error.
func (a *Answers) Trace(ctx context.Context, c corpus.Case) (engine.Traced, error) {
	out, err := a.Ask(ctx, engine.OpTrace, []corpus.Case{c})
	if err != nil {
		return engine.Traced{}, err
	}
	traced, err := engine.ReadTraced(a.engine.Name(), out[0])
	if err != nil {
		return engine.Traced{}, nil
	}
	return traced, nil
}
