package pattern

import (
	"fmt"
	"strings"
)

// reader follows the reference's streaming parser through a reply
// (response_parser.py, _process), without what becomes of the regions' text.
type reader struct {
	t        *Template
	matchers map[*Part]*matcher
	buffer   string
	at       int
	current  *field // nil: no region takes the text
	opened   bool
	body     strings.Builder
	names    map[string]string
	regions  []string
	steps    int
	// full, of a reader that looks for who misleads it, is the whole reply.
	full   string
	blamed *Part
	cause  string
}

// maxTurns bounds how often a reader looks for the next anchor: regions that open
// and close on nothing have no end.
const maxTurns = 2000

func (t *Template) reader() *reader {
	return &reader{t: t, matchers: map[*Part]*matcher{}, current: t.implicit(), names: map[string]string{}}
}

// regions gives the regions of a reply as it comes in pieces, in an order and with
// the text that the message is made of. False where that cannot be told.
func (t *Template) regions(pieces ...string) (regions []string, ok bool) {
	r := t.reader()
	for _, piece := range pieces {
		r.buffer += piece
		if !r.process(false) {
			return nil, false
		}
	}
	ok = r.process(true)
	return r.regions, ok
}

func (r *reader) matcher(p *Part) *matcher {
	if r.matchers[p] == nil {
		r.matchers[p] = p.matcher()
	}
	return r.matchers[p]
}

// watched are the anchors that are looked for now.
func (r *reader) watched() []*Part {
	implicit := r.t.implicit()
	if r.current != nil && r.current != implicit {
		if r.current.close == nil {
			return nil
		}
		return []*Part{r.current.close}
	}
	var parts []*Part
	for _, f := range r.t.fields {
		if f.open != nil {
			parts = append(parts, f.open)
		}
	}
	if implicit != nil && implicit.close != nil {
		parts = append(parts, implicit.close)
	}
	return parts
}

// process reads as far as the reference would; false where that cannot be told.
func (r *reader) process(end bool) bool {
	for {
		if r.steps++; r.steps > maxTurns {
			return false
		}
		best, by, hold := mark{}, (*Part)(nil), len(r.buffer)
		for _, p := range r.watched() {
			m := r.matcher(p)
			found, ok := mark{}, false
			if end {
				found, ok = m.whole(r.buffer, r.at)
			} else {
				found, ok = m.sofar(r.buffer, r.at)
			}
			switch {
			case !ok:
				return false
			case !found.match:
				hold = min(hold, found.start)
			case by == nil || before(found, p, best, by):
				best, by = found, p
			}
		}
		if by != nil && best.start < hold {
			r.judge(by, best, best.start)
			if !r.take(best, by) {
				return true
			}
			continue
		}
		if end {
			hold = len(r.buffer)
		} else {
			r.judge(nil, mark{}, hold)
		}
		r.give(r.buffer[r.at:hold])
		r.at = hold
		if end {
			r.close()
		}
		return true
	}
}

// before is the reference's order of matches.
func before(a mark, by *Part, b mark, other *Part) bool {
	switch {
	case a.start != b.start:
		return a.start < b.start
	case a.end != b.end:
		return a.end > b.end
	case by.Use != other.Use:
		return by.Use == Open
	}
	return by.Field < other.Field
}

// take takes an anchor; false where the reference stops to look on.
func (r *reader) take(m mark, by *Part) bool {
	r.give(r.buffer[r.at:m.start])
	r.at = m.end
	if by.Use == Open {
		r.close()
		r.current, r.opened = r.t.field(by), true
		r.capture(m, by)
		return true
	}
	had := r.opened
	r.capture(m, by)
	r.close()
	return had || m.start < m.end
}

func (r *reader) capture(m mark, by *Part) {
	for i, name := range by.rx.Names() {
		if from := m.names[2*i]; from >= 0 {
			r.names[name] = r.buffer[from:m.names[2*i+1]]
		}
	}
}

func (r *reader) give(text string) {
	if text == "" || r.current == nil {
		return
	}
	r.opened = true
	r.body.WriteString(text)
}

func (r *reader) close() {
	if r.current != nil && r.opened {
		r.regions = append(r.regions, fmt.Sprintf("%s %q %q", r.current.name, r.names, r.body.String()))
	}
	r.current, r.opened = r.t.implicit(), false
	r.body.Reset()
	clear(r.names)
}
