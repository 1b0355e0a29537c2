package beam

import "github.com/beamdiff/beamdiff/harmony"

// results checks results against calls. Beam matches them by position: the
// results behind a turn answer its calls in their order.
func (c *checker) results() {
	r := resultChecker{checker: c, named: map[string]string{}}
	for i := range c.req.Messages {
		m := &c.req.Messages[i]
		switch {
		case m.Role == harmony.Tool:
			r.result(m, i)
		case !isInstruction(m):
			r.unanswered()
			r.calls, r.at, r.answered = nil, i, 0
			if m.Role == harmony.Assistant {
				r.open(m)
			}
		}
	}
	if c.req.GenerationPrompt != Off && c.req.Continue == "" {
		r.unanswered()
	}
}

// resultChecker walks the results of one turn after the other.
type resultChecker struct {
	*checker
	at       int                // the turn
	calls    []harmony.ToolCall // its calls
	byID     map[string]int     // the calls of the turn
	byName   map[string]bool
	answered int
	named    map[string]string // the tool of each call so far, by id
}

// open begins a turn.
func (r *resultChecker) open(m *harmony.Message) {
	r.calls = m.ToolCalls
	r.byID, r.byName = map[string]int{}, map[string]bool{}
	for j := range r.calls {
		call := &r.calls[j]
		r.byName[call.Name] = true
		if id, ok := callID(call); ok {
			if _, twice := r.byID[id]; !twice {
				r.byID[id] = j
			}
			r.named[id] = call.Name
		}
	}
}

// result checks the next result.
func (r *resultChecker) result(m *harmony.Message, i int) {
	path := messageAt(i)
	k := r.answered
	r.answered++
	id, hasID := textField(m.ToolCallID, m.Extra, "tool_call_id")
	if !hasID {
		switch {
		case k >= len(r.calls):
			r.warn(WarnResultWithoutCall, path, "no call is left that it could answer")
		case m.Name == r.calls[k].Name || m.Name == "":
		case r.byName[m.Name]:
			r.warn(WarnResultOrder, path, "stands where the result of call %d, to %s, must stand", k, r.calls[k].Name)
		default:
			r.warn(WarnResultWithoutCall, path, "no call of the turn is to %s", m.Name)
		}
		return
	}
	called, known := r.named[id]
	if known && m.Name != "" && m.Name != called {
		r.warn(WarnResultName, path+".name", "is %s, but the call with the id %s is to %s", m.Name, id, called)
	}
	j, here := r.byID[id]
	here = here && len(r.calls) > 0
	own := k < len(r.calls)
	if own {
		got, ok := callID(&r.calls[k])
		own = ok && got == id
	}
	switch {
	case own:
	case here && k >= len(r.calls):
		r.warn(WarnResultWithoutCall, path, "answers call %d once more", j)
	case here:
		r.warn(WarnResultOrder, path, "answers call %d, but stands where the result of call %d must stand", j, k)
	case known:
		r.warn(WarnResultOrder, path, "answers a call of an earlier turn")
	default:
		r.warn(WarnResultWithoutCall, path, "no earlier call has the id %s", id)
	}
}

// unanswered ends a turn.
func (r *resultChecker) unanswered() {
	for j := r.answered; j < len(r.calls); j++ {
		r.warn(WarnCallWithoutResult, callAt(r.at, j), "has no result")
	}
	r.calls = nil
}
