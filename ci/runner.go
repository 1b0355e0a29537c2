package ci

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/beamdiff/beamdiff/corpus"
	"github.com/beamdiff/beamdiff/reference/engine"
)

// Runner runs cases through engines and judges the answers. The zero Runner
// with Engines and Cases set is ready to use.
type Runner struct {
	// Engines answer the cases. The last one is the one that the others are
	// judged by; one engine alone is judged by the wants. The caller closes them.
	Engines []engine.Engine
	// Cases in the order of the report.
	Cases []corpus.Case
	// Known are the differences that are explained elsewhere.
	Known []corpus.KnownDifference
	// Full says that Cases are all there are: then an entry of Known that names
	// none of them fails the run.
	Full bool
	// Format is the checkpoint's, "" where it is not known: cases of another
	// format that do not bring their own template are not run.
	Format string
	// Checkpoint is the name by which cases may ask for the run's checkpoint, ""
	// where it has none.
	Checkpoint string
	// OpenCheckpoint opens another checkpoint for the cases that name it: engines
	// in the order and with the names of Engines, and its format. The runner closes
	// them. nil: such cases are not run.
	OpenCheckpoint func(ctx context.Context, name string, cases int) (engines []engine.Engine, format string, err error)
	// CheckpointHash is that of the run's checkpoint; "" takes the last engine's.
	// The want of an undocumented case counts for the hash that it names.
	CheckpointHash string
	// Seed chooses the random cuts, together with each case's id.
	Seed uint64
	// Today, as YYYY-MM-DD, is the day by which known differences expire; "" lets
	// none expire. Another text is an error of Run.
	Today string
	// ExpiredFails makes a known difference that has expired a failure, not only a
	// warning.
	ExpiredFails bool
	// RequireAnswers makes every "cannot" a failure, also one that the engine
	// declares in its Info.
	RequireAnswers bool
	// Jobs is how many cases are asked at once; 0 is the number of processors.
	Jobs int
	// Progress, if set, hears how far the run is. It is called from one
	// goroutine at a time.
	Progress func(Progress)

	infos      []engine.Info // of Engines, once they started
	failures   []*failures   // of each of Engines
	wholeJudge bool          // the last engine is asked for the whole reply alone
}

// Progress is how far a run is.
type Progress struct {
	Phase       string // "starting engines", "comparing", "asking again"
	Done, Total int    // cases, or engines
}

// ErrNoEngine is a Runner without engines.
var ErrNoEngine = errors.New("ci: no engine to run")

// EngineError is an engine that could not be started.
type EngineError struct {
	Engine string
	Err    error
}

func (e *EngineError) Error() string {
	var start *engine.StartError
	if errors.As(e.Err, &start) { // it says so itself
		return e.Err.Error()
	}
	return fmt.Sprintf("engine %s cannot start: %v", e.Engine, e.Err)
}

func (e *EngineError) Unwrap() error { return e.Err }

// Run asks every engine and judges. The error is an *EngineError, [ErrNoEngine],
// that of [corpus.ParseDate] for Today or that of OpenCheckpoint; an engine that
// fails later is a verdict. When ctx ends, Run stops and returns what was judged
// so far, marked Interrupted.
func (r *Runner) Run(ctx context.Context) (*Result, error) {
	if len(r.Engines) == 0 {
		return nil, ErrNoEngine
	}
	var today corpus.Date // the zero one is before every entry's last day
	if r.Today != "" {
		var err error
		if today, err = corpus.ParseDate(r.Today); err != nil {
			return nil, fmt.Errorf("ci: Today: %w", err)
		}
	}
	res := &Result{Seed: r.Seed, Today: r.Today}
	if err := r.start(ctx, res); err != nil {
		if ctx.Err() != nil {
			res.Interrupted = true
			return res, nil
		}
		return nil, err
	}
	cases := r.choose(res)
	judged := make([]*CaseResult, len(cases))
	if err := r.ask(ctx, res, cases, judged); err != nil && ctx.Err() == nil {
		return nil, err
	}
	for _, c := range judged {
		if c != nil {
			res.Cases = append(res.Cases, *c)
		}
	}
	res.Interrupted = ctx.Err() != nil && len(res.Cases) < len(cases)
	r.applyKnown(res, today)
	r.settle(ctx, res)
	return res, nil
}

// start asks each engine what it is, all at once.
func (r *Runner) start(ctx context.Context, res *Result) error {
	res.Engines = make([]engine.Info, len(r.Engines))
	errs := make([]error, len(r.Engines))
	r.progress(Progress{Phase: "starting engines", Total: len(r.Engines)})
	var wg sync.WaitGroup
	for i, e := range r.Engines {
		wg.Go(func() {
			info, err := e.Info(ctx)
			if err != nil {
				errs[i] = &EngineError{Engine: e.Name(), Err: err}
			}
			info.Name = e.Name()
			res.Engines[i] = info
		})
	}
	wg.Wait()
	r.infos = res.Engines
	r.failures = make([]*failures, len(r.Engines))
	for i := range r.failures {
		r.failures[i] = &failures{}
	}
	return errors.Join(errs...)
}

// hash is the content hash of the run's checkpoint.
func (r *Runner) hash() string {
	if r.CheckpointHash != "" {
		return r.CheckpointHash
	}
	return r.infos[len(r.infos)-1].CheckpointHash
}

// choose leaves out the cases that the checkpoint is not of.
func (r *Runner) choose(res *Result) []corpus.Case {
	var chosen []corpus.Case
	for _, c := range r.Cases {
		if why := r.outside(c); why != "" {
			out := NotRun{ID: c.ID, Why: why}
			if r.elsewhere(c) {
				out.Checkpoint = c.Checkpoint
			}
			res.NotRun = append(res.NotRun, out)
			continue
		}
		chosen = append(chosen, c)
	}
	return chosen
}

// namesAnother is why a case is not run that names another checkpoint.
const namesAnother = "it names another checkpoint: --all runs it, or --checkpoint with that name"

// outside says why a case cannot be asked at the run's checkpoint, "" where it can.
func (r *Runner) outside(c corpus.Case) string {
	if r.elsewhere(c) {
		if r.OpenCheckpoint == nil {
			return namesAnother
		}
		return ""
	}
	if c.Checkpoint != "" {
		return ""
	}
	_, chat := c.Input.Get("chat_template")
	_, response := c.Input.Get("response_template")
	if chat || response || c.Format == "" || r.Format == "" || c.Format == r.Format {
		return ""
	}
	return fmt.Sprintf("it is of the format %s, and the checkpoint of %s", c.Format, r.Format)
}

// all judges cases side by side.
func (r *Runner) all(ctx context.Context, phase string, cases []corpus.Case, judged []*CaseResult) {
	jobs := r.Jobs
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	next := make(chan int)
	var mu sync.Mutex
	done := 0
	var wg sync.WaitGroup
	for range min(jobs, len(cases)) {
		wg.Go(func() {
			for i := range next {
				c := r.judgeCase(ctx, cases[i])
				mu.Lock()
				if ctx.Err() == nil { // what an ended context answered is no verdict
					judged[i] = &c
				}
				done++
				r.progress(Progress{Phase: phase, Done: done, Total: len(cases)})
				mu.Unlock()
			}
		})
	}
	for i := range cases {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
}

// again asks what differed once more, one case at a time. The second answer
// counts; an engine that gave another one the first time is unstable. A failure
// is not asked again: a pool has tried twice by then, and a case that does not
// end would cost its time once more.
func (r *Runner) again(ctx context.Context, cases []corpus.Case, judged []*CaseResult) {
	var suspects []int
	for i, c := range judged {
		if c != nil && worse(c.Kind(), corpus.CannotSay) && c.Kind() != corpus.EngineFailed {
			suspects = append(suspects, i)
		}
	}
	for n, i := range suspects {
		r.progress(Progress{Phase: "asking again", Done: n, Total: len(suspects)})
		second := r.judgeCase(ctx, cases[i])
		if ctx.Err() != nil {
			return
		}
		second.Verdicts = append(second.Verdicts, r.unsteady(judged[i], &second)...)
		judged[i] = &second
	}
}

// unsteady gives a verdict for each engine that answered a case otherwise on the
// second try, whole or in pieces.
func (r *Runner) unsteady(first, second *CaseResult) []Verdict {
	var out []Verdict
	told := map[string]bool{}
	add := func(name string, v Verdict) {
		if told[name] || name == Want {
			return
		}
		told[name] = true
		v.Kind, v.Was, v.Left, v.Right, v.Fails = corpus.Unstable, corpus.Unstable, name, name, r.mustBeStable(name)
		out = append(out, v)
	}
	for j, o := range first.Outcomes {
		if w := unlike(o.Outcome, second.Outcomes[j].Outcome); w != nil {
			add(o.Engine, Verdict{LeftOutcome: o.Outcome, RightOutcome: second.Outcomes[j].Outcome, Where: w, What: "another answer on a second try"})
		}
	}
	for _, v := range first.Verdicts {
		stays := v.Kind == corpus.Same || slices.ContainsFunc(second.Verdicts, func(w Verdict) bool {
			return w.Kind == v.Kind && w.Pair() == v.Pair() && w.What == v.What
		})
		if stays || told[v.Left] || told[v.Right] {
			continue
		}
		gone := v
		gone.What = fmt.Sprintf("on the first try %s: %s (%s), and not on the second", v.Pair(), v.Kind, v.What)
		add(v.Left, gone)
		add(v.Right, gone)
	}
	return out
}

// mustBeStable tells whether an unstable answer of the engine fails the run: not
// that of the last of several, by which the others are judged, unless it is the
// native one.
func (r *Runner) mustBeStable(name string) bool {
	last := r.Engines[len(r.Engines)-1].Name()
	return len(r.Engines) == 1 || name != last || name == engine.NativeName
}

func (r *Runner) progress(p Progress) {
	if r.Progress != nil {
		r.Progress(p)
	}
}
