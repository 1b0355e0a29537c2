package engine

import "sync"

// running are the processes of all pools.
var running processes

type processes struct {
	mu   sync.Mutex
	all  map[*process]bool
	over bool // none may start
}

func (r *processes) start(p *process) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return ErrClosed
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	if r.all == nil {
		r.all = map[*process]bool{}
	}
	r.all[p] = true
	return nil
}

func (r *processes) ended(p *process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, p)
}

// KillAll kills the processes of all pools, and their children, and lets no more
// start. It is for a program that is about to end without closing its pools.
func KillAll() {
	running.mu.Lock()
	defer running.mu.Unlock()
	running.over = true
	for p := range running.all {
		killGroup(p.cmd)
	}
}
