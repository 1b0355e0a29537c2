package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/beamdiff/beamdiff/corpus"
)

// worker runs one process after another and owns the requests that it holds.
type worker struct {
	pool *Pool
	wake chan struct{} // something is in the inbox; holds one

	open  bool   // takes requests; this and the rest guarded by Pool.mu
	load  int    // requests in the inbox and in hand
	inbox []*job // given, not sent
}

// give puts a job into the inbox; Pool.mu is held.
func (w *worker) give(j *job) {
	w.load++
	w.inbox = append(w.inbox, j)
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// How often in a row a process may fail to start: once one has, and before, where
// one that ends without an answer may have been killed by something else.
const (
	startTries = 3
	firstTries = 2
)

// run starts processes until there is nothing left to do for them.
func (w *worker) run() {
	p := w.pool
	var suspect *job // to be tried alone
	for tries := 1; ; tries++ {
		proc, err := w.start()
		if err == nil {
			tries = 0
			if suspect = w.serve(proc, suspect); suspect != nil {
				continue
			}
		}
		p.mu.Lock()
		w.open = false
		switch {
		case p.err != nil:
			err = p.err
		case err != nil && (p.info != nil && tries < startTries || hasEnded(err) && tries < firstTries):
			p.mu.Unlock()
			continue
		case err == nil && len(p.queue) > 0:
			p.mu.Unlock()
			continue
		}
		p.retire(w, err)
		if suspect != nil {
			suspect.done <- failed(err.Error())
		}
		p.mu.Unlock()
		return
	}
}

// hasEnded tells whether a start failed since the process ended.
func hasEnded(err error) bool {
	var start *StartError
	return errors.As(err, &start) && start.ended
}

// shown is a command for a message: arguments that are programs themselves are
// left out.
func shown(args []string) string {
	args = slices.Clone(args)
	for i, arg := range args {
		if i > 0 && args[i-1] == "-c" && len(arg) > 60 {
			args[i] = "…"
		}
	}
	return strings.Join(args, " ")
}

// start brings up a process that has said what it is.
func (w *worker) start() (*process, error) {
	p := w.pool
	cmd := p.o.Command(p.ctx)
	fail := func(reason, stderr string, ended bool) (*process, error) {
		return nil, &StartError{Engine: p.o.Name, Command: shown(cmd.Args), Reason: reason, Stderr: stderr, ended: ended}
	}
	proc, err := startProcess(cmd, p.o)
	if err != nil {
		return fail(err.Error(), "", false)
	}
	timer := time.NewTimer(p.o.StartTimeout)
	defer timer.Stop()
	op, key := Op("info"), ""
	if p.o.Open != nil {
		op, key = "open", "open"
	}
	id := int64(1)
	proc.send <- line(id, members(op, key, p.o.Open))
	for {
		var why error
		select {
		case a := <-proc.answers:
			var in Info
			switch {
			case a.id != id:
				why = &protocolError{what: fmt.Sprintf("an answer to %d, where %d was asked", a.id, id)}
			case a.out.Kind == corpus.Cannot && op == "open":
				op, id = "info", 2
				proc.send <- line(id, members(op, "", nil))
				continue
			case a.out.Kind == corpus.Raised:
				why = errors.New(a.out.Class + ": " + a.out.Message)
			case a.out.Kind == corpus.Cannot:
				why = errors.New("it cannot answer info: " + a.out.Why)
			default:
				if in, why = decodeInfo(a.out.Value); why != nil {
					why = &protocolError{what: why.Error()}
				} else if why = p.learn(proc.told(in)); why == nil {
					return proc, nil
				}
			}
		case why = <-proc.broken:
		case <-timer.C:
			why = fmt.Errorf("timed out: no answer within %v", p.o.StartTimeout)
		case <-p.ctx.Done():
			proc.end(0)
			return nil, ErrClosed
		}
		proc.end(grace(why))
		return fail(proc.explain(why), proc.tail.String(), errors.Is(why, errClosed) && !proc.killed)
	}
}

// grace is the time that a process gets to end by itself after err.
func grace(err error) time.Duration {
	if errors.Is(err, errClosed) {
		return exitGrace
	}
	return 0
}

// serve passes requests to the process and answers back until the process fails
// or the pool closes, and then ends the process. A suspect is tried first, alone.
// It returns the suspect of a failure, if any.
func (w *worker) serve(proc *process, alone *job) (suspect *job) {
	p := w.pool
	var held []*job // sent, oldest first
	next := int64(10)
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	defer timer.Stop()
	send := func(j *job) {
		next++
		j.id = next
		held = append(held, j)
		if len(held) == 1 {
			timer.Reset(p.o.CaseTimeout)
		}
		proc.send <- line(j.id, j.rest)
	}
	if alone != nil {
		send(alone)
	} else {
		w.take()
	}
	for {
		var why error
		select {
		case <-w.wake:
			p.mu.Lock()
			jobs := w.inbox
			w.inbox = nil
			p.mu.Unlock()
			for _, j := range jobs {
				send(j)
			}
			continue
		case a := <-proc.answers:
			i := 0
			for i < len(held) && held[i].id != a.id {
				i++
			}
			if i == len(held) {
				why = &protocolError{what: fmt.Sprintf("an answer to %d, which was not asked or had been answered", a.id)}
				break
			}
			j := held[i]
			if a.out.Kind == corpus.OK {
				if err := check(j.op, a.out.Value); err != nil {
					why = &protocolError{what: err.Error()}
					break
				}
			}
			held = append(held[:i], held[i+1:]...)
			if i == 0 {
				timer.Stop()
				if len(held) > 0 {
					timer.Reset(p.o.CaseTimeout)
				}
			}
			p.mu.Lock()
			p.reach(j, a.points)
			p.mu.Unlock()
			j.done <- a.out
			if j == alone {
				alone = nil
				w.take()
			} else {
				w.finished()
			}
			continue
		case why = <-proc.broken:
		case <-timer.C:
			why = fmt.Errorf("timed out: no answer within %v", p.o.CaseTimeout)
		case <-p.ctx.Done():
			w.quit(proc, held)
			return nil
		}
		proc.end(grace(why))
		return w.failed(held, proc.explain(why)+proc.lastWords())
	}
}

// take opens the worker for requests.
func (w *worker) take() {
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	w.open = true
	w.pool.dispatch()
}

// finished makes room for a request.
func (w *worker) finished() {
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	w.load--
	w.pool.dispatch()
}

// failed sorts what a process held when it failed: the oldest is the suspect, or
// has failed for good; the others go back to the head of the queue.
func (w *worker) failed(held []*job, why string) (suspect *job) {
	p := w.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	held = append(held, w.inbox...)
	w.inbox, w.load, w.open = nil, 0, false
	select {
	case <-w.wake:
	default:
	}
	again := make([]*job, 0, len(held)+len(p.queue))
	for i, j := range held {
		switch {
		case j.gaveUp:
		case i > 0:
			again = append(again, j)
		case j.suspect:
			j.done <- failed(why + " (tried twice, the second time alone in a fresh process)")
		default:
			j.suspect = true
			suspect = j
		}
	}
	p.queue = append(again, p.queue...)
	if p.err != nil {
		p.die(p.err)
	}
	p.dispatch()
	return suspect
}

// quit ends the process for Close and fails what it held.
func (w *worker) quit(proc *process, held []*job) {
	if len(held) == 0 {
		proc.send <- line(2, members("close", "", nil))
		proc.end(exitGrace)
	} else {
		proc.end(0)
	}
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	for _, j := range append(held, w.inbox...) {
		j.done <- failed(ErrClosed.Error())
	}
	w.inbox = nil
}
