package pattern

// Blame tells which part misleads the reference when a reply comes in pieces, cut
// at rising bytes, and the cause that is predicted of such a part. nil where none
// does. The prefix is the prompt.
func (t *Template) Blame(prefix, reply string, at []int) (p *Part, cause string) {
	rest := t.begunBy(prefix)
	r := t.reader()
	r.full = rest + reply
	pieces := []string{rest}
	from := 0
	for _, to := range append(append([]int(nil), at...), len(reply)) {
		pieces, from = append(pieces, reply[from:to]), to
	}
	for _, piece := range pieces {
		r.buffer += piece
		if piece == "" && r.buffer == "" {
			continue
		}
		if !r.process(false) || r.blamed != nil {
			break
		}
	}
	if r.blamed != nil {
		return r.blamed, r.cause
	}
	for _, p := range t.Parts { // what no rule of this package shows
		if p.tree != nil && lazyBeforeEdge(p.tree) != nil {
			return p, lazyEdge
		}
	}
	return nil, ""
}

// begunBy is what the prompt holds of the turn: what stands behind the last start
// anchor, or all of it.
func (t *Template) begunBy(prefix string) string {
	for _, p := range t.Parts {
		if p.Use != Start {
			continue
		}
		m := p.matcher()
		for at := 0; at <= len(prefix); {
			found, ok, err := m.scan.Search(prefix[at:], 0)
			if err != nil || !ok {
				return prefix[at:]
			}
			if found.End == 0 {
				return prefix[at:] // an empty anchor is everywhere
			}
			at += found.End
		}
	}
	return prefix
}

// judge looks whether what the reference is about to do is what the whole reply
// says: to take a match, and to give text away up to where it begins.
func (r *reader) judge(taken *Part, now mark, upTo int) {
	if r.full == "" || r.blamed != nil {
		return
	}
	for _, p := range r.watched() {
		whole, ok := r.matcher(p).whole(r.full, r.at)
		switch {
		case !ok:
		case p == taken:
			if cause := misled(now, whole); cause != "" {
				r.blamed, r.cause = p, cause
				return
			}
		case whole.match && (whole.start < upTo || taken != nil && before(whole, p, now, taken)):
			r.blamed, r.cause = p, givenUp
			if found, ok := r.matcher(p).sofar(r.buffer, r.at); ok && found.match {
				r.cause = misled(found, whole)
			}
		}
	}
}
