package rx

import (
	"fmt"
	"unicode/utf8"
)

// Text is the known part of a text: S begins at absolute position Base, and
// Before is the code point before it, -1 at the beginning of the text. End says
// that nothing follows.
type Text struct {
	S      string
	Base   int
	Before rune
	End    bool
}

func (t *Text) end() int { return t.Base + len(t.S) }

// past gives where a search goes on that found nothing up to limit.
func (t *Text) past(limit int) int {
	if limit < t.end() {
		return limit + 1
	}
	return t.end()
}

// before gives the code point before an absolute position.
func (t *Text) before(at int) rune {
	if at <= t.Base {
		return t.Before
	}
	r, _ := utf8.DecodeLastRuneInString(t.S[:at-t.Base])
	return r
}

// Status is how far a search has come.
type Status uint8

const (
	None    Status = iota // no match begins up to the limit in the text known
	Pending               // one may begin at Live; more text will tell
	Found                 // Match is the answer whatever follows
)

// BudgetError is a search that needs more steps than the budget has.
type BudgetError struct {
	Pattern string
	Offset  int   // where the match would have begun
	Steps   int64 // the budget
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("pattern %q needs more than %d steps", e.Pattern, e.Steps)
}

// Scan is a leftmost search that goes on as text arrives. It never looks at a
// byte twice but to begin anew, and never tells what more text could change.
type Scan struct {
	p     *Pattern
	at    int // next position to look at
	live  int // Pending: where a match may begin
	found Match
	state Status
	sure  bool // Pending: a match begins at live for certain
	// Steps counts the bytes looked at, once for each thread that did.
	Steps int64
	// Budget is how many steps backtracking may take for one start; 0 is
	// [DefaultBudget]. It may change between texts.
	Budget int

	threads *threads     // where an automaton runs
	worlds  *[2]threads  // see atNewline
	track   *backtracker // where paths are tried
	waits   bool         // the backtracker does, for more text
	fails   *BudgetError // of the start at which it ran out of steps
	before  int          // bytes of the texts before this one
	known   int          // bytes of this text
	whole   Text         // what Each searches

	memos []memo   // of a chain, one a part
	part  progress // of a chain
}

// NewScan makes a search from the beginning of a text.
func (p *Pattern) NewScan() *Scan {
	s := &Scan{p: p}
	switch {
	case p.texts != nil || p.prog.chain != nil:
	case p.prog.regular:
		s.threads = &threads{}
	default:
		s.track = &backtracker{}
	}
	return s
}

// From prepares the search for matches that begin at pos or later. What the
// scan knows already about the text from there on it keeps.
func (s *Scan) From(pos int) {
	switch {
	case s.state == Found && s.found.Start >= pos:
		return
	case s.state != Found && s.threads.busy():
		if s.threads.live() >= pos {
			return
		}
	case s.state != Found:
		s.at = max(s.at, pos)
		return
	}
	s.at = pos
	s.state = None
	s.threads.reset()
}

// Live is the first position at which a match may begin; for Pending only.
func (s *Scan) Live() int { return s.live }

// Sure tells, for Pending, that a match begins at Live whatever follows: only its
// end is open.
func (s *Scan) Sure() bool { return s.sure }

// Match is the answer; for Found only. It is valid until the next From.
func (s *Scan) Match() *Match { return &s.found }

// Run goes on with the search in the text as it is known now. A match that
// begins behind limit is of no interest. Between calls the text may only grow at
// its end, and lose at its beginning what lies before the position of From.
func (s *Scan) Run(t *Text, limit int) (Status, error) {
	if s.state == Found {
		return Found, nil
	}
	s.sure = false
	var err error
	switch {
	case s.p.texts != nil:
		s.state = s.runLiterals(t, limit)
	case s.p.prog.chain != nil:
		s.state = s.runChain(t, limit)
	case s.p.prog.regular:
		s.state = s.runThreads(t, limit)
	default:
		s.state, err = s.runBacktrack(t, limit)
	}
	return s.state, err
}

// runLiterals looks for the leftmost literal, there the longest. A literal that
// could still become a longer one waits, as does a beginning of one.
func (s *Scan) runLiterals(t *Text, limit int) Status {
	p := s.p
	for s.at <= limit {
		rest := t.S[s.at-t.Base:]
		skip, seen := find(rest, limit-s.at, &p.head, &p.first)
		s.Steps += int64(seen)
		if skip < 0 {
			s.at = t.past(limit)
			return None
		}
		s.at += skip
		if s.at > limit {
			return None
		}
		rest = rest[skip:]
		open := false
		for _, lit := range p.texts {
			n := min(len(lit), len(rest))
			same := 1
			for same < n && lit[same] == rest[same] {
				same++
			}
			s.Steps += int64(same)
			if same < n || lit[0] != rest[0] {
				continue
			}
			if n < len(lit) {
				open = open || !t.End
				continue
			}
			if open {
				s.sure = true
				break
			}
			s.found = Match{Start: s.at, End: s.at + len(lit), Groups: s.found.Groups[:0]}
			return Found
		}
		if open {
			s.live = s.at
			return Pending
		}
		s.at++
	}
	return None
}

// Next gives, for a pattern that backtracks, where it is tried next from pos on,
// behind limit where nowhere up to it. With it several are tried in the order of
// their starts, so that none is tried behind the match of another.
func (s *Scan) Next(pos int, t *Text, limit int) int {
	s.From(pos)
	if s.state == Found {
		return s.found.Start
	}
	s.next(t, limit)
	return s.at
}

// next goes to the next start. It is found by its first byte, not by all that the
// match begins with: while only a part of that is known it must be tried, and so
// it must where all is known, that its steps be the same.
func (s *Scan) next(t *Text, limit int) {
	p := s.p.prog
	if p.nullable || s.at > limit || s.waits && s.track.start == s.at || s.fails != nil && s.fails.Offset == s.at {
		return
	}
	i, seen := findByte(t.S[s.at-t.Base:], limit-s.at, &p.first)
	s.Steps += int64(seen)
	if i < 0 {
		s.at = t.past(limit)
		return
	}
	s.at += i
}

// runBacktrack decides start after start.
func (s *Scan) runBacktrack(t *Text, limit int) (Status, error) {
	p, b := s.p.prog, s.track
	b.budget = s.Budget
	s.known = t.end()
	for {
		s.next(t, limit)
		switch {
		case s.at >= t.end() || s.at > limit:
			return None, nil
		case s.fails != nil && s.fails.Offset == s.at:
			return None, s.fails
		}
		resume := s.waits && b.start == s.at
		var v verdict
		if resume {
			s.Steps -= int64(b.steps)
			v = b.run(t)
		} else {
			v = b.match(p, t, s.at)
		}
		s.Steps += int64(b.steps)
		if s.waits = v == waits; s.waits {
			s.live = s.at
			return Pending, nil
		}
		b.spent += int64(b.steps)
		if most := totalBudget(b.budget, s.before+s.at); v == over {
			s.fails = &BudgetError{s.p.source, s.at, int64(b.budget)}
			return None, s.fails
		} else if b.spent > most {
			s.fails = &BudgetError{s.p.source, s.at, most}
			return None, s.fails
		}
		if v == matched {
			s.found.Start, s.found.End = s.at, b.end
			s.found.Groups = append(s.found.Groups[:0], b.slots[:2*len(s.p.names)]...)
			return Found, nil
		}
		_, size := utf8.DecodeRuneInString(t.S[s.at-t.Base:])
		s.at += size
	}
}

// candidate gives the first position from at on where a match may begin. Where
// there is none up to limit, it is the position to go on from.
func (p *prog) candidate(t *Text, at, limit int) (next, seen int) {
	if p.nullable || at > limit {
		return at, 0
	}
	i, seen := find(t.S[at-t.Base:], limit-at, &p.head, &p.first)
	if i < 0 {
		return t.past(limit), seen
	}
	return at + i, seen
}

// Restart prepares the scan for another text of the same reply: the budget of all
// starts is that of all texts together.
func (s *Scan) Restart() {
	s.at, s.state, s.Steps = 0, None, 0
	s.threads.reset()
	s.before, s.known, s.waits, s.fails = s.before+s.known, 0, false, nil
	s.forget()
}

// Reset makes the scan as new.
func (s *Scan) Reset() {
	s.Restart()
	s.before = 0
	if s.track != nil {
		s.track.spent = 0
	}
}
