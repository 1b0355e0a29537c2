package token

// textStep is a step of a decoder that works on the text that the tokens have
// become: it replaces from by to, or cuts from off the start up to count times.
type textStep struct {
	from, to string
	strip    bool
	count    int
	// back is, for each number of bytes of from that were read, how many of them
	// may still begin it where the next byte does not fit (Knuth, Morris, Pratt).
	back []int
}

func newTextStep(from, to string, count int, strip bool) textStep {
	t := textStep{from: from, to: to, count: count, strip: strip, back: make([]int, len(from)+1)}
	for i := 1; i < len(from); i++ {
		k := t.back[i]
		for k > 0 && from[k] != from[i] {
			k = t.back[k]
		}
		if from[k] == from[i] {
			k++
		}
		t.back[i+1] = k
	}
	return t
}

// textState is where a step is in the text.
type textState struct {
	read  int    // bytes of from that were read and not given on
	count int    // how often from was cut off
	off   bool   // nothing is cut off any more
	buf   []byte // what the step gave last
}

// step takes text through a step and gives what is final. Text comes in whole
// characters, and is given on in whole characters.
func step[T string | []byte](s *textState, t *textStep, text T) []byte {
	s.buf = s.buf[:0]
	if t.strip {
		for !s.off && s.count < t.count && len(text) > 0 {
			if len(text) < len(t.from) || string(text[:len(t.from)]) != t.from {
				s.off = true
				break
			}
			text = text[len(t.from):]
			s.count++
		}
		s.buf = append(s.buf, text...)
		return s.buf
	}
	for i := range len(text) {
		b := text[i]
		for s.read > 0 && t.from[s.read] != b {
			k := t.back[s.read]
			s.buf = append(s.buf, t.from[:s.read-k]...)
			s.read = k
		}
		if t.from[s.read] != b {
			s.buf = append(s.buf, b)
			continue
		}
		if s.read++; s.read == len(t.from) {
			s.buf = append(s.buf, t.to...)
			s.read = 0
		}
	}
	return s.buf
}

// end gives what was held back, behind what the step gave last.
func (s *textState) end(t *textStep) []byte {
	s.buf = append(s.buf, t.from[:s.read]...)
	s.read = 0
	return s.buf
}

// reset begins a new text.
func (s *textState) reset() { *s = textState{buf: s.buf[:0]} }
