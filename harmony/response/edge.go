package response

// edge is the first position at which an anchor may begin, and what is known of
// all that may begin there.
type edge struct {
	at    int
	sure  bool // one of them matches, whatever follows
	close bool // one of them is a close
	fails bool // one of them may run out of steps, so that reading ends there
}

func (e *edge) note(at int, open, sure, fails bool) {
	if at < e.at {
		*e = edge{at: at}
	}
	if at == e.at {
		e.sure = e.sure || sure
		e.close = e.close || !open
		e.fails = e.fails || fails
	}
}

// opens tells whether a region opens at the edge, whichever it is: so the text
// between regions ends there. A close may begin where an open does; until one of
// them is longer it is not known whether it is by its close that the text ends.
func (e *edge) opens() bool { return e.sure && !e.close && !e.fails }
