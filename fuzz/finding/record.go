package finding

import (
	"context"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/harmony/value"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Answer is one thing that an engine answered about a case.
type Answer struct {
	Engine string
	Op     engine.Op
	// Chunks is how the reply was cut; null where it was whole.
	Chunks  value.Value
	Outcome corpus.Outcome
}

// Recorder is an engine that writes down what another one answers.
type Recorder struct {
	engine.Engine
	mu      sync.Mutex
	answers []Answer
}

// Record wraps engines so that their answers are written down.
func Record(engines []engine.Engine) (recorders []*Recorder, wrapped []engine.Engine) {
	for _, e := range engines {
		r := &Recorder{Engine: e}
		recorders = append(recorders, r)
		wrapped = append(wrapped, r)
	}
	return recorders, wrapped
}

// Do asks the other engine.
func (r *Recorder) Do(ctx context.Context, q engine.Request) corpus.Outcome {
	o := r.Engine.Do(ctx, q)
	chunks, _ := q.Case.Get("chunks")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers = append(r.answers, Answer{Engine: r.Name(), Op: q.Op, Chunks: chunks, Outcome: o})
	return o
}

// Answers are those written down, in the order in which they came.
func (r *Recorder) Answers() []Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Answer(nil), r.answers...)
}

// playback is an engine that answers from what another one answered.
type playback struct {
	info    engine.Info
	answers []Answer
}

// notStored is why a playback fails on a question that was not asked.
const notStored = "the finding does not hold an answer to this question: it was judged in another way than now"

// Playback gives engines that answer about the finding's case as those did that
// it was found with, in their order. Anything else they fail on.
func (f *Finding) Playback() []engine.Engine {
	var out []engine.Engine
	for _, info := range f.Engines {
		p := &playback{info: info}
		for _, a := range f.Answers {
			if a.Engine == info.Name {
				p.answers = append(p.answers, a)
			}
		}
		out = append(out, p)
	}
	return out
}

func (p *playback) Name() string                              { return p.info.Name }
func (p *playback) Info(context.Context) (engine.Info, error) { return p.info, nil }
func (p *playback) Close() error                              { return nil }

func (p *playback) Do(_ context.Context, q engine.Request) corpus.Outcome {
	chunks, _ := q.Case.Get("chunks")
	for _, a := range p.answers {
		if a.Op == q.Op && value.Equal(a.Chunks, chunks) {
			return a.Outcome
		}
	}
	return corpus.Outcome{Kind: corpus.Failed, Why: notStored, Offset: -1}
}
