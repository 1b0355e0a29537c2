package law

import (
	"context"
	"fmt"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Answers asks an engine, and asks it nothing twice: laws that look at the same
// conversation share its answer. It may be used by several goroutines at once.
type Answers struct {
	engine   engine.Engine
	template *value.Value // the chat template that goes with every case, nil where the engine has it

	mu       sync.Mutex
	known    map[string]*answer
	failures map[engine.Op]int // in a row
	asked    int
}

// answer is one that is there, or on its way.
type answer struct {
	done    chan struct{}
	outcome corpus.Outcome
}

const (
	// ahead is how many requests are on their way at once: a pool's processes take
	// eight each.
	ahead = 32
	// giveUp is after how many failures in a row an operation is asked no more: each
	// can take as long as the engine's time limit.
	giveUp = 3
)

// NewAnswers asks e. With a chat template, that stands for the checkpoint's own in
// every case that has none.
func NewAnswers(e engine.Engine, chatTemplate *string) *Answers {
	a := &Answers{engine: e, known: map[string]*answer{}, failures: map[engine.Op]int{}}
	if chatTemplate != nil {
		v := value.String(*chatTemplate)
		a.template = &v
	}
	return a
}

// Asked is how many requests went to the engine.
func (a *Answers) Asked() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked
}

// Ask is of Asker. An engine's failure is an outcome; the error is the context's.
func (a *Answers) Ask(ctx context.Context, op engine.Op, cases []corpus.Case) ([]corpus.Outcome, error) {
	waits := make([]*answer, len(cases))
	slots := make(chan struct{}, ahead)
	for i, c := range cases {
		key := string(op) + " " + value.Dumps(c.Input.Value())
		a.mu.Lock()
		w, ok := a.known[key]
		if !ok {
			w = &answer{done: make(chan struct{})}
			a.known[key] = w
		}
		a.mu.Unlock()
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

// do asks the engine.
func (a *Answers) do(ctx context.Context, op engine.Op, input *value.Object) corpus.Outcome {
	a.mu.Lock()
	failed := a.failures[op]
	a.asked++
	a.mu.Unlock()
	if failed >= giveUp {
		return corpus.Outcome{Kind: corpus.Failed, Why: fmt.Sprintf("not asked: the engine failed on %d cases in a row", giveUp), Offset: -1}
	}
	o := a.engine.Do(ctx, engine.Request{Op: op, Case: a.whole(op, input)})
	a.mu.Lock()
	defer a.mu.Unlock()
	if o.Kind == corpus.Failed {
		a.failures[op]++
	} else if a.failures[op] < giveUp {
		a.failures[op] = 0
	}
	return o
}

// whole is a case with the template that goes with it.
func (a *Answers) whole(op engine.Op, input *value.Object) *value.Object {
	if a.template == nil || op == engine.OpParse || op == engine.OpStream {
		return input
	}
	if _, ok := input.Get("chat_template"); ok {
		return input
	}
	in := value.NewObject(input.Len() + 1)
	for name, v := range input.All() {
		in.Set(name, v)
	}
	in.Set("chat_template", *a.template)
	return in
}

// Trace is of Asker.
func (a *Answers) Trace(context.Context, corpus.Case) (Traced, error) { return Traced{}, nil }
